package driver

import (
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo/address"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
)

type anyServer struct{ sawRTT bool }

func (a *anyServer) SelectServer(_ description.Topology, candidates []description.Server) ([]description.Server, error) {
	for _, c := range candidates {
		a.sawRTT = a.sawRTT || c.AverageRTTSet
	}
	return append([]description.Server(nil), candidates...), nil
}

func TestLatencyWindow(t *testing.T) {
	server := func(name string, rtt time.Duration) description.Server {
		return description.Server{Addr: address.Address(name), AverageRTT: rtt, AverageRTTSet: rtt > 0}
	}
	servers := []description.Server{server("a", 10*time.Millisecond), server("b", 60*time.Millisecond), server("c", 200*time.Millisecond)}
	for _, tc := range []struct {
		threshold time.Duration
		want      int
	}{{0, 1}, {50 * time.Millisecond, 2}, {time.Second, 3}} {
		inner := &anyServer{}
		got, err := latencyWindow{inner, tc.threshold}.SelectServer(description.Topology{}, servers)
		if err != nil || len(got) != tc.want {
			t.Errorf("%v: %d servers, %v", tc.threshold, len(got), err)
		}
		if inner.sawRTT {
			t.Error("the inner selector saw round trips and would apply its own window")
		}
		for _, s := range got {
			if !s.AverageRTTSet {
				t.Error("a selected server lost its round trip")
			}
		}
	}
	unknown := []description.Server{server("a", 0), server("b", 0)}
	if got, _ := (latencyWindow{&anyServer{}, 0}).SelectServer(description.Topology{}, unknown); len(got) != 2 {
		t.Errorf("%d of the servers without a known round trip", len(got))
	}
}

func TestParseReadPreference(t *testing.T) {
	data, err := bson.Marshal(bson.D{{Key: "v", Value: bson.D{{Key: "mode", Value: "secondaryPreferred"},
		{Key: "tags", Value: bson.A{bson.D{{Key: "dc", Value: "ny"}}, bson.D{}}}, {Key: "maxStalenessSeconds", Value: 120.0},
		{Key: "hedge", Value: bson.D{{Key: "enabled", Value: true}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	rp, err := parseReadPreference(bsoncore.Document(data).Lookup("v"))
	if err != nil {
		t.Fatal(err)
	}
	staleness, _ := rp.MaxStaleness()
	if rp.Mode() != readpref.SecondaryPreferredMode || staleness != 2*time.Minute || len(rp.TagSets()) != 2 ||
		rp.TagSets()[0][0].Value != "ny" || !*rp.HedgeEnabled() {
		t.Fatalf("%v", rp)
	}
}

func TestSettingsReachTheDriver(t *testing.T) {
	params, err := bson.Marshal(bson.D{{Key: "uri", Value: "mongodb://u:p@h1,h2/db?maxPoolSize=7&authSource=x&readPreference=nearest"},
		{Key: "options", Value: bson.D{
			{Key: "maxPoolSize", Value: 9}, {Key: "minPoolSize", Value: 2.0}, {Key: "maxConnecting", Value: int64(3)},
			{Key: "maxIdleTimeMS", Value: 1000}, {Key: "connectTimeoutMS", Value: 2000}, {Key: "heartbeatFrequencyMS", Value: 3000},
			{Key: "localThresholdMS", Value: 0}, {Key: "waitQueueTimeoutMS", Value: 4000}, {Key: "socketTimeoutMS", Value: 5000},
			{Key: "serverSelectionTimeoutMS", Value: 6000}, {Key: "replicaSet", Value: "rs"}, {Key: "appName", Value: "app"},
			{Key: "compressors", Value: bson.A{"zstd", "none"}}, {Key: "zlibCompressionLevel", Value: 4},
			{Key: "auth", Value: bson.D{{Key: "username", Value: "v"}, {Key: "password", Value: "q"}}},
			{Key: "authMechanism", Value: "SCRAM-SHA-256"}, {Key: "family", Value: 4},
			{Key: "serverApi", Value: bson.D{{Key: "version", Value: "1"}, {Key: "strict", Value: true}}},
			{Key: "readPreference", Value: "secondary"}, {Key: "retryReads", Value: nil}}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseSettings(params)
	if err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{
		"maxPoolSize":      *s.MaxPoolSize == 9,
		"minPoolSize":      *s.MinPoolSize == 2,
		"maxConnecting":    *s.MaxConnecting == 3,
		"maxIdleTimeMS":    *s.MaxConnIdleTime == time.Second,
		"connectTimeoutMS": *s.ConnectTimeout == 2*time.Second,
		"heartbeat":        *s.HeartbeatInterval == 3*time.Second,
		"localThreshold":   s.localThreshold == 0,
		"waitQueue":        s.waitQueueTimeout == 4*time.Second,
		"socketTimeout":    s.socketTimeout == 5*time.Second,
		"selection":        *s.ServerSelectionTimeout == 6*time.Second,
		"replicaSet":       *s.ReplicaSet == "rs",
		"appName":          *s.AppName == "app",
		"compressors":      len(s.Compressors) == 1 && s.Compressors[0] == "zstd",
		"auth":             s.Auth.Username == "v" && s.Auth.Password == "q" && s.Auth.AuthSource == "x" && s.Auth.AuthMechanism == "SCRAM-SHA-256",
		"family":           s.network == "tcp4",
		"serverApi":        s.ServerAPIOptions != nil && *s.ServerAPIOptions.Strict,
		"readPreference":   s.ReadPreference.Mode() == readpref.SecondaryMode,
		"hosts":            len(s.Hosts) == 2,
		"tls":              s.TLSConfig == nil,
	} {
		if !ok {
			t.Errorf("%s did not arrive", name)
		}
	}
}

func TestClosedServersAreForgotten(t *testing.T) {
	h := newHub(&settings{ClientOptions: options.Client()})
	for _, address := range []address.Address{"a:1", "b:1"} {
		h.seen.Store(address.String(), &sighting{})
	}
	h.topology().ServerClosed(&event.ServerClosedEvent{Address: "a:1"})
	h.see("a:1", &sighting{}) // the heartbeat that was under way
	var left []any
	h.seen.Range(func(address, _ any) bool {
		left = append(left, address)
		return true
	})
	if len(left) != 1 || left[0] != "b:1" {
		t.Errorf("the servers that are known after one is closed: %v", left)
	}
}
