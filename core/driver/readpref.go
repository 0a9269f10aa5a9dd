package driver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/tag"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
)

// ReadPreference is a read preference as JavaScript encoded it, which is what goes on the wire, and how the Go driver
// selects servers by it.
type ReadPreference struct {
	document bsoncore.Document // nil: primary, which goes without saying
	selector description.ServerSelector
}

var primary = sync.OnceValue(func() *ReadPreference {
	return &ReadPreference{selector: selectorOf(readpref.Primary())}
})

func newReadPreference(v bsoncore.Value) (*ReadPreference, error) {
	parsed, err := parseReadPreference(v)
	if err != nil {
		return nil, err
	}
	if parsed.Mode() == readpref.PrimaryMode {
		return primary(), nil
	}
	document, ok := v.DocumentOK()
	if !ok {
		document = bsoncore.NewDocumentBuilder().AppendString("mode", v.StringValue()).Build()
	}
	return &ReadPreference{document, selectorOf(parsed)}, nil
}

// selectorOf returns the selector the Go driver makes of a read preference. It makes them while it executes an
// operation and of types it does not export, so an operation is executed as far as that.
func selectorOf(pref *readpref.ReadPref) description.ServerSelector {
	var caught selectorTrap
	_ = driver.Operation{
		CommandFn:      appendElements(nil),
		Database:       "none",
		Deployment:     &caught,
		ReadPreference: pref,
	}.Execute(context.Background())
	return caught.selector
}

// selectorTrap is a deployment without servers that remembers how one was to be selected.
type selectorTrap struct{ selector description.ServerSelector }

var errTrapped = errors.New("there is no server to select")

func (t *selectorTrap) SelectServer(_ context.Context, s description.ServerSelector) (driver.Server, error) {
	t.selector = s
	return nil, errTrapped
}

func (*selectorTrap) Kind() description.TopologyKind { return 0 }

func (*selectorTrap) GetServerSelectionTimeout() time.Duration { return 0 }

// parseReadPreference reads a document as in $readPreference, or a mode name.
func parseReadPreference(v bsoncore.Value) (*readpref.ReadPref, error) {
	if name, ok := v.StringValueOK(); ok {
		return readPreferenceOf(name, nil)
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
	seconds, given, err := optionalNumber(doc, "maxStalenessSeconds")
	if err != nil {
		return nil, err
	}
	if given && seconds > 0 {
		opts = append(opts, readpref.WithMaxStaleness(time.Duration(min(seconds, aCentury)*float64(time.Second))))
	}
	if enabled, ok := doc.Lookup("hedge", "enabled").BooleanOK(); ok {
		opts = append(opts, readpref.WithHedgeEnabled(enabled))
	}
	return readPreferenceOf(name, opts)
}

func readPreferenceOf(name string, opts []readpref.Option) (*readpref.ReadPref, error) {
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
			sets = append(sets, tag.Set{unmatched})
			continue
		}
		elements, err := doc.Elements()
		if err != nil {
			return nil, err
		}
		set := tag.Set{}
		for _, element := range elements {
			if str, ok := element.Value().StringValueOK(); ok {
				set = append(set, tag.Tag{Name: element.Key(), Value: str})
			} else {
				set = append(set, unmatched)
			}
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// aCentury of seconds fits into a Duration; more would not.
const aCentury = 100 * 365 * 24 * 3600

// unmatched stands for a tag that no server has, because it is not text.
var unmatched = tag.Tag{Name: "\x00"}
