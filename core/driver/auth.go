package driver

import (
	"fmt"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// credential collects the authentication options; apply merges them over the URI's.
type credential struct {
	username, password, mechanism, source string
	userSet, passwordSet                  bool
	properties                            map[string]string
}

func setAuth(s *settings, v bsoncore.Value) error {
	doc, ok := v.DocumentOK()
	if !ok {
		return fmt.Errorf("must be a document {username, password}")
	}
	s.auth.username, s.auth.userSet = doc.Lookup("username").StringValueOK()
	s.auth.password, s.auth.passwordSet = doc.Lookup("password").StringValueOK()
	return nil
}

func setMechanismProperties(s *settings, v bsoncore.Value) error {
	doc, ok := v.DocumentOK()
	if !ok {
		return fmt.Errorf("must be a document of strings")
	}
	elements, err := doc.Elements()
	if err != nil {
		return err
	}
	s.auth.properties = make(map[string]string, len(elements))
	for _, element := range elements {
		value := element.Value()
		if str, ok := value.StringValueOK(); ok {
			s.auth.properties[element.Key()] = str
		} else if b, ok := value.BooleanOK(); ok {
			s.auth.properties[element.Key()] = fmt.Sprint(b)
		} else {
			return fmt.Errorf("%s must be a string or a boolean", element.Key())
		}
	}
	return nil
}

func (c *credential) apply(opts *options.ClientOptions) error {
	if opts.Auth == nil && !c.userSet && c.mechanism == "" {
		return nil
	}
	auth := opts.Auth
	if auth == nil {
		auth = &options.Credential{}
	}
	if c.userSet {
		auth.Username = c.username
	}
	if c.passwordSet {
		auth.Password, auth.PasswordSet = c.password, true
	}
	if c.mechanism != "" && c.mechanism != "DEFAULT" {
		auth.AuthMechanism = c.mechanism
	}
	if c.properties != nil {
		auth.AuthMechanismProperties = c.properties
	}
	if c.source != "" {
		auth.AuthSource = c.source
	}
	if auth.AuthSource == "" {
		auth.AuthSource = defaultAuthSource(auth.AuthMechanism)
	}
	opts.Auth = auth
	return nil
}

func defaultAuthSource(mechanism string) string {
	switch mechanism {
	case "MONGODB-X509", "MONGODB-AWS", "MONGODB-OIDC", "GSSAPI", "PLAIN":
		return "$external"
	}
	return "admin"
}
