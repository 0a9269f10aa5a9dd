package driver

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"

	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"rumongo-go/core/fault"
)

// tlsSettings collects the tls options. Node.js brings its own roots, so certificates also come as bytes (ca, cert,
// key) and not only as files.
type tlsSettings struct {
	enabled                               *bool
	insecure, anyCertificate, anyHostname bool
	caFile, certificateKeyFile, password  string
	serverName                            string
	ca, cert, key                         []byte
}

func (t *tlsSettings) wanted(opts *options.ClientOptions) bool {
	if t.enabled != nil {
		return *t.enabled
	}
	return opts.TLSConfig != nil || t.caFile != "" || t.certificateKeyFile != "" || len(t.ca) > 0 || len(t.cert) > 0
}

func (t *tlsSettings) apply(opts *options.ClientOptions) error {
	if !t.wanted(opts) {
		opts.TLSConfig = nil
		return nil
	}
	config := &tls.Config{}
	if opts.TLSConfig != nil {
		config = opts.TLSConfig.Clone()
	}
	config.MinVersion = tls.VersionTLS12
	if t.serverName != "" {
		config.ServerName = t.serverName
	}
	if err := t.roots(config); err != nil {
		return err
	}
	if err := t.certificate(config); err != nil {
		return err
	}
	switch {
	case t.insecure, t.anyCertificate:
		config.InsecureSkipVerify = true
	case t.anyHostname:
		verifyWithoutHostname(config)
	}
	opts.SetTLSConfig(config)
	return nil
}

func (t *tlsSettings) roots(config *tls.Config) error {
	pem := t.ca
	if t.caFile != "" {
		file, err := os.ReadFile(t.caFile)
		if err != nil {
			return fault.New(fault.InvalidArgument, "option \"tlsCAFile\": %v", err)
		}
		pem = append(append([]byte(nil), pem...), file...)
	}
	if len(pem) == 0 {
		return nil
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return fault.New(fault.InvalidArgument, "option \"ca\" or \"tlsCAFile\" holds no certificate in PEM format")
	}
	return nil
}

func (t *tlsSettings) certificate(config *tls.Config) error {
	cert, key := t.cert, t.key
	if t.certificateKeyFile != "" {
		file, err := os.ReadFile(t.certificateKeyFile)
		if err != nil {
			return fault.New(fault.InvalidArgument, "option \"tlsCertificateKeyFile\": %v", err)
		}
		cert, key = file, file
	}
	if len(cert) == 0 {
		return nil
	}
	if len(key) == 0 {
		key = cert
	}
	key, err := decryptKey(key, t.password)
	if err != nil {
		return fault.New(fault.InvalidArgument, "the client key cannot be read: %v", err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fault.New(fault.InvalidArgument, "the client certificate cannot be used: %v", err)
	}
	config.Certificates = []tls.Certificate{pair}
	return nil
}

// verifyWithoutHostname checks the chain and leaves the name out. InsecureSkipVerify alone would check neither.
func verifyWithoutHostname(config *tls.Config) {
	config.InsecureSkipVerify = true
	roots := config.RootCAs
	config.VerifyConnection = func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 {
			return errors.New("the server sent no certificate")
		}
		intermediates := x509.NewCertPool()
		for _, cert := range state.PeerCertificates[1:] {
			intermediates.AddCert(cert)
		}
		_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: intermediates})
		return err
	}
}
