package main

import (
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// decode makes the request that encodes documents JavaScript has. docs is read during the call only.
func (e *environment) decode(token uint64, docs, params []byte) *request {
	elems, whole := fetch.Elements(docs)
	return e.start(token, nil, func(r *request) {
		if !whole {
			r.fail(fault.New(fault.InvalidArgument, "the documents to decode are not whole"))
			return
		}
		kind, err := fetch.ParseKind(params)
		if err != nil {
			r.fail(err)
			return
		}
		window := fetch.NewWindow(0)
		r.window.Store(window)
		enc, out, err := r.encoding(&fetch.Params{Kind: kind}, window, params)
		if err != nil {
			r.fail(err)
			return
		}
		fetch.Documents(r.ctx, elems, enc, window, out)
	})
}
