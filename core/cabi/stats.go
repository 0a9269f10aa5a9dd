package main

import (
	"runtime"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/driver"
)

// stats is the process-wide state as one BSON document; every field is a count or a number of bytes.
func stats() []byte {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	index, doc := bsoncore.AppendDocumentStart(nil)
	doc = bsoncore.AppendInt64Element(doc, "environments", int64(environments.Len()))
	doc = bsoncore.AppendInt64Element(doc, "clients", int64(clients.Len()))
	doc = bsoncore.AppendInt64Element(doc, "deployments", int64(driver.Deployments()))
	doc = bsoncore.AppendInt64Element(doc, "goroutines", int64(runtime.NumGoroutine()))
	doc = bsoncore.AppendInt64Element(doc, "goHeapBytes", int64(memory.HeapAlloc))
	doc, _ = bsoncore.AppendDocumentEnd(doc, index)
	return doc
}

// definition answers what a chunk refers to; see docs/architecture.md.
func definition(kind int, id, version uint32) []byte { return nil }
