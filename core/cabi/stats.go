package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/driver"
	"rumongo-go/core/fetch"
	"rumongo-go/core/frame"
	"rumongo-go/core/index"
	"rumongo-go/core/shape"
)

// stats is the process-wide state as one BSON document; every field is a count or a number of bytes, but for the
// versions of what the core is built from.
func stats() []byte {
	// Not runtime.ReadMemStats, which stops the world.
	heap := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(heap)
	index, doc := bsoncore.AppendDocumentStart(nil)
	doc = bsoncore.AppendInt64Element(doc, "environments", environments.Load())
	doc = bsoncore.AppendInt64Element(doc, "clients", int64(clients.Len()))
	doc = bsoncore.AppendInt64Element(doc, "deployments", int64(driver.Deployments()))
	doc = bsoncore.AppendInt64Element(doc, "lateReads", driver.LateReads())
	doc = bsoncore.AppendInt64Element(doc, "requests", requests.Load())
	doc = bsoncore.AppendInt64Element(doc, "bytesUnderWay", fetch.BytesUnderWay())
	doc = bsoncore.AppendInt64Element(doc, "goroutines", int64(runtime.NumGoroutine()))
	doc = bsoncore.AppendInt64Element(doc, "goHeapBytes", int64(heap[0].Value.Uint64())-int64(len(ballast)))
	doc = bsoncore.AppendInt64Element(doc, "goMemoryBytes",
		int64(heap[1].Value.Uint64())-int64(heap[2].Value.Uint64())-int64(len(ballast)))
	use := shape.InUse()
	doc = bsoncore.AppendInt64Element(doc, "frameShapes", int64(use.Frames))
	doc = bsoncore.AppendInt64Element(doc, "frameShapeBytes", int64(use.FrameBytes))
	doc = bsoncore.AppendInt64Element(doc, "lazyShapes", int64(use.Lazy))
	doc = bsoncore.AppendInt64Element(doc, "lazyShapeBytes", int64(use.LazyBytes))
	doc = bsoncore.AppendInt64Element(doc, "keyNames", int64(use.Keys))
	doc = bsoncore.AppendStringElement(doc, "goVersion", runtime.Version())
	doc = bsoncore.AppendStringElement(doc, "driverVersion", driverVersion())
	doc, _ = bsoncore.AppendDocumentEnd(doc, index)
	return doc
}

// driverVersion is that of the Go driver, as the linker wrote it down.
var driverVersion = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "go.mongodb.org/mongo-driver/v2" {
				return module.Version
			}
		}
	}
	return "unknown"
})

// encoders makes the chunks of each kind.
var encoders = map[fetch.Kind]*fetch.Encoders{
	fetch.Frames: fetch.NewEncoders(fetch.Frames, func() fetch.Encoder { return frame.NewEncoder() }),
	fetch.Lazy:   fetch.NewEncoders(fetch.Lazy, func() fetch.Encoder { return index.NewEncoder() }),
}

// definition answers what a chunk refers to; see docs/architecture.md.
func definition(kind int, id, version uint32) []byte { return shape.Definition(kind, id, version) }
