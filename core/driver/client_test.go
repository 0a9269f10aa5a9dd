package driver_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest"
	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/tools/wirefixture/fixture"
)

func kindOf(err error) fault.Kind {
	if err == nil {
		return ""
	}
	return fault.From(err).Kind
}

func TestCommandGoesOnTheWireVerbatim(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Number(t, "c", 3)
	f.StartLog(t)
	body := bson.D{{Key: "count", Value: "c"}, {Key: "query", Value: bson.D{}}, {Key: "comment", Value: "x"}}
	if _, err := client.Run(context.Background(), coretest.Command(t, body)); err != nil {
		t.Fatal(err)
	}
	sent := f.Log(t, "count")
	if len(sent) != 1 {
		t.Fatalf("%d commands", len(sent))
	}
	mine := coretest.Marshal(t, body)
	if mine = mine[4 : len(mine)-1]; !bytes.HasPrefix(sent[0][4:], mine) {
		t.Fatalf("sent %s", sent[0])
	}
	elements, _ := sent[0].Elements()
	var added []string
	for _, e := range elements[3:] {
		added = append(added, e.Key())
	}
	if got := strings.Join(added, " "); got != "lsid $db" {
		t.Fatalf("the driver added %q", got)
	}
}

func TestDeploymentIsShared(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	before := driver.Deployments()
	a := coretest.Connect(t, f.URI(), nil)
	b := coretest.Connect(t, f.URI(), nil)
	c := coretest.Connect(t, f.URI(), bson.D{{Key: "maxPoolSize", Value: int32(3)}})
	if n := driver.Deployments() - before; n != 2 {
		t.Fatalf("%d deployments for two different configurations", n)
	}
	_ = a.Close(context.Background())
	_ = a.Close(context.Background()) // closing twice drops one reference
	if _, err := a.Run(context.Background(), coretest.Command(t, bson.D{{Key: "ping", Value: 1}})); kindOf(err) != fault.Closed {
		t.Fatalf("use after close: %v", err)
	}
	if _, err := b.Run(context.Background(), coretest.Command(t, bson.D{{Key: "ping", Value: 1}})); err != nil {
		t.Fatalf("the other client of the deployment: %v", err)
	}
	_ = b.Close(context.Background())
	_ = c.Close(context.Background())
	if n := driver.Deployments() - before; n != 0 {
		t.Fatalf("%d deployments are left", n)
	}
}

func TestConnectUnreachable(t *testing.T) {
	const address = "127.0.0.1:1"
	params := coretest.Params(t, "mongodb://"+address, bson.D{{Key: "serverSelectionTimeoutMS", Value: int32(200)}})
	start := time.Now()
	_, err := driver.Connect(context.Background(), params)
	if kindOf(err) != fault.ServerSelection {
		t.Fatalf("kind %q: %v", kindOf(err), err)
	}
	if message := fault.From(err).Message; !strings.Contains(message, address) || !strings.Contains(message, "refused") {
		t.Fatalf("message %q", message)
	}
	if took := time.Since(start); took < 150*time.Millisecond || took > 5*time.Second {
		t.Fatalf("took %v", took)
	}
	if driver.Deployments() != 0 {
		t.Fatal("a failed connect left its deployment behind")
	}
}

func TestConnectRefusesBadParams(t *testing.T) {
	ok := "mongodb://127.0.0.1:1/"
	for name, tc := range map[string]struct {
		uri     string
		options bson.D
		kind    fault.Kind
		says    string
	}{
		"no scheme":         {"127.0.0.1", nil, fault.Parse, "scheme"},
		"bad port":          {"mongodb://a:99999", nil, fault.Parse, "port"},
		"unknown option":    {ok, bson.D{{Key: "maxPoolsize", Value: 5}}, fault.InvalidArgument, "maxPoolsize"},
		"wrong type":        {ok, bson.D{{Key: "maxPoolSize", Value: "5"}}, fault.InvalidArgument, "maxPoolSize"},
		"negative":          {ok, bson.D{{Key: "connectTimeoutMS", Value: -1}}, fault.InvalidArgument, "connectTimeoutMS"},
		"fraction":          {ok, bson.D{{Key: "maxPoolSize", Value: 1.5}}, fault.InvalidArgument, "maxPoolSize"},
		"compressor":        {ok, bson.D{{Key: "compressors", Value: bson.A{"lz4"}}}, fault.InvalidArgument, "lz4"},
		"family":            {ok, bson.D{{Key: "family", Value: 5}}, fault.InvalidArgument, "family"},
		"CA without PEM":    {ok, bson.D{{Key: "tls", Value: true}, {Key: "ca", Value: "x"}}, fault.InvalidArgument, "ca"},
		"CA file missing":   {ok, bson.D{{Key: "tlsCAFile", Value: "/none"}}, fault.InvalidArgument, "tlsCAFile"},
		"contradiction":     {ok, bson.D{{Key: "minPoolSize", Value: 9}, {Key: "maxPoolSize", Value: 2}}, fault.InvalidArgument, "minPoolSize"},
		"unknown mechanism": {ok, bson.D{{Key: "authMechanism", Value: "NOPE"}, {Key: "auth", Value: bson.D{{Key: "username", Value: "u"}}}}, fault.InvalidArgument, "auth"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := driver.Connect(context.Background(), coretest.Params(t, tc.uri, tc.options))
			if kindOf(err) != tc.kind || !strings.Contains(fault.From(err).Message, tc.says) {
				t.Fatalf("kind %q: %v", kindOf(err), err)
			}
		})
	}
	for _, junk := range [][]byte{nil, {1}, {5, 0, 0, 0, 1}, {9, 0, 0, 0, 0}} {
		if _, err := driver.Connect(context.Background(), junk); kindOf(err) != fault.InvalidArgument {
			t.Errorf("params %v: %v", junk, err)
		}
	}
}

