package fault

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
)

// From turns any error into a Fault and returns nil for nil. A *Fault passes through unchanged.
func From(err error) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	if f := fromSelection(err); f != nil {
		return f
	}
	if IsPoolCleared(err) {
		return &Fault{Kind: Network, Message: err.Error(), Labels: []string{"PoolRequestedRetry"}}
	}
	var server driver.Error
	if errors.As(err, &server) {
		return fromDriverError(err, server)
	}
	var write driver.WriteCommandError
	if errors.As(err, &write) {
		return fromWriteError(write)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &Fault{Kind: Cancelled, Message: "the operation was cancelled"}
	case errors.Is(err, topology.ErrTopologyClosed), errors.Is(err, topology.ErrSubscribeAfterClosed),
		errors.Is(err, topology.ErrPoolClosed):
		return &Fault{Kind: Closed, Message: "the client is closed", Cause: err.Error()}
	case isTimeout(err):
		return &Fault{Kind: NetworkTimeout, Message: err.Error()}
	case isNetwork(err):
		return &Fault{Kind: Network, Message: err.Error()}
	}
	var response driver.ResponseError
	if errors.As(err, &response) {
		return &Fault{Kind: BSON, Message: "the server's reply is not valid BSON: " + err.Error(), Offset: Unplaced}
	}
	// The driver has no other types for what it cannot make sense of.
	return &Fault{Kind: UnexpectedReply, Message: err.Error()}
}

// fromSelection answers for everything that means "no server, or no connection to one, in time".
func fromSelection(err error) *Fault {
	var selection topology.ServerSelectionError
	if errors.As(err, &selection) {
		if errors.Is(selection.Wrapped, context.Canceled) {
			return &Fault{Kind: Cancelled, Message: "the operation was cancelled"}
		}
		return &Fault{Kind: ServerSelection, Message: selectionMessage(selection), Cause: err.Error()}
	}
	var wait topology.WaitQueueTimeoutError
	if errors.As(err, &wait) {
		if errors.Is(wait.Wrapped, context.Canceled) {
			return &Fault{Kind: Cancelled, Message: "the operation was cancelled"}
		}
		return &Fault{Kind: WaitQueueTimeout, Message: err.Error()}
	}
	return nil
}

// selectionMessage names every server that was tried and why it did not do: the address is what a user looks for first.
func selectionMessage(err topology.ServerSelectionError) string {
	reason := "no suitable server was found in time (serverSelectionTimeoutMS)"
	if err.Wrapped != nil && !errors.Is(err.Wrapped, context.DeadlineExceeded) {
		reason = err.Wrapped.Error()
	}
	var servers []string
	for _, s := range err.Desc.Servers {
		text := s.Addr.String() + " (" + s.Kind.String()
		if s.LastError != nil {
			text += ": " + s.LastError.Error()
		}
		servers = append(servers, text+")")
	}
	if len(servers) == 0 {
		return "server selection failed: " + reason + "; the deployment has no servers"
	}
	return "server selection failed: " + reason + "; servers: " + strings.Join(servers, ", ")
}

func fromDriverError(err error, e driver.Error) *Fault {
	f := &Fault{Message: e.Message, Labels: e.Labels, Raw: e.Raw}
	if f.Message == "" && e.Wrapped != nil {
		f.Message = e.Wrapped.Error()
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &Fault{Kind: Cancelled, Message: "the operation was cancelled"}
	case e.Code == 0 && e.Raw == nil && e.HasErrorLabel(driver.NetworkError):
		f.Kind = Network
		f.Labels = officialLabels(e.Labels)
		if isTimeout(e) {
			f.Kind = NetworkTimeout
		} else {
			f.Labels = append(f.Labels, resetPool)
		}
		return f
	}
	f.Kind, f.Code, f.CodeName, f.HasCode = Server, e.Code, e.Name, hasCode(e.Raw, e.Code)
	var connecting topology.ConnectionError
	switch {
	case errors.As(err, &connecting): // an answer while a connection was made: mostly to a wrong password
		f.Labels = append(officialLabels(e.Labels), "HandshakeError", resetPool)
	case shuttingDown[e.Code]:
		f.Labels = append(officialLabels(e.Labels), resetPool)
	}
	return f
}

// resetPool is the official Node.js driver's label of an error that closes the connections to its server.
const resetPool = "ResetPool"

// shuttingDown lists the codes with which a server says that it is going down.
var shuttingDown = map[int32]bool{
	91:    true, // ShutdownInProgress
	11600: true, // InterruptedAtShutdown
}

// officialLabels leaves out the label that the Go driver has for itself.
func officialLabels(labels []string) []string {
	var kept []string
	for _, label := range labels {
		if label != driver.NetworkError {
			kept = append(kept, label)
		}
	}
	return kept
}

func fromWriteError(e driver.WriteCommandError) *Fault {
	f := &Fault{Kind: Server, Message: e.Error(), Labels: e.Labels, Raw: e.Raw}
	if w := e.WriteConcernError; w != nil {
		f.Message, f.Code, f.CodeName, f.HasCode = w.Message, int32(w.Code), w.Name, true
	} else if len(e.WriteErrors) > 0 {
		first := e.WriteErrors[0]
		f.Message, f.Code, f.HasCode = first.Message, int32(first.Code), true
	}
	return f
}

// hasCode tells a reply that carries code 0 from one without a code.
func hasCode(raw []byte, code int32) bool {
	if code != 0 {
		return true
	}
	return rawHas(raw, "code")
}

// IsPoolCleared says whether err means that there was no connection because another operation's had failed.
func IsPoolCleared(err error) bool {
	var pool driver.RetryablePoolError
	return errors.As(err, &pool) && pool.Retryable()
}

func isTimeout(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	var netErr net.Error
	return errors.As(err, &netErr) && netErr.Timeout()
}

func isNetwork(err error) bool {
	var conn topology.ConnectionError
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &conn) || errors.As(err, &op) || errors.As(err, &dns) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

func rawHas(raw bsoncore.Document, key string) bool {
	if len(raw) == 0 {
		return false
	}
	_, err := raw.LookupErr(key)
	return err == nil
}
