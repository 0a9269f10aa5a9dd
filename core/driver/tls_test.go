package driver_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/youmark/pkcs8"
	"go.mongodb.org/mongo-driver/v2/bson"

	"rumongo-go/core/coretest"
	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
	"rumongo-go/tools/wirefixture/fixture"
)

// authority is a certificate authority of one test.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t}
	a.key, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test CA"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	a.cert, _ = x509.ParseCertificate(der)
	a.pem = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return a
}

// issue returns a certificate for the loopback address or for another name, and its key, in PEM.
func (a *authority) issue(loopback bool, password string) (cert, key []byte) {
	private, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "leaf"}, NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, DNSNames: []string{"elsewhere.example"}}
	if loopback {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &private.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	cert = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if password != "" {
		der, err = pkcs8.MarshalPrivateKey(private, []byte(password), nil)
		key = pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: der})
	} else {
		der, err = x509.MarshalPKCS8PrivateKey(private)
		key = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

func (a *authority) serve(loopback, wantClient bool) *coretest.Fixture {
	pair, err := tls.X509KeyPair(a.issue(loopback, ""))
	if err != nil {
		a.t.Fatal(err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}}
	if wantClient {
		config.ClientAuth = tls.RequireAndVerifyClientCert
		config.ClientCAs = x509.NewCertPool()
		config.ClientCAs.AddCert(a.cert)
	}
	return coretest.Start(a.t, fixture.Options{TLS: config})
}

func TestTLS(t *testing.T) {
	ca := newAuthority(t)
	plain := ca.serve(true, false)
	otherName := ca.serve(false, false)
	mutual := ca.serve(true, true)
	cert, key := ca.issue(true, "")
	locked, lockedKey := ca.issue(true, "secret")
	dir := t.TempDir()
	file := func(name string, parts ...[]byte) string {
		path := filepath.Join(dir, name)
		var all []byte
		for _, p := range parts {
			all = append(all, p...)
		}
		if err := os.WriteFile(path, all, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	binary := func(b []byte) bson.Binary { return bson.Binary{Data: b} }
	on := bson.E{Key: "tls", Value: true}
	roots := bson.E{Key: "ca", Value: bson.A{binary(ca.pem)}}
	for _, tc := range []struct {
		name    string
		server  *coretest.Fixture
		options bson.D
		kind    fault.Kind
	}{
		{"unknown authority", plain, bson.D{on}, fault.ServerSelection},
		{"ca as bytes", plain, bson.D{on, roots}, ""},
		{"ca as text", plain, bson.D{on, {Key: "ca", Value: string(ca.pem)}}, ""},
		{"ca file", plain, bson.D{on, {Key: "tlsCAFile", Value: file("ca.pem", ca.pem)}}, ""},
		{"any certificate", plain, bson.D{on, {Key: "tlsAllowInvalidCertificates", Value: true}}, ""},
		{"insecure", otherName, bson.D{on, {Key: "tlsInsecure", Value: true}}, ""},
		{"wrong name", otherName, bson.D{on, roots}, fault.ServerSelection},
		{"any name", otherName, bson.D{on, roots, {Key: "tlsAllowInvalidHostnames", Value: true}}, ""},
		{"any name, unknown authority", otherName, bson.D{on, {Key: "tlsAllowInvalidHostnames", Value: true}}, fault.ServerSelection},
		{"server name", otherName, bson.D{on, roots, {Key: "servername", Value: "elsewhere.example"}}, ""},
		{"no client certificate", mutual, bson.D{on, roots}, fault.ServerSelection},
		{"client certificate", mutual, bson.D{on, roots, {Key: "cert", Value: binary(cert)}, {Key: "key", Value: binary(key)}}, ""},
		{"client certificate file", mutual, bson.D{on, roots, {Key: "tlsCertificateKeyFile", Value: file("client.pem", key, cert)}}, ""},
		{"encrypted key", mutual, bson.D{on, roots, {Key: "tlsCertificateKeyFile", Value: file("locked.pem", lockedKey, locked)},
			{Key: "tlsCertificateKeyFilePassword", Value: "secret"}}, ""},
		{"wrong password", mutual, bson.D{on, roots, {Key: "tlsCertificateKeyFile", Value: file("locked.pem", lockedKey, locked)},
			{Key: "tlsCertificateKeyFilePassword", Value: "wrong"}}, fault.InvalidArgument},
		{"no tls", plain, bson.D{{Key: "tls", Value: false}}, fault.ServerSelection},
	} {
		t.Run(tc.name, func(t *testing.T) {
			timeout := 400 // of those that have to run into it
			if tc.kind == "" {
				timeout = 20000
			}
			options := append(bson.D{{Key: "serverSelectionTimeoutMS", Value: timeout}}, tc.options...)
			// tls13 servers refuse a client certificate only after the handshake, on the first read.
			client, err := driver.Connect(context.Background(), coretest.Params(t, tc.server.URI(), options))
			if err == nil {
				_, err = client.Run(context.Background(), coretest.Command(t, bson.D{{Key: "ping", Value: 1}}))
				_ = client.Close(context.Background())
			}
			if kindOf(err) != tc.kind {
				t.Fatalf("kind %q: %v", kindOf(err), err)
			}
		})
	}
}