func TestParseCommandRefusesJunk(t *testing.T) {
	body := coretest.Marshal(t, bson.D{{Key: "ping", Value: 1}})
	db := bson.E{Key: "db", Value: "t"}
	for name, tc := range map[string]struct {
		body   []byte
		params bson.D
		says   string
	}{
		"no document":      {[]byte{1, 2, 3}, bson.D{db}, "command"},
		"truncated":        {body[:len(body)-1], bson.D{db}, "command"},
		"empty command":    {[]byte{5, 0, 0, 0, 0}, bson.D{db}, "command"},
		"no database":      {body, bson.D{}, "params.db"},
		"empty database":   {body, bson.D{{Key: "db", Value: ""}}, "params.db"},
		"retryReads":       {body, bson.D{db, {Key: "retryReads", Value: 1}}, "retryReads"},
		"read preference":  {body, bson.D{db, {Key: "readPreference", Value: bson.D{{Key: "mode", Value: "fastest"}}}}, "readPreference"},
		"primary and tags": {body, bson.D{db, {Key: "readPreference", Value: bson.D{{Key: "mode", Value: "primary"}, {Key: "tags", Value: bson.A{bson.D{{Key: "a", Value: "b"}}}}}}}, "readPreference"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := driver.ParseCommand(tc.body, coretest.Marshal(t, tc.params))
			if kindOf(err) != fault.InvalidArgument || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("%v", err)
			}
		})
	}
}

func TestServerErrorKeepsEverything(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Faults(t, bson.D{{Key: "command", Value: "ping"}, {Key: "action", Value: "error"}, {Key: "code", Value: 13},
		{Key: "codeName", Value: "Unauthorized"}, {Key: "errmsg", Value: "not allowed"}, {Key: "errorLabels", Value: bson.A{"L"}}})
	_, err := client.Run(context.Background(), coretest.Command(t, bson.D{{Key: "ping", Value: 1}}))
	got := fault.From(err)
	if got.Kind != fault.Server || got.Code != 13 || got.CodeName != "Unauthorized" || got.Message != "not allowed" ||
		len(got.Labels) != 1 || got.Labels[0] != "L" || !got.HasCode {
		t.Fatalf("%+v", got)
	}
	if code, _ := got.Raw.Lookup("code").AsInt64OK(); code != 13 {
		t.Fatalf("raw reply %s", got.Raw)
	}
}

func TestSessionsAreReused(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Number(t, "c", 3)
	f.StartLog(t)
	for range 3 {
		if _, err := client.Run(context.Background(), coretest.Command(t, bson.D{{Key: "count", Value: "c"}})); err != nil {
			t.Fatal(err)
		}
	}
	ids := map[string]bool{}
	for _, count := range f.Log(t, "count") {
		ids[count.Lookup("lsid").String()] = true
	}
	if len(ids) != 1 {
		t.Fatalf("%d sessions for reads one after the other", len(ids))
	}
}

func TestWrongPassword(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	f.Faults(t, bson.D{{Key: "command", Value: "saslStart"}, {Key: "action", Value: "error"}, {Key: "times", Value: -1},
		{Key: "code", Value: 18}, {Key: "codeName", Value: "AuthenticationFailed"}, {Key: "errmsg", Value: "Authentication failed."}})
	_, err := driver.Connect(context.Background(), coretest.Params(t, f.URI(), bson.D{
		{Key: "auth", Value: bson.D{{Key: "username", Value: "u"}, {Key: "password", Value: "p"}}},
		{Key: "serverSelectionTimeoutMS", Value: 20000}}))
	got := fault.From(err)
	if got == nil || got.Kind != fault.Server || got.Code != 18 || got.CodeName != "AuthenticationFailed" {
		t.Fatalf("%v: %+v", err, got)
	}
	if driver.Deployments() != 1 { // the fixture's control client
		t.Errorf("%d deployments", driver.Deployments())
	}
}

