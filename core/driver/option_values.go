package driver

import (
	"fmt"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// The setters of options that are more than one scalar.

func setFamily(s *settings, v bsoncore.Value) error {
	n, _ := asInteger(v)
	switch n {
	case 0:
		s.network = "tcp"
	case 4:
		s.network = "tcp4"
	case 6:
		s.network = "tcp6"
	default:
		return fmt.Errorf("must be 0, 4 or 6")
	}
	return nil
}

func setCompressors(s *settings, v bsoncore.Value) error {
	names, err := stringArray(v)
	if err != nil {
		return err
	}
	var kept []string
	for _, name := range names {
		switch name {
		case "none":
		case "snappy", "zlib", "zstd":
			kept = append(kept, name)
		default:
			return fmt.Errorf("%q is not a known compressor (snappy, zlib, zstd, none)", name)
		}
	}
	s.SetCompressors(kept)
	return nil
}

func setReadPreference(s *settings, v bsoncore.Value) error {
	rp, err := parseReadPreference(v)
	if err != nil {
		return err
	}
	s.SetReadPreference(rp)
	return nil
}

func setReadConcern(s *settings, v bsoncore.Value) error {
	doc, ok := v.DocumentOK()
	if !ok {
		return fmt.Errorf("must be a document with a level")
	}
	level, ok := doc.Lookup("level").StringValueOK()
	if !ok {
		return fmt.Errorf("level must be a string")
	}
	s.SetReadConcern(&readconcern.ReadConcern{Level: level})
	return nil
}

func setServerAPI(s *settings, v bsoncore.Value) error {
	doc, ok := v.DocumentOK()
	if !ok {
		return fmt.Errorf("must be a document with a version")
	}
	version, ok := doc.Lookup("version").StringValueOK()
	if !ok {
		return fmt.Errorf("version must be a string")
	}
	api := options.ServerAPI(options.ServerAPIVersion(version))
	if strict, ok := doc.Lookup("strict").BooleanOK(); ok {
		api.SetStrict(strict)
	}
	if errors, ok := doc.Lookup("deprecationErrors").BooleanOK(); ok {
		api.SetDeprecationErrors(errors)
	}
	s.SetServerAPIOptions(api)
	return nil
}

func setDriverInfo(s *settings, v bsoncore.Value) error {
	doc, ok := v.DocumentOK()
	if !ok {
		return fmt.Errorf("must be a document {name, version, platform}")
	}
	info := &options.DriverInfo{}
	info.Name, _ = doc.Lookup("name").StringValueOK()
	info.Version, _ = doc.Lookup("version").StringValueOK()
	info.Platform, _ = doc.Lookup("platform").StringValueOK()
	s.SetDriverInfo(info)
	return nil
}

func stringArray(v bsoncore.Value) ([]string, error) {
	array, ok := v.ArrayOK()
	if !ok {
		return nil, fmt.Errorf("must be an array of strings, not %s", v.Type)
	}
	values, err := array.Values()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, value := range values {
		str, ok := value.StringValueOK()
		if !ok {
			return nil, fmt.Errorf("must be an array of strings")
		}
		out = append(out, str)
	}
	return out, nil
}

// pemBlocks takes what Node.js takes for ca, cert and key: a string, bytes, or an array of these.
func pemBlocks(add func(*settings, []byte)) setter {
	one := func(s *settings, v bsoncore.Value) error {
		if str, ok := v.StringValueOK(); ok {
			add(s, append([]byte(str), '\n'))
			return nil
		}
		if _, data, ok := v.BinaryOK(); ok {
			add(s, append(append([]byte(nil), data...), '\n'))
			return nil
		}
		return fmt.Errorf("must be PEM text or bytes, or an array of these, not %s", v.Type)
	}
	return func(s *settings, v bsoncore.Value) error {
		array, ok := v.ArrayOK()
		if !ok {
			return one(s, v)
		}
		values, err := array.Values()
		if err != nil {
			return err
		}
		for _, value := range values {
			if err := one(s, value); err != nil {
				return err
			}
		}
		return nil
	}
}
