package driver

import (
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/tag"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// parseReadPreference reads a document as in $readPreference, or a mode name.
func parseReadPreference(v bsoncore.Value) (*readpref.ReadPref, error) {
	if name, ok := v.StringValueOK(); ok {
		return newReadPreference(name, nil)
	}
	doc, ok := v.DocumentOK()
	if !ok {
		return nil, fmt.Errorf("must be a mode name or a document with a mode, not %s", v.Type)
	}
	name, ok := doc.Lookup("mode").StringValueOK()
	if !ok {
		return nil, fmt.Errorf("mode must be a string")
	}
	var opts []readpref.Option
	if tags, err := doc.LookupErr("tags"); err == nil {
		sets, err := parseTagSets(tags)
		if err != nil {
			return nil, err
		}
		if len(sets) > 0 {
			opts = append(opts, readpref.WithTagSets(sets...))
		}
	}
	if staleness, err := doc.LookupErr("maxStalenessSeconds"); err == nil {
		seconds, ok := asInteger(staleness)
		if !ok {
			return nil, fmt.Errorf("maxStalenessSeconds must be a whole number")
		}
		if seconds > 0 {
			opts = append(opts, readpref.WithMaxStaleness(time.Duration(seconds)*time.Second))
		}
	}
	if enabled, ok := doc.Lookup("hedge", "enabled").BooleanOK(); ok {
		opts = append(opts, readpref.WithHedgeEnabled(enabled))
	}
	return newReadPreference(name, opts)
}

func newReadPreference(name string, opts []readpref.Option) (*readpref.ReadPref, error) {
	mode, err := readpref.ModeFromString(name)
	if err != nil {
		return nil, fmt.Errorf("%q is not a read preference mode", name)
	}
	return readpref.New(mode, opts...)
}

func parseTagSets(v bsoncore.Value) ([]tag.Set, error) {
	array, ok := v.ArrayOK()
	if !ok {
		return nil, fmt.Errorf("tags must be an array of documents")
	}
	values, err := array.Values()
	if err != nil {
		return nil, err
	}
	var sets []tag.Set
	for _, value := range values {
		doc, ok := value.DocumentOK()
		if !ok {
			return nil, fmt.Errorf("tags must be an array of documents")
		}
		elements, err := doc.Elements()
		if err != nil {
			return nil, err
		}
		set := tag.Set{}
		for _, element := range elements {
			str, ok := element.Value().StringValueOK()
			if !ok {
				return nil, fmt.Errorf("tag %q must be a string", element.Key())
			}
			set = append(set, tag.Tag{Name: element.Key(), Value: str})
		}
		sets = append(sets, set)
	}
	return sets, nil
}
