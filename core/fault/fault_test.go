package fault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/address"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
)

func reply(t *testing.T, d bson.D) bsoncore.Document {
	t.Helper()
	data, err := bson.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFrom(t *testing.T) {
	withCode := reply(t, bson.D{{Key: "ok", Value: 0}, {Key: "code", Value: 0}})
	networkError := driver.Error{Message: "m", Labels: []string{driver.NetworkError}, Wrapped: topology.ConnectionError{Wrapped: io.EOF}}
	timeout := driver.Error{Message: "m", Labels: []string{driver.NetworkError},
		Wrapped: topology.ConnectionError{Wrapped: &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}}}
	cancelled := driver.Error{Message: "m", Labels: []string{driver.NetworkError}, Wrapped: topology.ConnectionError{Wrapped: context.Canceled}}
	own := New(Parse, "bad %s", "uri")
	for name, tc := range map[string]struct {
		err  error
		want Fault
	}{
		"own":           {fmt.Errorf("wrapped: %w", own), *own},
		"server":        {driver.Error{Code: 43, Name: "CursorNotFound", Message: "gone", Labels: []string{"L"}}, Fault{Kind: Server, Code: 43, CodeName: "CursorNotFound", HasCode: true, Message: "gone"}},
		"code 0":        {driver.Error{Message: "odd", Raw: withCode}, Fault{Kind: Server, HasCode: true, Message: "odd"}},
		"no code":       {driver.Error{Message: "odd", Raw: reply(t, bson.D{{Key: "ok", Value: 0}})}, Fault{Kind: Server, Message: "odd"}},
		"network":       {networkError, Fault{Kind: Network, Message: "m"}},
		"timeout":       {timeout, Fault{Kind: NetworkTimeout, Message: "m"}},
		"cancelled":     {cancelled, Fault{Kind: Cancelled, Message: "the operation was cancelled"}},
		"context":       {context.Canceled, Fault{Kind: Cancelled, Message: "the operation was cancelled"}},
		"deadline":      {context.DeadlineExceeded, Fault{Kind: NetworkTimeout, Message: context.DeadlineExceeded.Error()}},
		"closed":        {topology.ErrTopologyClosed, Fault{Kind: Closed, Message: "the client is closed"}},
		"closed pool":   {topology.ErrPoolClosed, Fault{Kind: Closed, Message: "the client is closed"}},
		"dial":          {&net.OpError{Op: "dial", Err: errors.New("refused")}, Fault{Kind: Network, Message: "dial: refused"}},
		"bad reply":     {driver.NewCommandResponseError("malformed OP_MSG", bsoncore.ErrMissingNull), Fault{Kind: BSON, Message: "the server's reply is not valid BSON: malformed OP_MSG: " + bsoncore.ErrMissingNull.Error()}},
		"write concern": {driver.WriteCommandError{WriteConcernError: &driver.WriteConcernError{Code: 64, Name: "W", Message: "late"}}, Fault{Kind: Server, Code: 64, CodeName: "W", HasCode: true, Message: "late"}},
		"anything":      {errors.New("what"), Fault{Kind: UnexpectedReply, Message: "what"}},
	} {
		got := From(tc.err)
		if got.Kind != tc.want.Kind || got.Code != tc.want.Code || got.CodeName != tc.want.CodeName ||
			got.HasCode != tc.want.HasCode || got.Message != tc.want.Message {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if From(nil) != nil {
		t.Error("a fault of no error")
	}
}

func TestLabelsAreTheOfficialDrivers(t *testing.T) {
	labels := []string{driver.NetworkError, "Other"}
	timeout := topology.ConnectionError{Wrapped: &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}}
	for name, tc := range map[string]struct {
		err  driver.Error
		want []string
	}{
		"network":       {driver.Error{Labels: labels, Wrapped: topology.ConnectionError{Wrapped: io.EOF}}, []string{"Other", "ResetPool"}},
		"timeout":       {driver.Error{Labels: labels, Wrapped: timeout}, []string{"Other"}},
		"shutting down": {driver.Error{Code: 11600, Labels: []string{"Other"}}, []string{"Other", "ResetPool"}},
		"any code":      {driver.Error{Code: 13, Labels: []string{"Other"}}, []string{"Other"}},
	} {
		if got := From(tc.err).Labels; !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	handshake := topology.ConnectionError{Wrapped: driver.Error{Code: 18}}
	if got := From(handshake); got.Kind != Server || !slices.Equal(got.Labels, []string{"HandshakeError", "ResetPool"}) {
		t.Errorf("handshake: %+v", got)
	}
}

func TestServerSelectionNamesTheServers(t *testing.T) {
	err := topology.ServerSelectionError{Wrapped: context.DeadlineExceeded, Desc: description.Topology{Servers: []description.Server{
		{Addr: address.Address("a.example:27017"), LastError: errors.New("connection refused")},
		{Addr: address.Address("b.example:27018"), Kind: description.ServerKindRSSecondary},
	}}}
	got := From(fmt.Errorf("while reading: %w", err))
	if got.Kind != ServerSelection {
		t.Fatalf("%+v", got)
	}
	for _, part := range []string{"a.example:27017", "connection refused", "b.example:27018", "serverSelectionTimeoutMS"} {
		if !strings.Contains(got.Message, part) {
			t.Errorf("%q does not say %q", got.Message, part)
		}
	}
	if From(topology.ServerSelectionError{Wrapped: context.Canceled}).Kind != Cancelled {
		t.Error("a cancelled selection is a cancellation")
	}
}

func TestAppendBSON(t *testing.T) {
	raw := reply(t, bson.D{{Key: "ok", Value: 0}})
	f := &Fault{Kind: BSON, Message: "bad \xff byte", Code: 2, HasCode: true, CodeName: "BadValue", Labels: []string{"a", "b"},
		Raw: raw, Stack: "stack", Cause: "cause", Offset: 7}
	var got struct {
		Kind, Message, CodeName, Stack, Cause string
		Code                                  int32
		Offset                                int64
		Labels                                []string
		Raw                                   bson.Raw
	}
	data := f.AppendBSON([]byte("before"))[len("before"):]
	if err := bson.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Kind != "bson" || got.Message != "bad \uFFFD byte" || got.Code != 2 || got.Offset != 7 || len(got.Labels) != 2 ||
		string(got.Raw) != string(raw) || got.Stack != "stack" || got.Cause != "cause" {
		t.Fatalf("%+v", got)
	}
	// What is not known is absent, not empty.
	elements, err := bson.Raw((&Fault{Kind: Network, Message: "m"}).AppendBSON(nil)).Elements()
	if err != nil || len(elements) != 3 {
		t.Fatalf("%v %v", elements, err)
	}
}

func TestFromPanic(t *testing.T) {
	got := func() (f *Fault) {
		defer func() { f = FromPanic(recover()) }()
		explode()
		return nil
	}()
	if got.Kind != Internal || !strings.Contains(got.Message, "on purpose") {
		t.Fatalf("%+v", got)
	}
	lines := strings.Split(got.Stack, "\n")
	if len(lines) < 2 || !strings.Contains(lines[1], "explode") {
		t.Fatalf("the stack begins elsewhere:\n%s", got.Stack)
	}
}

//go:noinline
func explode() { panic("on purpose") }
