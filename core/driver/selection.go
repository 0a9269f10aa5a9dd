package driver

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/address"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/mnet"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"rumongo-go/core/fault"
)

// selecting is the Deployment an Operation sees. It adds the two options the Go driver does not take at this level:
// localThresholdMS and waitQueueTimeoutMS.
type selecting struct{ d *deployment }

// Kind does not say that a topology is a single server: the Go driver would add a $readPreference of its own, see request.
func (s selecting) Kind() description.TopologyKind {
	if kind := s.d.topology.Kind(); kind != description.TopologyKindSingle {
		return kind
	}
	return 0
}

func (s selecting) GetServerSelectionTimeout() time.Duration {
	return s.d.topology.GetServerSelectionTimeout()
}

func (s selecting) SelectServer(ctx context.Context, selector description.ServerSelector) (driver.Server, error) {
	if server := s.only(selector); server != nil {
		return queueing{server, s.d}, nil
	}
	if threshold := s.d.settings.localThreshold; threshold != defaultLocalThreshold {
		selector = latencyWindow{selector, threshold}
	}
	server, err := s.d.topology.SelectServer(ctx, selector)
	if err != nil {
		// Servers too old or too new: the driver has no type for that.
		if s.d.topology.Description().CompatibilityErr != nil {
			return nil, fault.New(fault.ServerSelection, "%v", err)
		}
		return nil, err
	}
	if selected, ok := server.(*topology.SelectedServer); ok {
		return queueing{selected, s.d}, nil
	}
	return server, nil
}

// only returns the server of a topology that has one, if it is known: then every read preference selects it. The driver
// would copy its description through frames so large that each goroutine's stack had to grow once more, which was a tenth
// of Go's time for a findOne.
func (s selecting) only(selector description.ServerSelector) *topology.SelectedServer {
	topo := s.d.topology.Description()
	if topo.Kind != description.TopologyKindSingle || topo.CompatibilityErr != nil || len(topo.Servers) != 1 ||
		topo.Servers[0].Kind == description.Unknown {
		return nil
	}
	if _, picky := selector.(anyReadable); picky {
		return nil
	}
	server, err := s.d.topology.FindServer(topo.Servers[0])
	if err != nil {
		return nil
	}
	return server
}

// queueing is a server whose pool is waited for as the official Node.js driver does it: for waitQueueTimeoutMS, or as
// long as it takes. The Go driver would count the wait in the server selection timeout.
type queueing struct {
	*topology.SelectedServer
	d *deployment
}

func (q queueing) Connection(ctx context.Context) (*mnet.Connection, error) {
	caller := ctx
	if operation, ok := ctx.Value(operationKey{}).(context.Context); ok {
		ctx = operation
	}
	if timeout := q.d.settings.waitQueueTimeout; timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	if size := *q.d.settings.MaxPoolSize; size > 0 && uint64(q.OperationCount()) >= size {
		q.d.late.stop() // their connections are wanted
	}
	conn, err := q.SelectedServer.Connection(ctx)
	if err != nil {
		return nil, err
	}
	noteConnection(caller, conn)
	return check(conn), nil
}

// operationKey finds, inside a context that carries the server selection deadline, the operation's own context.
type operationKey struct{}

func withOperation(ctx context.Context) context.Context {
	return context.WithValue(ctx, operationKey{}, ctx)
}

// latencyWindow applies localThresholdMS to what inner selects. inner filters by read preference and then by its own
// fixed window of 15 ms; it does not do the latter for servers without a known round trip, so it is shown them that way.
type latencyWindow struct {
	inner     description.ServerSelector
	threshold time.Duration
}

func (w latencyWindow) SelectServer(topo description.Topology, candidates []description.Server) ([]description.Server, error) {
	measured := make(map[address.Address]description.Server, len(candidates))
	hidden := make([]description.Server, len(candidates))
	for i, server := range candidates {
		measured[server.Addr] = server
		server.AverageRTTSet = false
		hidden[i] = server
	}
	suitable, err := w.inner.SelectServer(topo, hidden)
	if err != nil || len(suitable) == 0 {
		return suitable, err
	}
	fastest := time.Duration(-1)
	for i, server := range suitable {
		suitable[i] = measured[server.Addr]
		if rtt := suitable[i].AverageRTT; suitable[i].AverageRTTSet && (fastest < 0 || rtt < fastest) {
			fastest = rtt
		}
	}
	if fastest < 0 {
		return suitable, nil
	}
	within := suitable[:0]
	for _, server := range suitable {
		if server.AverageRTTSet && server.AverageRTT <= fastest+w.threshold {
			within = append(within, server)
		}
	}
	return within, nil
}

// atAddress selects one server as soon as it is known.
type atAddress address.Address

func (a atAddress) SelectServer(_ description.Topology, candidates []description.Server) ([]description.Server, error) {
	for _, server := range candidates {
		if server.Addr == address.Address(a) {
			return []description.Server{server}, nil
		}
	}
	return nil, nil
}
