package driver_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest"
	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/tools/wirefixture/fixture"
)

// Each pooled connection has its short way, and nothing of it is left behind.
func TestShortWayEndsWithItsConnection(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	f.Number(t, "c", 1) // opens the connection that the fixture is steered by
	before := driver.Links()
	client := coretest.Connect(t, f.URI(), nil)
	ping := coretest.Command(t, bson.D{{Key: "ping", Value: 1}})
	if n := driver.Links() - before; n != 1 {
		t.Fatalf("%d linked connections after connect, which opens one", n)
	}
	if _, err := client.Run(context.Background(), ping); err != nil {
		t.Fatal(err)
	}
	f.Faults(t, bson.D{{Key: "command", Value: "ping"}, {Key: "action", Value: "never"}})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := client.Run(ctx, ping); kindOf(err) != fault.Cancelled {
		t.Fatalf("kind %q: %v", kindOf(err), err)
	}
	if n := driver.Links() - before; n != 0 {
		t.Fatalf("%d linked connections after the only one was closed", n)
	}
	if _, err := client.Run(context.Background(), ping); err != nil {
		t.Fatalf("on the next connection: %v", err)
	}
	_ = client.Close(context.Background())
	if n := driver.Links() - before; n != 0 {
		t.Fatalf("%d linked connections after close", n)
	}
}

// What goes wrong on the short way is the driver's to say: the error is its own.
func TestFailuresOnTheShortWayAreTheDrivers(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	f.Number(t, "c", 100)
	client := coretest.Connect(t, f.URI(), nil)
	find := coretest.Command(t, bson.D{{Key: "find", Value: "c"}})
	find.RetryReads = false
	for action, says := range map[string]string{
		"close": "incomplete read of message header",
		"half":  "incomplete read of full message",
	} {
		f.Faults(t, bson.D{{Key: "command", Value: "find"}, {Key: "action", Value: action}})
		_, err := client.Run(context.Background(), find)
		if kindOf(err) != fault.Network || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: kind %q: %v", action, kindOf(err), err)
		}
		if _, err := client.Run(context.Background(), coretest.Command(t, bson.D{{Key: "ping", Value: 1}})); err != nil {
			t.Errorf("after %s: %v", action, err)
		}
	}
}
