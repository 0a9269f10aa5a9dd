// Package coretest is what the core's tests share: a wire fixture, clients of it, and its controls.
package coretest

import (
	"context"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/driver"
	"rumongo-go/tools/wirefixture/fixture"
)

// Fixture is a running wire fixture with a client for its controls.
type Fixture struct {
	*fixture.Server
	control *driver.Client
}

// Start runs a fixture until the test ends.
func Start(t testing.TB, o fixture.Options) *Fixture {
	t.Helper()
	server, err := fixture.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	f := &Fixture{Server: server}
	if o.TLS == nil {
		// appName keeps its deployment apart from those of the test.
		f.control = Connect(t, server.URI(), bson.D{{Key: "appName", Value: "fixture-control"}})
	}
	return f
}

// Marshal is bson.Marshal for values that cannot fail.
func Marshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := bson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Params builds the parameters of connect.
func Params(t testing.TB, uri string, options bson.D) []byte {
	t.Helper()
	if options == nil {
		options = bson.D{}
	}
	return Marshal(t, bson.D{{Key: "uri", Value: uri}, {Key: "options", Value: options}})
}

// Connect opens a client until the test ends.
func Connect(t testing.TB, uri string, options bson.D) *driver.Client {
	t.Helper()
	client, err := driver.Connect(context.Background(), Params(t, uri, options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	return client
}

// Command makes a command on database "t".
func Command(t testing.TB, body bson.D) driver.Command {
	t.Helper()
	cmd, err := driver.ParseCommand(Marshal(t, body), Marshal(t, bson.D{{Key: "db", Value: "t"}}))
	if err != nil {
		t.Fatal(err)
	}
	return cmd
}

func (f *Fixture) run(t testing.TB, body bson.D) bson.Raw {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	reply, err := f.control.Run(ctx, Command(t, body))
	if err != nil {
		t.Fatal(err)
	}
	return bson.Raw(reply)
}

// Load generates count documents of a named set into t.<collection>.
func (f *Fixture) Load(t testing.TB, collection, set string, count int) {
	t.Helper()
	f.run(t, bson.D{{Key: "fixtureLoad", Value: set}, {Key: "into", Value: "t." + collection}, {Key: "count", Value: count}})
}

// Put stores documents as they are, malformed or not, into t.<collection>.
func (f *Fixture) Put(t testing.TB, collection string, documents ...[]byte) {
	t.Helper()
	list := bson.A{}
	for _, d := range documents {
		list = append(list, bson.Binary{Data: d})
	}
	f.run(t, bson.D{{Key: "fixtureLoad", Value: "raw"}, {Key: "into", Value: "t." + collection}, {Key: "documents", Value: list}})
}

// Number stores count documents {_id: i} into t.<collection>.
func (f *Fixture) Number(t testing.TB, collection string, count int) {
	t.Helper()
	var documents [][]byte
	for i := range count {
		documents = append(documents, Marshal(t, bson.D{{Key: "_id", Value: int32(i)}}))
	}
	f.Put(t, collection, documents...)
}

// Faults replaces the fixture's fault script.
func (f *Fixture) Faults(t testing.TB, faults ...bson.D) {
	t.Helper()
	list := bson.A{}
	for _, fault := range faults {
		list = append(list, fault)
	}
	f.run(t, bson.D{{Key: "fixtureControl", Value: bson.D{{Key: "faults", Value: list}}}})
}

// StartLog begins a new log of commands.
func (f *Fixture) StartLog(t testing.TB) {
	t.Helper()
	f.run(t, bson.D{{Key: "fixtureControl", Value: bson.D{{Key: "log", Value: true}}}})
}

// Log returns the commands received since StartLog with one of these names.
func (f *Fixture) Log(t testing.TB, names ...string) []bsoncore.Document {
	t.Helper()
	var reply struct {
		Commands []struct {
			Name    string
			Command []byte
		}
	}
	if err := bson.Unmarshal(f.run(t, bson.D{{Key: "fixtureLog", Value: 1}}), &reply); err != nil {
		t.Fatal(err)
	}
	var out []bsoncore.Document
	for _, c := range reply.Commands {
		for _, name := range names {
			if c.Name == name {
				out = append(out, c.Command)
			}
		}
	}
	return out
}

// Stats returns the fixture's counters.
func (f *Fixture) Stats(t testing.TB) bson.Raw {
	t.Helper()
	return f.run(t, bson.D{{Key: "fixtureStats", Value: 1}})
}
