package driver

import (
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/fault"
)

// settings is a client's configuration: the official Go driver's options and what they have no place for.
type settings struct {
	*options.ClientOptions
	auth             credential
	tls              tlsSettings
	proxy            proxySettings
	socketTimeout    time.Duration
	waitQueueTimeout time.Duration
	network          string // "tcp", "tcp4" or "tcp6"
	localThreshold   time.Duration
}

const (
	// The Go driver selects with this window when it builds its own selector; see latencyWindow.
	defaultLocalThreshold = 15 * time.Millisecond
	// The official Node.js driver's default.
	defaultMaxPoolSize = 100
)

// parseSettings reads the parameters of connect: {uri, options}. Every fault names the option it is about.
func parseSettings(params []byte) (*settings, error) {
	doc := bsoncore.Document(params)
	uri, ok := doc.Lookup("uri").StringValueOK()
	if !ok {
		return nil, fault.New(fault.InvalidArgument, "connect needs the connection string as a string (uri)")
	}
	s := &settings{
		ClientOptions:  options.Client().ApplyURI(uri),
		network:        "tcp",
		localThreshold: defaultLocalThreshold,
	}
	if err := s.Validate(); err != nil {
		return nil, fault.New(fault.Parse, "connection string is not valid: %v", err)
	}
	if s.LocalThreshold != nil {
		s.localThreshold = *s.LocalThreshold
	}
	opts, err := doc.LookupErr("options")
	if err == nil {
		if err := s.apply(opts); err != nil {
			return nil, err
		}
	}
	if s.MaxPoolSize == nil {
		s.SetMaxPoolSize(defaultMaxPoolSize)
	}
	if err := s.auth.apply(s.ClientOptions); err != nil {
		return nil, err
	}
	if err := s.tls.apply(s.ClientOptions); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, fault.New(fault.InvalidArgument, "client options are not valid: %v", err)
	}
	dialer, err := newDialer(s)
	if err != nil {
		return nil, fault.New(fault.InvalidArgument, "option \"proxyHost\": %v", err)
	}
	s.SetDialer(dialer)
	return s, nil
}

// direct says whether the client asked for the one server it names, whatever that is.
func (s *settings) direct() bool { return s.Direct != nil && *s.Direct }

// apply reads every element of the options document; an element without a setter is refused by name.
func (s *settings) apply(opts bsoncore.Value) error {
	doc, ok := opts.DocumentOK()
	if !ok {
		return fault.New(fault.InvalidArgument, "connect: options must be a document")
	}
	elements, err := doc.Elements()
	if err != nil {
		return fault.New(fault.InvalidArgument, "connect: options are not valid BSON: %v", err)
	}
	for _, element := range elements {
		name, value := element.Key(), element.Value()
		set, known := setters[name]
		if !known {
			return fault.New(fault.InvalidArgument, "option %q is not supported", name)
		}
		if value.Type == bsoncore.TypeNull || value.Type == bsoncore.TypeUndefined {
			continue
		}
		if err := set(s, value); err != nil {
			return fault.New(fault.InvalidArgument, "option %q: %v", name, err)
		}
	}
	return nil
}

type setter func(*settings, bsoncore.Value) error

