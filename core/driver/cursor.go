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

// Cursor yields whole batches. It is not safe for concurrent use: to close it, end a Next that runs (by its context)
// and wait for it first.
type Cursor struct {
	deployment *deployment
	listener   *Listener // nil: none
	session    *session.Client
	params     CursorParams
	readPref   *ReadPreference

	db, collection string // as the server named them, which may be others than the command's
	id             int64  // 0: the server has no cursor (any more)
	batch          bsoncore.Array
	memory         []byte  // that batch is in; nil: it is the collector's
	returned       float64 // documents so far, counted only where there is a limit
	server         driver.Server
	pinned         *pinned // behind a load balancer: the cursor's connection
}

// Find runs cmd, which must answer with a cursor, and takes the first batch.
func (c *Client) Find(ctx context.Context, cmd Command, params CursorParams) (*Cursor, error) {
	if c.closed.Load() {
		return nil, fault.New(fault.Closed, "the client is closed")
	}
	cursor := &Cursor{
		deployment: c.deployment,
		listener:   c.listener,
		session:    c.newSession(),
		params:     params,
		readPref:   cmd.ReadPref,
		db:         cmd.DB,
	}
	cursor.collection, _ = bsoncore.Document(cmd.Body).Index(0).Value().StringValueOK()
	r := c.request(cmd, cursor.session)
	r.reply = cursor.open
	if err := r.execute(inMemory(ctx, &cursor.memory)); err != nil {
		cursor.Close(ctx, err) // a reply that is refused may have opened it, and pinned its connection
		return nil, err
	}
	return cursor, nil
}

// open reads the reply that brings the cursor.
func (cur *Cursor) open(reply bsoncore.Document, info driver.ResponseInfo) error {
	doc, err := driver.ExtractCursorDocument(reply)
	if err != nil {
		return unexpected("%v", err)
	}
	if _, err := cursorID(doc); err != nil { // the driver takes a cursor without one for exhausted
		return err
	}
	response, err := driver.NewCursorResponse(readable(doc), info)
	if err != nil {
		return unexpected("%v", err)
	}
	if response.Collection != "" {
		cur.db, cur.collection = response.Database, response.Collection
	}
	cur.id, cur.server = response.ID, response.Server
	if response.Connection != nil {
		cur.pinned = &pinned{response.Connection, response.ErrorProcessor}
	}
	if response.FirstBatch == nil {
		return unexpected("the server's reply has a cursor without a first batch")
	}
	return cur.take(response.FirstBatch.List)
}

// readable leaves out what is of a type for which the driver would refuse the reply, and which can be done without: ns
// says what the command did, postBatchResumeToken is for change streams.
func readable(cursor bsoncore.Document) bsoncore.Document {
	if ns, err := cursor.LookupErr("ns"); err == nil && ns.Type != bsoncore.TypeString {
		cursor = without(cursor, "ns")
	}
	if token, err := cursor.LookupErr("postBatchResumeToken"); err == nil && token.Type != bsoncore.TypeEmbeddedDocument {
		cursor = without(cursor, "postBatchResumeToken")
	}
	return cursor
}

func without(doc bsoncore.Document, name string) bsoncore.Document {
	elements, _ := doc.Elements()
	index, kept := bsoncore.AppendDocumentStart(nil)
	for _, element := range elements {
		if element.Key() != name {
			kept = append(kept, element...)
		}
	}
	kept, _ = bsoncore.AppendDocumentEnd(kept, index)
	return kept
}

func cursorID(cursor bsoncore.Document) (int64, error) {
	value, err := cursor.LookupErr("id")
	if err != nil {
		return 0, unexpected("the server's reply has a cursor without an id")
	}
	id, ok := value.Int64OK()
	if !ok {
		return 0, unexpected("cursor.id should be an int64 but it is a BSON %s", value.Type)
	}
	return id, nil
}

func unexpected(format string, args ...any) error {
	return fault.New(fault.UnexpectedReply, format, args...)
}

func (cur *Cursor) take(batch bsoncore.Array) error {
	if last := len(batch) - 1; last < 4 || batch[last] != 0 {
		f := fault.New(fault.BSON, "malformed BSON: the batch does not end with a zero byte")
		f.Offset = int64(max(last, 0))
		return f
	}
	cur.batch = batch
	if cur.params.HasLimit {
		list := bsoncore.Iterator{List: batch}
		cur.returned += float64(list.Count())
	}
	return nil
}

// Batch returns the elements of the current batch: the BSON array's body without length and terminator. The bytes stay valid
// and unchanged after the next Next, until their memory is given to Reuse.
func (cur *Cursor) Batch() []byte {
	if len(cur.batch) < 5 {
		return nil
	}
	return cur.batch[4 : len(cur.batch)-1]
}

// TakeMemory returns what Reuse is given when the current batch is done with. nil: nothing needs to be done.
func (cur *Cursor) TakeMemory() []byte {
	memory := cur.memory
	cur.memory = nil
	return memory
}

// ID is the number of the server's cursor, 0 when it has none.
func (cur *Cursor) ID() int64 { return cur.id }

// Live says whether Next has anything to ask for.
func (cur *Cursor) Live() bool {
	limit := cur.params.Limit
	return cur.id != 0 && !(limit > 0 && cur.returned >= limit)
}

// Next fetches the next batch, which may be empty while the cursor stays live. It is never sent twice: the server may have
// moved the cursor on.
func (cur *Cursor) Next(ctx context.Context) error {
	cur.batch, cur.memory = nil, nil
	r := cur.request(cur.getMore())
	r.readPref = cur.readPref
	r.reply = cur.more
	err := r.execute(inMemory(ctx, &cur.memory))
	if err != nil && isNetworkError(err) && cur.pinned != nil {
		cur.id = 0 // the connection is gone, and its cursor with it
	}
	if cur.id == 0 {
		cur.unpin()
	}
	return err
}

// more reads the reply to a getMore.
func (cur *Cursor) more(reply bsoncore.Document, _ driver.ResponseInfo) error {
	cursor, _ := reply.Lookup("cursor").DocumentOK()
	id, err := cursorID(cursor)
	if err != nil {
		return err
	}
	batch, ok := reply.Lookup("cursor", "nextBatch").ArrayOK()
	if !ok {
		return unexpected("the server's reply has a cursor without a next batch")
	}
	cur.id = id
	return cur.take(batch)
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
	defer cur.unpin()
	cur.batch = nil
	if cur.id == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTimeout)
	defer cancel()
	var server driver.Error
	isServerError := errors.As(failure, &server)
	if isServerError && gone[server.Code] {
		return
	}
	r := cur.request(cur.killCursors())
	if isServerError && server.NetworkError() {
		r.awaitServer(ctx)
	}
	r.reply = func(bsoncore.Document, driver.ResponseInfo) error { return nil }
	_ = r.execute(ctx)
	cur.id = 0
}

func (cur *Cursor) unpin() {
	if cur.pinned != nil {
		cur.pinned.release()
		cur.pinned = nil
	}
}

// request makes a request to the server that has the cursor.
func (cur *Cursor) request(elements []byte) *request {
	r := &request{deployment: cur.deployment, listener: cur.listener, db: cur.db, elements: elements, session: cur.session, unsent: true}
	if cur.pinned != nil {
		r.target = cur.pinned
	} else {
		r.target = oneServer{cur.server}
	}
	return r
}
