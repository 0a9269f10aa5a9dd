// Command drain is the floor of the benchmarks: the Go driver on which the core is built reads what the readers read,
// and decodes nothing. The benchmark's parent talks to it as it does to its other children, by lines of JSON over Node's
// channel (NODE_CHANNEL_FD).
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type message struct {
	Task       string     `json:"task"`
	Parameters parameters `json:"parameters"`
}

type parameters struct {
	URI        string `json:"uri"`
	Database   string `json:"database"`
	Collection string `json:"collection"`
	Work       work   `json:"work"`
	Expected   []struct {
		Bytes []byte `json:"bytes"`
	} `json:"expected"`
}

type work struct {
	Kind       string `json:"kind"`
	Concurrent int    `json:"concurrent"`
	Count      int    `json:"count"`
	InFlight   int    `json:"inFlight"`
	By         string `json:"by"`
	Options    struct {
		BatchSize  int32          `json:"batchSize"`
		Limit      int64          `json:"limit"`
		Projection map[string]int `json:"projection"`
	} `json:"options"`
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "drain:", err)
		os.Exit(1)
	}
}

// serve answers one task after the other until the parent says end or goes away.
func serve() error {
	fd, err := strconv.Atoi(os.Getenv("NODE_CHANNEL_FD"))
	if err != nil {
		return errors.New("started by bench/suite.js, not by hand")
	}
	channel := os.NewFile(uintptr(fd), "channel")
	out := json.NewEncoder(channel)
	in := bufio.NewReader(channel)
	var t trial
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return err
		}
		if m.Task == "end" {
			return nil
		}
		answer := map[string]any{}
		if value, err := t.do(m); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["value"] = value
		}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
}

type trial struct {
	parameters
	client *mongo.Client
	coll   *mongo.Collection
	keys   []bson.RawValue
}

func (t *trial) do(m message) (any, error) {
	ctx := context.Background()
	switch m.Task {
	case "open":
		t.parameters = m.Parameters
		if t.Work.By == "" {
			t.Work.By = "_id"
		}
		for _, e := range t.Expected {
			t.keys = append(t.keys, bson.Raw(e.Bytes).Lookup(t.Work.By))
		}
		return "open", t.connect(ctx)
	case "run":
		return t.measured(ctx)
	case "check":
		n, err := t.work(ctx)
		return map[string]any{"documents": n}, err
	}
	return nil, fmt.Errorf("unknown task '%s'", m.Task)
}

func (t *trial) connect(ctx context.Context) (err error) {
	if t.client, err = mongo.Connect(options.Client().ApplyURI(t.URI)); err != nil {
		return err
	}
	t.coll = t.client.Database(t.Database).Collection(t.Collection)
	return t.client.Ping(ctx, nil)
}

func (t *trial) measured(ctx context.Context) (any, error) {
	before := cpu()
	begin := time.Now()
	n, err := t.work(ctx)
	wall := time.Since(begin)
	return map[string]any{
		"documents": n,
		"wallMs":    float64(wall.Nanoseconds()) / 1e6,
		"cpuMs":     float64((cpu() - before).Nanoseconds()) / 1e6,
	}, err
}

func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (t *trial) work(ctx context.Context) (int, error) {
	switch t.Work.Kind {
	case "all":
		return t.together(max(t.Work.Concurrent, 1), func(int) (int, error) { return t.drain(ctx) })
	case "point":
		var next atomic.Int64
		return t.together(t.Work.InFlight, func(int) (n int, err error) {
			for {
				i := int(next.Add(1)) - 1
				if i >= t.Work.Count {
					return n, nil
				}
				if _, err := t.coll.FindOne(ctx, bson.D{{Key: t.Work.By, Value: t.keys[i%len(t.keys)]}}).Raw(); err != nil {
					return n, err
				}
				n++
			}
		})
	}
	return 0, fmt.Errorf("unknown work '%s'", t.Work.Kind)
}

// together adds up what n goroutines did.
func (t *trial) together(n int, do func(int) (int, error)) (int, error) {
	var wg sync.WaitGroup
	var total atomic.Int64
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() {
			done, err := do(i)
			total.Add(int64(done))
			errs[i] = err
		})
	}
	wg.Wait()
	return int(total.Load()), errors.Join(errs...)
}

// drain walks a cursor to its end.
func (t *trial) drain(ctx context.Context) (n int, err error) {
	w := t.Work.Options
	o := options.Find().SetLimit(w.Limit)
	if w.BatchSize > 0 {
		o.SetBatchSize(w.BatchSize)
	}
	if len(w.Projection) > 0 {
		// Always in the same order, so that the server knows it again.
		var fields bson.D
		for _, key := range slices.Sorted(maps.Keys(w.Projection)) {
			fields = append(fields, bson.E{Key: key, Value: 1})
		}
		o.SetProjection(fields)
	}
	cursor, err := t.coll.Find(ctx, bson.D{}, o)
	if err != nil {
		return 0, err
	}
	defer cursor.Close(ctx)
	for cursor.Next(ctx) {
		n++
	}
	return n, cursor.Err()
}
