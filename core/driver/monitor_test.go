package driver_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest"
	"rumongo-go/core/driver"
	"rumongo-go/tools/wirefixture/fixture"
)

const everything = 1<<(driver.HeartbeatFailed+1) - 1

func TestEventsEndWithTheirListener(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	f.Number(t, "c", 3)
	params := coretest.Params(t, f.URI(), bson.D{{Key: "maxPoolSize", Value: int32(7)}})
	find := coretest.Command(t, bson.D{{Key: "find", Value: "c"}})
	kept := coretest.Connect(t, f.URI(), bson.D{{Key: "maxPoolSize", Value: int32(7)}}) // the deployment outlives the others

	var clients sync.WaitGroup
	for range 8 {
		clients.Add(1)
		go func() {
			defer clients.Done()
			var stopped atomic.Bool
			var delivered, late atomic.Int64
			listener := driver.NewListener(everything, func(driver.Event) {
				delivered.Add(1)
				if stopped.Load() {
					late.Add(1)
				}
			})
			client, err := driver.ConnectListening(context.Background(), params, listener)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 20 {
				if i%5 == 3 {
					listener.Listen(0)
				} else {
					listener.Listen(everything)
				}
				if _, err := client.Run(driver.WithToken(context.Background(), uint64(i)), find); err != nil {
					t.Error(err)
				}
			}
			_ = client.Close(context.Background())
			stopped.Store(true)
			for range 10 {
				if _, err := kept.Run(context.Background(), find); err != nil {
					t.Error(err)
				}
			}
			if delivered.Load() == 0 || late.Load() > 0 {
				t.Errorf("%d events, %d of them after Close", delivered.Load(), late.Load())
			}
		}()
	}
	clients.Wait()
}

func TestNothingIsMadeForNobody(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	f.Number(t, "c", 3)
	find := coretest.Command(t, bson.D{{Key: "find", Value: "c"}})
	var kinds []driver.EventKind
	var mu sync.Mutex
	listener := driver.NewListener(0, func(e driver.Event) {
		mu.Lock()
		defer mu.Unlock()
		kinds = append(kinds, e.Kind)
	})
	client, err := driver.ConnectListening(context.Background(), coretest.Params(t, f.URI(), nil), listener)
	if err != nil {
		t.Fatal(err)
	}
	run := func(mask uint32) {
		listener.Listen(mask)
		if client.HearsCommands() != (mask&(1<<driver.CommandStarted|1<<driver.CommandFailed) != 0) {
			t.Error("HearsCommands")
		}
		if _, err := client.Run(context.Background(), find); err != nil {
			t.Fatal(err)
		}
	}
	run(0)
	run(1 << driver.CommandStarted)
	run(1 << driver.CommandFailed)
	run(1 << driver.CheckedIn)
	listener.Listen(0)
	_ = client.Close(context.Background())
	if len(kinds) != 2 || kinds[0] != driver.CommandStarted || kinds[1] != driver.CheckedIn {
		t.Fatalf("events %v", kinds)
	}
}