// setters holds the official names, in exact case. JavaScript validates first and with better messages; this is the
// second line, so that nothing unknown is ever ignored silently.
var setters = map[string]setter{
	"maxPoolSize":    count(func(s *settings, n uint64) { s.SetMaxPoolSize(n) }),
	"minPoolSize":    count(func(s *settings, n uint64) { s.SetMinPoolSize(n) }),
	"maxConnecting":  count(func(s *settings, n uint64) { s.SetMaxConnecting(n) }),
	"maxIdleTimeMS":  millis(func(s *settings, d time.Duration) { s.SetMaxConnIdleTime(d) }),
	"appName":        text(func(s *settings, v string) { s.SetAppName(v) }),
	"appname":        text(func(s *settings, v string) { s.SetAppName(v) }),
	"replicaSet":     text(func(s *settings, v string) { s.SetReplicaSet(v) }),
	"srvServiceName": text(func(s *settings, v string) { s.SetSRVServiceName(v) }),
	"srvMaxHosts":    count(func(s *settings, n uint64) { s.SetSRVMaxHosts(int(n)) }),

	"connectTimeoutMS":         millis(func(s *settings, d time.Duration) { s.SetConnectTimeout(d) }),
	"serverSelectionTimeoutMS": millis(func(s *settings, d time.Duration) { s.SetServerSelectionTimeout(d) }),
	"heartbeatFrequencyMS":     millis(func(s *settings, d time.Duration) { s.SetHeartbeatInterval(d) }),
	"localThresholdMS":         millis(func(s *settings, d time.Duration) { s.localThreshold = d }),
	"socketTimeoutMS":          millis(func(s *settings, d time.Duration) { s.socketTimeout = d }),
	"waitQueueTimeoutMS":       millis(func(s *settings, d time.Duration) { s.waitQueueTimeout = d }),
	// The Go driver's floor of 500 ms is a constant; the option is accepted and has no effect.
	"minHeartbeatFrequencyMS": millis(func(*settings, time.Duration) {}),
	"serverMonitoringMode":    text(func(s *settings, v string) { s.SetServerMonitoringMode(v) }),
	"family":                  setFamily,

	"directConnection": flag(func(s *settings, v bool) { s.SetDirect(v) }),
	"loadBalanced":     flag(func(s *settings, v bool) { s.SetLoadBalanced(v) }),
	"retryReads":       flag(func(s *settings, v bool) { s.SetRetryReads(v) }),
	// Only reads are sent from here, so retrying writes has nothing to act on.
	"retryWrites": flag(func(*settings, bool) {}),

	"compressors":          setCompressors,
	"zlibCompressionLevel": integer(func(s *settings, n int64) { s.SetZlibLevel(int(n)) }),
	"zstdCompressionLevel": integer(func(s *settings, n int64) { s.SetZstdLevel(int(n)) }),
	"readPreference":       setReadPreference,
	"readConcern":          setReadConcern,
	"serverApi":            setServerAPI,
	"driverInfo":           setDriverInfo,

	"proxyHost":     text(func(s *settings, v string) { s.proxy.host = v }),
	"proxyPort":     count(func(s *settings, n uint64) { s.proxy.port = int64(n) }),
	"proxyUsername": text(func(s *settings, v string) { s.proxy.username = v }),
	"proxyPassword": text(func(s *settings, v string) { s.proxy.password = v }),

	"auth":                    setAuth,
	"authMechanism":           text(func(s *settings, v string) { s.auth.mechanism = v }),
	"authSource":              text(func(s *settings, v string) { s.auth.source = v }),
	"authMechanismProperties": setMechanismProperties,

	"tls":                                  flag(func(s *settings, v bool) { s.tls.enabled = &v }),
	"ssl":                                  flag(func(s *settings, v bool) { s.tls.enabled = &v }),
	"tlsInsecure":                          flag(func(s *settings, v bool) { s.tls.insecure = v }),
	"tlsAllowInvalidCertificates":          flag(func(s *settings, v bool) { s.tls.anyCertificate = v }),
	"tlsAllowInvalidHostnames":             flag(func(s *settings, v bool) { s.tls.anyHostname = v }),
	"tlsDisableOCSPEndpointCheck":          flag(func(s *settings, v bool) { s.SetDisableOCSPEndpointCheck(v) }),
	"tlsDisableCertificateRevocationCheck": flag(func(s *settings, v bool) { s.SetDisableCertificateRevocationCheck(v) }),
	"tlsCAFile":                            text(func(s *settings, v string) { s.tls.caFile = v }),
	"tlsCertificateKeyFile":                text(func(s *settings, v string) { s.tls.certificateKeyFile = v }),
	"tlsCertificateKeyFilePassword":        text(func(s *settings, v string) { s.tls.password = v }),
	"passphrase":                           text(func(s *settings, v string) { s.tls.password = v }),
	"servername":                           text(func(s *settings, v string) { s.tls.serverName = v }),
	"ca":                                   pemBlocks(func(s *settings, v []byte) { s.tls.ca = append(s.tls.ca, v...) }),
	"cert":                                 pemBlocks(func(s *settings, v []byte) { s.tls.cert = append(s.tls.cert, v...) }),
	"key":                                  pemBlocks(func(s *settings, v []byte) { s.tls.key = append(s.tls.key, v...) }),
}

func integer(set func(*settings, int64)) setter {
	return func(s *settings, v bsoncore.Value) error {
		n, ok := asInteger(v)
		if !ok {
			return fmt.Errorf("must be a whole number, not %s", v.Type)
		}
		set(s, n)
		return nil
	}
}

func count(set func(*settings, uint64)) setter {
	return func(s *settings, v bsoncore.Value) error {
		n, ok := asInteger(v)
		if !ok || n < 0 {
			return fmt.Errorf("must be a whole number of 0 or more")
		}
		set(s, uint64(n))
		return nil
	}
}

// maxMillis keeps milliseconds times a million inside an int64; it is 292 years.
const maxMillis = int64(1<<63-1) / int64(time.Millisecond)

func millis(set func(*settings, time.Duration)) setter {
	return func(s *settings, v bsoncore.Value) error {
		n, ok := asInteger(v)
		if !ok || n < 0 || n > maxMillis {
			return fmt.Errorf("must be a number of milliseconds of 0 or more")
		}
		set(s, time.Duration(n)*time.Millisecond)
		return nil
	}
}

func text(set func(*settings, string)) setter {
	return func(s *settings, v bsoncore.Value) error {
		str, ok := v.StringValueOK()
		if !ok {
			return fmt.Errorf("must be a string, not %s", v.Type)
		}
		set(s, str)
		return nil
	}
}

func flag(set func(*settings, bool)) setter {
	return func(s *settings, v bsoncore.Value) error {
		b, ok := v.BooleanOK()
		if !ok {
			return fmt.Errorf("must be true or false, not %s", v.Type)
		}
		set(s, b)
		return nil
	}
}

// asInteger accepts what a JavaScript number becomes in BSON, as long as it is whole.
func asInteger(v bsoncore.Value) (int64, bool) {
	if d, ok := v.DoubleOK(); ok {
		n := int64(d)
		return n, float64(n) == d
	}
	return v.AsInt64OK()
}
