package driver

import (
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// server writes a ServerDescription: the fields of its hello that the core keeps, and what JavaScript adds to them.
func (h *hub) server(d *event.ServerDescription, current bool) []byte {
	index, dst := bsoncore.AppendDocumentStart(nil)
	dst = bsoncore.AppendStringElement(dst, "address", d.Addr.String())
	dst = bsoncore.AppendStringElement(dst, "type", officialServer(d.Kind))
	dst = bsoncore.AppendDoubleElement(dst, "time", float64(time.Now().UnixMilli()))
	dst = bsoncore.AppendDocumentElement(dst, "hello", hello(d))
	value, _ := h.seen.Load(d.Addr.String())
	if seen, _ := value.(*sighting); seen != nil && current {
		if officialServer(d.Kind) == "Unknown" {
			if seen.failure != nil {
				dst = bsoncore.AppendDocumentElement(dst, "error", seen.failure)
			}
		} else {
			dst = bsoncore.AppendDoubleElement(dst, "roundTripTime", milliseconds(seen.roundTrip))
		}
	}
	dst, _ = bsoncore.AppendDocumentEnd(dst, index)
	return dst
}

// hello writes a server's answer to hello again, from what the driver keeps of it. The driver does not keep the answer.
func hello(d *event.ServerDescription) []byte {
	index, dst := bsoncore.AppendDocumentStart(nil)
	if kind := officialServer(d.Kind); kind != "Unknown" && kind != "LoadBalancer" {
		dst = appendHello(dst, d, kind)
	}
	dst, _ = bsoncore.AppendDocumentEnd(dst, index)
	return dst
}

func appendHello(dst []byte, d *event.ServerDescription, kind string) []byte {
	if d.HelloOK {
		dst = bsoncore.AppendBooleanElement(dst, "helloOk", true)
	}
	if d.TopologyVersionProcessID != bson.NilObjectID {
		dst = bsoncore.AppendDocumentElement(dst, "topologyVersion", bsoncore.NewDocumentBuilder().
			AppendObjectID("processId", d.TopologyVersionProcessID).
			AppendInt64("counter", d.TopologyVersionCounter).Build())
	}
	dst = appendTexts(dst, "hosts", d.Hosts)
	dst = appendTexts(dst, "passives", d.Passives)
	dst = appendTexts(dst, "arbiters", d.Arbiters)
	dst = appendText(dst, "setName", d.SetName)
	if d.SetVersion != 0 {
		dst = bsoncore.AppendInt32Element(dst, "setVersion", int32(d.SetVersion))
	}
	switch kind {
	case "Mongos":
		dst = bsoncore.AppendStringElement(dst, "msg", "isdbgrid")
	case "RSGhost":
		dst = bsoncore.AppendBooleanElement(dst, "isreplicaset", true)
	case "RSArbiter":
		dst = bsoncore.AppendBooleanElement(dst, "arbiterOnly", true)
	}
	dst = bsoncore.AppendBooleanElement(dst, "isWritablePrimary", kind == "Standalone" || kind == "Mongos" || kind == "RSPrimary")
	if d.SetName != "" {
		dst = bsoncore.AppendBooleanElement(dst, "secondary", kind == "RSSecondary")
	}
	dst = appendText(dst, "primary", string(d.Primary))
	if d.SetName != "" {
		dst = appendText(dst, "me", string(d.CanonicalAddr)) // the driver's default is the address
	}
	if len(d.Tags) > 0 {
		at, tags := bsoncore.AppendDocumentStart(nil)
		for _, tag := range d.Tags {
			tags = bsoncore.AppendStringElement(tags, tag.Name, tag.Value)
		}
		tags, _ = bsoncore.AppendDocumentEnd(tags, at)
		dst = bsoncore.AppendDocumentElement(dst, "tags", tags)
	}
	if d.ElectionID != bson.NilObjectID {
		dst = bsoncore.AppendObjectIDElement(dst, "electionId", d.ElectionID)
	}
	if !d.LastWriteTime.IsZero() {
		dst = bsoncore.AppendDocumentElement(dst, "lastWrite",
			bsoncore.NewDocumentBuilder().AppendDateTime("lastWriteDate", d.LastWriteTime.UnixMilli()).Build())
	}
	dst = bsoncore.AppendInt32Element(dst, "maxBsonObjectSize", int32(d.MaxDocumentSize))
	dst = bsoncore.AppendInt32Element(dst, "maxMessageSizeBytes", int32(d.MaxMessageSize))
	dst = bsoncore.AppendInt32Element(dst, "maxWriteBatchSize", int32(d.MaxBatchCount))
	if d.SessionTimeoutMinutes != nil {
		dst = bsoncore.AppendInt32Element(dst, "logicalSessionTimeoutMinutes", int32(*d.SessionTimeoutMinutes))
	}
	dst = bsoncore.AppendInt32Element(dst, "minWireVersion", d.MinWireVersion)
	dst = bsoncore.AppendInt32Element(dst, "maxWireVersion", d.MaxWireVersion)
	dst = bsoncore.AppendBooleanElement(dst, "readOnly", d.ReadOnly)
	return bsoncore.AppendInt32Element(dst, "ok", 1)
}

func appendText(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	return bsoncore.AppendStringElement(dst, name, text)
}

func appendTexts(dst []byte, name string, texts []string) []byte {
	if len(texts) == 0 {
		return dst
	}
	at, array := bsoncore.AppendArrayStart(nil)
	for i, text := range texts {
		array = bsoncore.AppendStringElement(array, strconv.Itoa(i), text)
	}
	array, _ = bsoncore.AppendArrayEnd(array, at)
	return bsoncore.AppendArrayElement(dst, name, array)
}
