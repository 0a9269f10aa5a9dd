package fetch_test

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/columns"
	"rumongo-go/core/coretest"
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// rowsOf counts the rows of each chunk, and drops it.
type rowsOf struct {
	*collector
	rows []int
}

func (x *rowsOf) Chunk(chunk fetch.Chunk) {
	data := chunk.Inline
	if chunk.Block.Ref != nil {
		data = chunk.Block.Data
	}
	x.rows = append(x.rows, int(binary.NativeEndian.Uint32(data[4:])))
	if chunk.Block.Ref != nil {
		x.Drop(chunk.Block)
	}
	x.window.Ack(int64(len(data)))
	if chunk.Last {
		x.End(nil)
	}
}

func (r *rig) runColumns(t *testing.T, p fetch.ColumnsParams, schema *columns.Schema, command bson.D) *rowsOf {
	t.Helper()
	window := fetch.NewWindow(0)
	x := &rowsOf{collector: newCollector(t, window)}
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	params := fetch.Params{Kind: fetch.Columns}
	if schema.Infer {
		params.Inspect = schema.Inspect
	}
	encoders := fetch.NewEncoders(fetch.Columns, func() fetch.Encoder { return columns.NewEncoder(schema) })
	out := fetch.NewColumns(p, columns.NewJoiner(schema), window, stop, x)
	fetch.Find(ctx, r.client, coretest.Command(t, command), params, encoders, window, out)
	x.settled()
	if used := window.Used(); used != 0 {
		t.Errorf("%d bytes are still charged", used)
	}
	return x
}

func TestColumns(t *testing.T) {
	r := newRig(t)
	for _, size := range []int{7, 500} {
		for _, batch := range []int{0, 1, 100, 999, 3000, 5000} {
			for _, infer := range []bool{false, true} {
				schema := &columns.Schema{Infer: infer}
				if !infer {
					schema.Columns = []columns.Column{{Path: "_id", Type: columns.Int32}}
				}
				x := r.runColumns(t, fetch.ColumnsParams{BatchRows: batch, MaxBytes: 1 << 30}, schema, find("large", bson.E{Key: "batchSize", Value: size}))
				if x.fault != nil {
					t.Fatal(x.fault)
				}
				left := 3000
				for _, rows := range x.rows {
					if want := min(left, batch); batch > 0 && rows != want {
						t.Errorf("%d rows instead of %d", rows, want)
					}
					left -= rows
				}
				if left != 0 || batch == 0 && len(x.rows) != 1 {
					t.Errorf("batches of %d: %v", batch, x.rows)
				}
			}
		}
	}
}

func TestColumnsThatEndEarly(t *testing.T) {
	r := newRig(t)
	ids := &columns.Schema{Columns: []columns.Column{{Path: "_id", Type: columns.Int32}}}
	x := r.runColumns(t, fetch.ColumnsParams{MaxBytes: 5000}, ids, find("large", bson.E{Key: "batchSize", Value: 50}))
	if x.fault == nil || x.fault.Kind != fault.InvalidArgument || !strings.Contains(x.fault.Message, "maxBytes") || len(x.rows) != 0 {
		t.Error(x.fault, x.rows)
	}
	strict := &columns.Schema{Strict: true, Columns: []columns.Column{{Path: "_id", Type: columns.UTF8}}}
	x = r.runColumns(t, fetch.ColumnsParams{BatchRows: 10}, strict, find("large", bson.E{Key: "batchSize", Value: 50}))
	if x.fault == nil || x.fault.Kind != fault.Mismatch || x.fault.Row != 0 || x.fault.Column != "_id" {
		t.Error(x.fault)
	}
	if open := r.Stats(t).Lookup("cursors", "open").AsInt64(); open != 0 {
		t.Errorf("%d cursors are open", open)
	}
	x = r.runColumns(t, fetch.ColumnsParams{MaxBytes: 1 << 20}, ids, find("none"))
	if x.fault != nil || len(x.rows) != 1 || x.rows[0] != 0 {
		t.Error(x.fault, x.rows)
	}
}
