package driver

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/session"

	"rumongo-go/core/fault"
)

// CursorParams is what the getMore commands of a cursor need.
type CursorParams struct {
	BatchSize    int32 // 0: the server decides, and no batchSize is sent
	Limit        int64 // 0: none
	MaxAwaitTime time.Duration
	Comment      bsoncore.Value
}

// ParseCursorParams reads {batchSize, limit, maxAwaitTimeMS, comment}, all optional.
func ParseCursorParams(params []byte) (CursorParams, error) {
	var p CursorParams
	doc := bsoncore.Document(params)
	batchSize, err := optionalInteger(doc, "batchSize", 1<<31-1)
	if err != nil {
		return p, err
	}
	p.BatchSize = int32(batchSize)
	if p.Limit, err = optionalInteger(doc, "limit", 1<<31-1); err != nil {
		return p, err
	}
	await, err := optionalInteger(doc, "maxAwaitTimeMS", maxMillis)
	if err != nil {
		return p, err
	}
	p.MaxAwaitTime = time.Duration(await) * time.Millisecond
	if comment, err := doc.LookupErr("comment"); err == nil {
		p.Comment = comment
	}
	return p, nil
}

func optionalInteger(doc bsoncore.Document, name string, limit int64) (int64, error) {
	v, err := doc.LookupErr(name)
	if err != nil || v.Type == bsoncore.TypeNull {
		return 0, nil
	}
	n, ok := asInteger(v)
	if !ok || n < 0 || n > limit {
		return 0, fault.New(fault.InvalidArgument, "params.%s must be a whole number of 0 or more", name)
	}
	return n, nil
}

// Cursor yields whole batches. It is not safe for concurrent use: to close it, end a Next that runs (by its context)
// and wait for it first.
type Cursor struct {
	deployment *deployment
	batches    *driver.BatchCursor
	session    *session.Client
	params     CursorParams
	returned   int64
	pinned     bool // behind a load balancer a cursor keeps its connection, which Close gives back
}

// Find runs cmd, which must answer with a cursor, and takes the first batch.
func (c *Client) Find(ctx context.Context, cmd Command, params CursorParams) (*Cursor, error) {
	if c.closed.Load() {
		return nil, fault.New(fault.Closed, "the client is closed")
	}
	cursor := &Cursor{deployment: c.deployment, session: c.newSession(), params: params}
	if err := cursor.open(ctx, c, cmd); err != nil {
		cursor.session.EndSession()
		return nil, err
	}
	return cursor, nil
}

func (cur *Cursor) open(ctx context.Context, c *Client, cmd Command) error {
	op := c.operation(cmd, cur.session)
	var response driver.CursorResponse
	op.ProcessResponseFn = func(_ context.Context, reply bsoncore.Document, info driver.ResponseInfo) error {
		if info.Error != nil {
			return nil
		}
		doc, err := driver.ExtractCursorDocument(reply)
		if err != nil {
			return err
		}
		response, err = driver.NewCursorResponse(doc, info)
		return err
	}
	if err := op.Execute(withOperation(ctx)); err != nil {
		return err
	}
	if response.FirstBatch == nil {
		return fault.New(fault.Server, "the server's reply has a cursor without a first batch")
	}
	batches, err := driver.NewBatchCursor(response, cur.session, c.deployment.clock, driver.CursorOptions{
		BatchSize:     cur.params.BatchSize,
		Comment:       cur.params.Comment,
		ServerAPI:     c.deployment.serverAPI,
		Authenticator: c.deployment.authenticator,
	})
	if err != nil {
		return err
	}
	cur.batches, cur.pinned = batches, response.Connection != nil
	if cur.params.MaxAwaitTime > 0 {
		batches.SetMaxAwaitTime(cur.params.MaxAwaitTime)
	}
	batches.Next(ctx) // the first batch is here already; this only marks it as taken
	cur.count()
	return nil
}

// Batch returns the elements of the current batch: the BSON array's body without length and terminator.
//
// The bytes stay valid and unchanged after the next Next: in the pinned driver version every reply is read into memory
// of its own (connection.read allocates per message, and so does each decompressor), and BatchCursor only moves its
// slice. TestBatchBytesOutliveTheNextFetch pins that, because it saves a copy of every batch.
func (cur *Cursor) Batch() []byte {
	list := cur.batches.Batch().List
	if len(list) < 5 {
		return nil
	}
	return list[4 : len(list)-1]
}

// Live says whether Next has anything to ask for.
func (cur *Cursor) Live() bool {
	return cur.batches.ID() != 0 && (cur.params.Limit == 0 || cur.returned < cur.params.Limit)
}

// Next fetches the next batch, which may be empty while the cursor stays live.
func (cur *Cursor) Next(ctx context.Context) error {
	size := cur.params.BatchSize
	if limit := cur.params.Limit; limit > 0 && int64(size) > limit-cur.returned {
		size = int32(limit - cur.returned)
	}
	cur.batches.SetBatchSize(size)
	cur.batches.Next(withOperation(ctx))
	if err := cur.batches.Err(); err != nil {
		return err
	}
	cur.count()
	return nil
}

func (cur *Cursor) count() {
	if cur.params.Limit > 0 {
		cur.returned += int64(cur.batches.Batch().Count())
	}
}

// gone lists the server errors after which there is no cursor left to kill.
var gone = map[int32]bool{
	43:  true, // CursorNotFound
	175: true, // QueryPlanKilled
	237: true, // CursorKilled
}

// killTimeout bounds killCursors, which nobody waits for but close().
const killTimeout = 5 * time.Second

// Close kills the server's cursor if it is still open, also when ctx has ended, and ends the session. failure is the
// error that ended the cursor, if one did.
func (cur *Cursor) Close(ctx context.Context, failure error) {
	defer cur.session.EndSession()
	if cur.batches.ID() != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), killTimeout)
		defer cancel()
		var server driver.Error
		isServerError := errors.As(failure, &server)
		if isServerError && gone[server.Code] && !cur.pinned {
			return
		}
		if isServerError && server.NetworkError() {
			cur.awaitServer(ctx)
		}
	}
	_ = cur.batches.Close(withOperation(ctx))
}

// awaitServer waits until the cursor's server is known again. A network error makes the driver forget it and pause its
// pool until a heartbeat succeeds, and a killCursors sent meanwhile would fail without reaching it.
func (cur *Cursor) awaitServer(ctx context.Context) {
	if server, ok := cur.batches.Server().(queueing); ok && !cur.pinned {
		_, _ = cur.deployment.topology.SelectServer(ctx, atAddress(server.Description().Addr))
	}
}
