package driver_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest"
	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/tools/wirefixture/fixture"
)

// drain reads a cursor to its end and returns the number of documents of each batch.
func drain(t *testing.T, cursor *driver.Cursor) (counts []int) {
	t.Helper()
	for {
		counts = append(counts, documents(t, cursor.Batch()))
		if !cursor.Live() {
			return counts
		}
		if err := cursor.Next(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

func documents(t *testing.T, elements []byte) int {
	t.Helper()
	array := append(append([]byte{0, 0, 0, 0}, elements...), 0)
	n := len(array)
	array[0], array[1], array[2], array[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	values, err := bson.RawArray(array).Values()
	if err != nil {
		t.Fatal(err)
	}
	return len(values)
}

func TestCursorCommands(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Number(t, "c", 20)
	for _, tc := range []struct {
		name     string
		find     bson.D
		params   driver.CursorParams
		counts   []int
		getMores []any // batchSize of each, nil: none sent
		kills    int
	}{
		{
			name:   "limit is not over-read",
			find:   bson.D{{Key: "limit", Value: 5}, {Key: "batchSize", Value: 2}},
			params: driver.CursorParams{BatchSize: 2, Limit: 5, HasLimit: true},
			counts: []int{2, 2, 1}, getMores: []any{int32(2), int32(1)},
		},
		{
			name: "the server decides the batch size", find: bson.D{{Key: "batchSize", Value: 8}},
			counts: []int{8, 12}, getMores: []any{nil},
		},
		{
			name: "batchSize 0 is for the first reply only", find: bson.D{{Key: "batchSize", Value: 0}},
			params: driver.CursorParams{BatchSize: 0},
			counts: []int{0, 20}, getMores: []any{nil},
		},
		{
			name:   "a limit the server ignores ends with killCursors",
			find:   bson.D{{Key: "batchSize", Value: 4}},
			params: driver.CursorParams{BatchSize: 4, Limit: 8, HasLimit: true},
			counts: []int{4, 4}, getMores: []any{int32(4)}, kills: 1,
		},
		{name: "all at once", find: bson.D{}, counts: []int{20}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f.StartLog(t)
			cmd := coretest.Command(t, append(bson.D{{Key: "find", Value: "c"}}, tc.find...))
			cursor, err := client.Find(context.Background(), cmd, tc.params)
			if err != nil {
				t.Fatal(err)
			}
			if counts := drain(t, cursor); !slices.Equal(counts, tc.counts) {
				t.Errorf("batches of %v documents, want %v", counts, tc.counts)
			}
			cursor.Close(context.Background(), nil)
			var sizes []any
			log := f.Log(t, "getMore", "killCursors")
			for _, getMore := range log {
				if _, err := getMore.LookupErr("getMore"); err != nil {
					continue
				}
				if size, ok := getMore.Lookup("batchSize").Int32OK(); ok {
					sizes = append(sizes, size)
				} else {
					sizes = append(sizes, nil)
				}
			}
			if !slices.Equal(sizes, tc.getMores) {
				t.Errorf("getMore batch sizes %v, want %v", sizes, tc.getMores)
			}
			if n := len(log) - len(sizes); n != tc.kills {
				t.Errorf("%d killCursors, want %d", n, tc.kills)
			}
		})
	}
}

func TestCursorComment(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Number(t, "c", 20)
	params, err := driver.ParseCursorParams(coretest.Marshal(t, bson.D{
		{Key: "batchSize", Value: 15}, {Key: "comment", Value: bson.D{{Key: "why", Value: "test"}}}}))
	if err != nil {
		t.Fatal(err)
	}
	f.StartLog(t)
	cursor, err := client.Find(context.Background(),
		coretest.Command(t, bson.D{{Key: "find", Value: "c"}, {Key: "batchSize", Value: 15}}), params)
	if err != nil {
		t.Fatal(err)
	}
	drain(t, cursor)
	cursor.Close(context.Background(), nil)
	getMores := f.Log(t, "getMore")
	if len(getMores) != 1 || getMores[0].Lookup("comment", "why").StringValue() != "test" {
		t.Fatalf("getMores %v", getMores)
	}
}

func TestEmptyLiveBatchContinues(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Number(t, "c", 20)
	f.Faults(t, bson.D{{Key: "command", Value: "getMore"}, {Key: "action", Value: "empty"}, {Key: "times", Value: 2}})
	cursor, err := client.Find(context.Background(),
		coretest.Command(t, bson.D{{Key: "find", Value: "c"}, {Key: "batchSize", Value: 5}}), driver.CursorParams{BatchSize: 5})
	if err != nil {
		t.Fatal(err)
	}
	if counts := drain(t, cursor); !slices.Equal(counts, []int{5, 0, 0, 5, 5, 5, 0}) {
		t.Fatalf("batches of %v documents", counts)
	}
	cursor.Close(context.Background(), nil)
}

// The core parses a batch while the next one is on the wire, straight from the reply's memory.
func TestBatchBytesOutliveTheNextFetch(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	f.Load(t, "c", "mixed45", 2000)
	for _, compressor := range []string{"none", "snappy", "zlib", "zstd"} {
		t.Run(compressor, func(t *testing.T) {
			client := coretest.Connect(t, f.URI(), bson.D{{Key: "compressors", Value: bson.A{compressor}}})
			cursor, err := client.Find(context.Background(),
				coretest.Command(t, bson.D{{Key: "find", Value: "c"}, {Key: "batchSize", Value: 200}}), driver.CursorParams{BatchSize: 200})
			if err != nil {
				t.Fatal(err)
			}
			var batches, copies [][]byte
			for {
				batches = append(batches, cursor.Batch())
				copies = append(copies, bytes.Clone(cursor.Batch()))
				if !cursor.Live() {
					break
				}
				if err := cursor.Next(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			cursor.Close(context.Background(), nil)
			if len(batches) < 10 {
				t.Fatalf("%d batches", len(batches))
			}
			for i := range batches {
				if !bytes.Equal(batches[i], copies[i]) {
					t.Fatalf("batch %d changed after it was fetched", i)
				}
			}
		})
	}
}

// A batch that is done with makes room for another one, and what it held is seen nowhere.
func TestMemoryOfBatchesIsUsedAgain(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	f.Load(t, "c", "mixed45", 2000)
	client := coretest.Connect(t, f.URI(), nil)
	read := func(reuse bool) (batches [][]byte, used map[*byte]int) {
		cursor, err := client.Find(context.Background(),
			coretest.Command(t, bson.D{{Key: "find", Value: "c"}, {Key: "batchSize", Value: 200}}), driver.CursorParams{BatchSize: 200})
		if err != nil {
			t.Fatal(err)
		}
		defer cursor.Close(context.Background(), nil)
		used = map[*byte]int{}
		for {
			batches = append(batches, bytes.Clone(cursor.Batch()))
			memory := cursor.TakeMemory()
			if len(memory) < len(cursor.Batch()) {
				t.Fatalf("%d bytes hold a batch of %d", len(memory), len(cursor.Batch()))
			}
			used[&memory[0]]++
			if cursor.TakeMemory() != nil {
				t.Error("memory taken twice")
			}
			if reuse {
				clear(memory)
				driver.Reuse(memory)
			}
			if !cursor.Live() {
				return batches, used
			}
			if err := cursor.Next(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, kept := read(false)
	if len(kept) != len(want) {
		t.Fatalf("%d batches in %d places although none was given back", len(want), len(kept))
	}
	got, used := read(true)
	if !slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("the batches differ")
	}
	// The last one is empty and small.
	if len(used) > 2 {
		t.Errorf("%d batches in %d places", len(got), len(used))
	}
}

func TestCursorFailures(t *testing.T) {
	f := coretest.Start(t, fixture.Options{})
	client := coretest.Connect(t, f.URI(), nil)
	f.Number(t, "c", 20)
	for _, tc := range []struct {
		action bson.D
		kind   fault.Kind
		code   int32
		kills  int
	}{
		{bson.D{{Key: "action", Value: "error"}, {Key: "code", Value: 43}, {Key: "codeName", Value: "CursorNotFound"}}, fault.Server, 43, 0},
		{bson.D{{Key: "action", Value: "error"}, {Key: "code", Value: 8}, {Key: "keepCursor", Value: true}}, fault.Server, 8, 1},
		{bson.D{{Key: "action", Value: "close"}, {Key: "keepCursor", Value: true}}, fault.Network, 0, 1},
		{bson.D{{Key: "action", Value: "half"}}, fault.Network, 0, 1},
		{bson.D{{Key: "action", Value: "length"}, {Key: "length", Value: 1 << 30}}, fault.Parse, 0, 1},
	} {
		t.Run(fmt.Sprint(tc.action), func(t *testing.T) {
			f.Faults(t, append(bson.D{{Key: "command", Value: "getMore"}}, tc.action...))
			f.StartLog(t)
			cursor, err := client.Find(context.Background(),
				coretest.Command(t, bson.D{{Key: "find", Value: "c"}, {Key: "batchSize", Value: 5}}), driver.CursorParams{})
			if err != nil {
				t.Fatal(err)
			}
			err = cursor.Next(context.Background())
			if got := fault.From(err); kindOf(err) != tc.kind || got.Code != tc.code {
				t.Fatalf("%+v", got)
			}
			cursor.Close(context.Background(), err)
			log := f.Log(t, "getMore", "killCursors")
			if getMores := len(log) - tc.kills; getMores != 1 {
				t.Fatalf("%d commands after find: getMore must not be retried, %d killCursors expected: %v", len(log), tc.kills, log)
			}
		})
	}
}

// Behind a load balancer a cursor keeps its connection: here the only one there may be.
func TestRefusedFirstBatchLetsGo(t *testing.T) {
	f := coretest.Start(t, fixture.Options{Topology: fixture.LoadBalancer})
	client := coretest.Connect(t, f.URI(), bson.D{{Key: "maxPoolSize", Value: 1}, {Key: "waitQueueTimeoutMS", Value: 2000}})
	f.Faults(t, bson.D{{Key: "command", Value: "find"}, {Key: "action", Value: "reply"}, {Key: "reply", Value: bson.D{
		{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{{Key: "id", Value: int64(7)}, {Key: "ns", Value: "t.c"}}}}}})
	f.StartLog(t)
	_, err := client.Find(context.Background(), coretest.Command(t, bson.D{{Key: "find", Value: "c"}}), driver.CursorParams{})
	if kindOf(err) != fault.UnexpectedReply {
		t.Fatal(err)
	}
	if killed := f.Log(t, "killCursors"); len(killed) != 1 {
		t.Errorf("the server's cursor is open: %v", killed)
	}
	if _, err := client.Run(context.Background(), coretest.Command(t, bson.D{{Key: "ping", Value: 1}})); err != nil {
		t.Errorf("the connection is not free: %v", err)
	}
}