func TestRetry(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Number(t, "c", 3)
	find := bson.D{{Key: "find", Value: "c"}}
	for _, tc := range []struct {
		name   string
		faults int
		retry  bool
		kind   fault.Kind
		sent   int
	}{
		{"once", 1, true, "", 2},
		{"not twice", 2, true, fault.Network, 2},
		{"off", 1, false, fault.Network, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f.StartLog(t)
			f.Faults(t, bson.D{{Key: "command", Value: "find"}, {Key: "action", Value: "close"}, {Key: "times", Value: tc.faults}})
			cmd := coretest.Command(t, find)
			cmd.RetryReads = tc.retry
			_, err := client.Run(context.Background(), cmd)
			if kindOf(err) != tc.kind {
				t.Fatalf("kind %q: %v", kindOf(err), err)
			}
			if n := len(f.Log(t, "find")); n != tc.sent {
				t.Fatalf("%d commands were sent", n)
			}
		})
	}
}

func TestSocketTimeout(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), bson.D{{Key: "socketTimeoutMS", Value: int32(500)}})
	f.Faults(t, bson.D{{Key: "command", Value: "ping"}, {Key: "action", Value: "never"}, {Key: "times", Value: -1}})
	cmd := coretest.Command(t, bson.D{{Key: "ping", Value: 1}})
	cmd.RetryReads = false
	start := time.Now()
	_, err := client.Run(context.Background(), cmd)
	if kindOf(err) != fault.NetworkTimeout {
		t.Fatalf("kind %q: %v", kindOf(err), err)
	}
	if took := time.Since(start); took < 400*time.Millisecond || took > 20*time.Second {
		t.Fatalf("took %v", took)
	}
	f.Faults(t)
	if _, err := client.Run(context.Background(), cmd); err != nil {
		t.Fatalf("after a timeout: %v", err)
	}
	// Slow but not silent for that long: the limit is on silence, not on the whole reply.
	f.Faults(t, bson.D{{Key: "command", Value: "ping"}, {Key: "action", Value: "trickle"}, {Key: "bytes", Value: 4}, {Key: "everyMS", Value: 30}})
	if _, err := client.Run(context.Background(), cmd); err != nil {
		t.Fatalf("a slow reply: %v", err)
	}
}

func TestWaitQueue(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	ping := coretest.Command(t, bson.D{{Key: "ping", Value: 1}})
	slow := bson.D{{Key: "command", Value: "ping"}, {Key: "action", Value: "delay"}, {Key: "ms", Value: 2500}}
	pings := func() int64 {
		n, _ := f.Stats(t).Lookup("commands", "ping").AsInt64OK()
		return n
	}
	occupy := func(t *testing.T, client *driver.Client) (done chan error) {
		f.Faults(t, slow)
		before := pings()
		done = make(chan error, 1)
		go func() {
			_, err := client.Run(context.Background(), ping)
			done <- err
		}()
		for pings() == before {
			time.Sleep(time.Millisecond)
		}
		return done
	}
	t.Run("waits longer than server selection may take", func(t *testing.T) {
		client := coretest.Connect(t, f.URI(), bson.D{{Key: "maxPoolSize", Value: 1}, {Key: "serverSelectionTimeoutMS", Value: 1000}})
		done := occupy(t, client)
		if _, err := client.Run(context.Background(), ping); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
	t.Run("waitQueueTimeoutMS", func(t *testing.T) {
		client := coretest.Connect(t, f.URI(), bson.D{{Key: "maxPoolSize", Value: 1}, {Key: "waitQueueTimeoutMS", Value: 50}})
		done := occupy(t, client)
		_, err := client.Run(context.Background(), ping)
		if kindOf(err) != fault.WaitQueueTimeout || !strings.Contains(fault.From(err).Message, "connection pool") {
			t.Fatalf("kind %q: %v", kindOf(err), err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

func TestCancelEndsACommand(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Faults(t, bson.D{{Key: "command", Value: "ping"}, {Key: "action", Value: "never"}})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := client.Run(ctx, coretest.Command(t, bson.D{{Key: "ping", Value: 1}}))
	if kindOf(err) != fault.Cancelled {
		t.Fatalf("kind %q: %v", kindOf(err), err)
	}
	if !errors.Is(ctx.Err(), context.Canceled) {
		t.Fatal("returned before it was cancelled")
	}
}

func TestDriverMetadata(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	heard := make(chan []byte, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		buf := make([]byte, 4096)
		n, _ := conn.Read(buf)
		heard <- buf[:n]
	}()
	_, _ = driver.Connect(context.Background(), coretest.Params(t, "mongodb://"+listener.Addr().String(), bson.D{
		{Key: "serverSelectionTimeoutMS", Value: 200}, {Key: "appName", Value: "app"},
		{Key: "driverInfo", Value: bson.D{{Key: "name", Value: "wrapper"}, {Key: "version", Value: "9"}}}}))
	if hello := <-heard; !bytes.Contains(hello, []byte("mongo-go-driver|rumongo-go|wrapper\x00")) {
		t.Fatalf("the handshake does not name us: %q", hello)
	}
}
