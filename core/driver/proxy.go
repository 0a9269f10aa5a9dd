package driver

import (
	"context"
	"fmt"
	"net"
	"strconv"

	"golang.org/x/net/proxy"
)

// proxySettings is the SOCKS5 proxy that all connections of a client go through. An empty host means none.
type proxySettings struct {
	host               string
	port               int64
	username, password string
}

const defaultProxyPort = 1080

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// through makes connections by way of the proxy, which resolves the names of servers.
func (p proxySettings) through(direct *net.Dialer) (dialFunc, error) {
	if p.host == "" {
		return direct.DialContext, nil
	}
	port := p.port
	if port == 0 {
		port = defaultProxyPort
	}
	var auth *proxy.Auth
	if p.username != "" {
		auth = &proxy.Auth{User: p.username, Password: p.password}
	}
	socks, err := proxy.SOCKS5("tcp", net.JoinHostPort(p.host, strconv.FormatInt(port, 10)), auth, direct)
	if err != nil {
		return nil, err
	}
	dialer, ok := socks.(proxy.ContextDialer)
	if !ok {
		return nil, fmt.Errorf("the SOCKS5 dialer cannot be cancelled")
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if network == "unix" {
			return nil, fmt.Errorf("a SOCKS5 proxy leads to TCP hosts only, not to the socket %s", address)
		}
		return dialer.DialContext(ctx, "tcp", address)
	}, nil
}
