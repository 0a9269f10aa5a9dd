package main

import (
	"sync"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
	"rumongo-go/core/jsonout"
)

// textEncoders holds pools of encoders by their options.
var textEncoders sync.Map // of jsonout.Options to *fetch.Encoders

func encodersFor(o jsonout.Options) *fetch.Encoders {
	if found, ok := textEncoders.Load(o); ok {
		return found.(*fetch.Encoders)
	}
	made := fetch.NewEncoders(fetch.Text, func() fetch.Encoder { return jsonout.NewEncoder(o) })
	found, _ := textEncoders.LoadOrStore(o, made)
	return found.(*fetch.Encoders)
}

// textParams reads {text: {...}}, see docs/architecture.md.
func textParams(params []byte) (jsonout.Options, fetch.TextParams, error) {
	doc, ok := bsoncore.Document(params).Lookup("text").DocumentOK()
	if !ok {
		return jsonout.Options{}, fetch.TextParams{}, fault.New(fault.InvalidArgument, "params.text must be a document")
	}
	on := func(name string) bool {
		b, _ := doc.Lookup(name).BooleanOK()
		return b
	}
	number := func(name string) int64 {
		n, _ := doc.Lookup(name).AsInt64OK()
		return n
	}
	name := func(name string) string {
		s, _ := doc.Lookup(name).StringValueOK()
		return s
	}
	o := jsonout.Options{
		Mode:            map[string]jsonout.Mode{"relaxed": jsonout.Relaxed, "canonical": jsonout.Canonical}[name("mode")],
		Framing:         map[string]jsonout.Framing{"ndjson": jsonout.Lines, "single": jsonout.Single}[name("format")],
		Longs:           map[string]jsonout.Longs{"string": jsonout.LongString, "number": jsonout.LongNumber}[name("longs")],
		Pretty:          on("pretty"),
		Marks:           on("marks"),
		PromoteLongs:    on("promoteLongs"),
		PromoteValues:   on("promoteValues"),
		PromoteBuffers:  on("promoteBuffers"),
		UseBigInt64:     on("useBigInt64"),
		BSONRegExp:      on("bsonRegExp"),
		ValidateUTF8:    on("validateUtf8"),
		LowFirst:        on("lowFirst"),
		ScopeReferences: on("scopeReferences"),
		LateDates:       on("lateDates"),
	}
	t := fetch.TextParams{
		Joined:   on("joined"),
		MaxBytes: number("maxBytes"),
		Compress: name("compress"),
		Level:    int(number("level")),
		Marks:    o.Marks,
		Member:   number("member"),
	}
	switch o.Framing {
	case jsonout.Array:
		t.Head, t.Tail, t.Empty = '[', o.Tail(), "[]"
		if on("continued") { // what is there already has the bracket, and at least one document
			t.Head, t.Empty = 0, t.Tail
		}
	case jsonout.Single:
		t.Single, t.Empty = true, "null"
	}
	return o, t, nil
}

// encoding returns what makes the chunks of a FIND, and where they go.
func (r *request) encoding(p *fetch.Params, window *fetch.Window, params []byte) (*fetch.Encoders, fetch.Outlet, error) {
	switch p.Kind {
	case fetch.Text:
		return r.textOf(window, params)
	case fetch.Columns:
		return r.columnsOf(p, window, params)
	}
	return encoders[p.Kind], r, nil
}

func (r *request) textOf(window *fetch.Window, params []byte) (*fetch.Encoders, fetch.Outlet, error) {
	o, t, err := textParams(params)
	if err != nil {
		return nil, nil, err
	}
	out, err := fetch.NewText(t, window, r.cancel, r)
	return encodersFor(o), out, err
}
