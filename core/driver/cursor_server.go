package driver

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/description"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/mnet"
)

// oneServer is the deployment of a cursor's operations: the server that has the cursor.
type oneServer struct{ driver.Server }

func (s oneServer) SelectServer(context.Context, description.ServerSelector) (driver.Server, error) {
	return s.Server, nil
}

// Kind does not say that this is a single server, for the reason at selecting.Kind.
func (oneServer) Kind() description.TopologyKind { return 0 }

func (oneServer) GetServerSelectionTimeout() time.Duration { return 0 }

// pinned is the connection a cursor keeps behind a load balancer, which knows only by the connection what server a
// getMore is for. It is the deployment, the server and the round-trip monitor of the cursor's operations.
type pinned struct {
	conn *mnet.Connection
	driver.ErrorProcessor
}

// release gives the connection back to its pool: partner of NewCursorResponse, which pins it.
func (p *pinned) release() {
	if p.conn.Pinner != nil {
		_ = p.conn.UnpinFromCursor()
	}
	_ = p.conn.Close()
}

func (p *pinned) SelectServer(context.Context, description.ServerSelector) (driver.Server, error) {
	return p, nil
}

func (*pinned) Kind() description.TopologyKind { return description.TopologyKindLoadBalanced }

func (*pinned) GetServerSelectionTimeout() time.Duration { return 0 }

func (p *pinned) Connection(ctx context.Context) (*mnet.Connection, error) {
	noteConnection(ctx, p.conn)
	return p.conn, nil
}

func (p *pinned) RTTMonitor() driver.RTTMonitor { return p }

func (*pinned) EWMA() time.Duration { return 0 }

func (*pinned) Min() time.Duration { return 0 }

func (*pinned) Stats() string { return "" }
