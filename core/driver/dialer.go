package driver

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/ocsp"
)

// dialer opens the connections of a deployment, those of its monitors too, in the wanted address family and with the
// official driver's keep-alive. TLS is its work and not the driver's: so a conn sees what the server says in plain.
type dialer struct {
	dial          dialFunc
	network       string
	socketTimeout time.Duration

	tls        *tls.Config // nil: none
	unrevoked  bool        // no check of revocation
	revocation ocsp.VerifyOptions
}

// newDialer takes the TLS settings out of s.ClientOptions, for the driver not to do it again.
func newDialer(s *settings) (*dialer, error) {
	dial, err := s.proxy.through(&net.Dialer{KeepAlive: 2 * time.Minute})
	if err != nil {
		return nil, err
	}
	d := &dialer{
		dial:          dial,
		network:       s.network,
		socketTimeout: s.socketTimeout,
		tls:           s.TLSConfig,
		unrevoked:     isTrue(s.DisableCertificateRevocationCheck),
		revocation: ocsp.VerifyOptions{
			Cache:                   ocsp.NewCache(),
			DisableEndpointChecking: isTrue(s.DisableOCSPEndpointCheck),
			HTTPClient:              s.HTTPClient,
		},
	}
	s.TLSConfig = nil
	return d, nil
}

func isTrue(option *bool) bool { return option != nil && *option }

// DialContext implements options.ContextDialer.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if network == "tcp" {
		network = d.network
	}
	socket, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if d.tls != nil {
		secure, err := d.secure(ctx, socket, address)
		if err != nil {
			_ = socket.Close()
			return nil, err
		}
		socket = secure
	}
	return &conn{Conn: socket, timeout: d.socketTimeout}, nil
}

// secure does the TLS handshake and asks whether the server's certificate has been revoked, as the driver would.
func (d *dialer) secure(ctx context.Context, socket net.Conn, address string) (net.Conn, error) {
	config := d.tls
	if config.ServerName == "" {
		config = config.Clone()
		config.ServerName = address
		if host, _, err := net.SplitHostPort(address); err == nil {
			config.ServerName = host
		}
	}
	secure := tls.Client(socket, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	if !config.InsecureSkipVerify && !d.unrevoked {
		if err := ocsp.Verify(ctx, secure.ConnectionState(), &d.revocation); err != nil {
			return nil, err
		}
	}
	return secure, nil
}
