package driver

import (
	"errors"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/session"
)

func mustMarshal(t *testing.T, v any) []byte {
	t.Helper()
	data, err := bson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// testRequest is {ping: 1} with a session, as a client with these settings would send it.
func testRequest(s *settings, pref *ReadPreference) *request {
	d := &deployment{settings: s, clock: new(session.ClusterClock), sessions: session.NewPool(nil)}
	return &request{
		deployment: d,
		db:         "t",
		elements:   bsoncore.AppendInt32Element(nil, "ping", 1),
		readPref:   pref,
		session:    session.NewImplicitClientSession(d.sessions, d.clientID),
	}
}

func selected(kind description.ServerKind) description.SelectedServer {
	minutes := int64(30)
	return description.SelectedServer{Server: description.Server{
		Kind: kind, WireVersion: &description.VersionRange{Max: 21}, SessionTimeoutMinutes: &minutes,
	}}
}

func document(elements []byte) bsoncore.Document { return bsoncore.BuildDocument(nil, elements) }

func keys(t *testing.T, elements []byte) string {
	t.Helper()
	list, err := document(elements).Elements()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Key())
	}
	return strings.Join(names, " ")
}

func clusterTime(t *testing.T, seconds uint32) bson.Raw {
	return mustMarshal(t, bson.D{{Key: "$clusterTime", Value: bson.D{{Key: "clusterTime", Value: bson.Timestamp{T: seconds}}}}})
}

func TestMessageHasTheOfficialOrder(t *testing.T) {
	strict := true
	pref, err := newReadPreference(bsoncore.Document(mustMarshal(t, bson.D{{Key: "v", Value: bson.D{{Key: "mode", Value: "nearest"}}}})).Lookup("v"))
	if err != nil {
		t.Fatal(err)
	}
	r := testRequest(&settings{ClientOptions: options.Client()}, pref)
	r.deployment.serverAPI = &driver.ServerAPIOptions{ServerAPIVersion: "1", Strict: &strict, DeprecationErrors: &strict}
	r.heard.AdvanceClusterTime(clusterTime(t, 7))
	message, err := r.append(nil, selected(description.ServerKindRSPrimary))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := keys(t, message), "ping apiVersion apiStrict apiDeprecationErrors lsid $clusterTime $readPreference"; got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	if r.heard.GetClusterTime() != nil {
		t.Error("the operation would append a cluster time of its own")
	}
	if r.session.Dirty {
		t.Error("the session is dirty after one attempt")
	}
	r.heard.AdvanceClusterTime(clusterTime(t, 9))
	again, err := r.append(nil, selected(description.ServerKindRSPrimary))
	if err != nil {
		t.Fatal(err)
	}
	seconds, _ := document(again).Lookup("$clusterTime", "clusterTime").Timestamp()
	if seconds != 9 || keys(t, again) != keys(t, message) {
		t.Errorf("second attempt: %s, cluster time %d", keys(t, again), seconds)
	}
	if !r.session.Dirty {
		t.Error("a session whose first attempt failed is used again")
	}
}

func TestReadPreferenceByServer(t *testing.T) {
	direct, not := &settings{ClientOptions: options.Client().SetDirect(true)}, &settings{ClientOptions: options.Client()}
	given := bsoncore.Document(mustMarshal(t, bson.D{{Key: "mode", Value: "secondary"}, {Key: "tags", Value: bson.A{}}, {Key: "maxStalenessSeconds", Value: 120.0}}))
	pref, err := newReadPreference(bsoncore.Value{Type: bsoncore.TypeEmbeddedDocument, Data: given})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name     string
		kind     description.ServerKind
		settings *settings
		pref     *ReadPreference
		want     bsoncore.Document
	}{
		{"a standalone never gets one", description.ServerKindStandalone, direct, pref, nil},
		{"primary", description.ServerKindRSPrimary, not, nil, nil},
		{"primary, said", description.ServerKindRSPrimary, not, primary(), nil},
		{"primary to one member", description.ServerKindRSSecondary, direct, nil, primaryPreferred},
		{"primary, said, to one member", description.ServerKindRSPrimary, direct, primary(), primaryPreferred},
		{"primary to one mongos", description.ServerKindMongos, direct, nil, nil},
		{"primary to a load balancer", description.ServerKindLoadBalancer, direct, nil, nil},
		{"another, as given", description.ServerKindRSSecondary, not, pref, given},
		{"another to one member", description.ServerKindRSSecondary, direct, pref, given},
		{"another to a mongos", description.ServerKindMongos, not, pref, given},
		{"another to a load balancer", description.ServerKindLoadBalancer, not, pref, given},
	} {
		message, err := testRequest(tc.settings, tc.pref).append(nil, selected(tc.kind))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := document(message).Lookup("$readPreference").DocumentOK()
		if string(got) != string(tc.want) {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

func TestNoSessionWhereTheServerHasNone(t *testing.T) {
	r := testRequest(&settings{ClientOptions: options.Client()}, nil)
	server := selected(description.ServerKindStandalone)
	server.SessionTimeoutMinutes = nil
	message, err := r.append(nil, server)
	if err != nil || keys(t, message) != "ping" {
		t.Fatalf("%s, %v", keys(t, message), err)
	}
	if r.session.Server != nil {
		t.Error("a server session was taken")
	}
}

func TestNetworkErrorsAreRecognised(t *testing.T) {
	failed := driver.Error{Labels: []string{driver.NetworkError}}
	for err, want := range map[error]bool{nil: false, errors.New("x"): false, error(&wrapped{failed}): true, error(&wrapped{driver.Error{}}): false} {
		if isNetworkError(err) != want {
			t.Errorf("%v: %v", err, !want)
		}
	}
}

type wrapped struct{ error }

func (w *wrapped) Unwrap() error { return w.error }

// The official driver counts down to a limit. Where that is 0 it counts from it, and so asks for as many as there have
// been; a batch size of 0 it repeats for ever, which is not copied.
func TestBatchSizeOfAGetMore(t *testing.T) {
	for _, tc := range []struct {
		params   CursorParams
		returned float64
		want     float64
	}{
		{CursorParams{}, 5, 0},
		{CursorParams{BatchSize: 4}, 5, 4},
		{CursorParams{BatchSize: -4}, 5, 4},
		{CursorParams{BatchSize: 2.5}, 5, 2.5},
		{CursorParams{BatchSize: 4, Limit: 10, HasLimit: true}, 4, 4},
		{CursorParams{BatchSize: 4, Limit: 10, HasLimit: true}, 8, 2},
		{CursorParams{BatchSize: 4, HasLimit: true}, 4, 4},
		{CursorParams{BatchSize: 4, HasLimit: true}, 8, 8},
		{CursorParams{BatchSize: 4, HasLimit: true}, 0, 4},
		{CursorParams{BatchSize: 4, Limit: -3, HasLimit: true}, 2, 5},
		{CursorParams{HasLimit: true}, 8, 0},
	} {
		if got := tc.params.batchSize(tc.returned); got != tc.want {
			t.Errorf("%+v after %v: %v, want %v", tc.params, tc.returned, got, tc.want)
		}
	}
	for n, want := range map[float64]bsoncore.Type{1: bsoncore.TypeInt32, 2147483647: bsoncore.TypeInt32, 2147483648: bsoncore.TypeDouble, 2.5: bsoncore.TypeDouble} {
		if got := document(appendNumber(nil, "n", n)).Lookup("n").Type; got != want {
			t.Errorf("%v is a %s", n, got)
		}
	}
}
