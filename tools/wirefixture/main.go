// Command wirefixture serves pre-encoded documents over the MongoDB wire protocol at memory speed.
// It backs the benchmarks, the type and command tests and the fault tests.
//
// It prints one line of JSON, {"uri": "mongodb://..."}, when it is ready; with TLS also where the
// certificates are that it made: {"tls": {"ca": file, "client": file}}. It stops on SIGTERM and
// SIGINT, and when its standard input closes, so that a killed parent never leaves it behind.
package main

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"rumongo-go/tools/wirefixture/fixture"
)

type settings struct {
	options fixture.Options
	dir     string         // of the certificates, removed at the end; empty if there are none
	files   *fixture.Files // what is in it
}

func main() {
	// The heap is large (whole sets) and nearly constant, so collecting at the usual rate buys nothing,
	// and the client under measurement shares the cores.
	debug.SetGCPercent(400)
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "wirefixture:", err)
		os.Exit(1)
	}
}

func run() error {
	s, err := parse()
	defer os.RemoveAll(s.dir) // an empty name removes nothing
	if err != nil {
		return err
	}
	server, err := fixture.Start(s.options)
	if err != nil {
		return err
	}
	defer server.Close()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		stop <- syscall.SIGTERM
	}()
	ready := map[string]any{"uri": server.URI()}
	if s.options.TLS != nil {
		ready["uri"] = server.URI() + "?tls=true"
	}
	if s.files != nil {
		ready["tls"] = s.files
	}
	if err := json.NewEncoder(os.Stdout).Encode(ready); err == nil {
		<-stop
	}
	return nil
}

func parse() (s settings, err error) {
	flag.StringVar(&s.options.Addr, "addr", "127.0.0.1:0", "TCP address to listen on")
	flag.DurationVar(&s.options.Delay, "delay", 0, "time added before every reply, a stand-in for the round trip")
	flag.StringVar(&s.options.Topology, "topology", "", "play a replicaSet's primary, its secondary, a mongos or a loadBalancer")
	compressors := flag.String("compressors", strings.Join(fixture.Compressors, ","), "compressors to agree to; empty: none")
	secure := flag.Bool("tls", false, "speak TLS, with a certificate for 127.0.0.1 and localhost made for the occasion")
	wantClient := flag.Bool("tls-client", false, "with -tls: clients must show the certificate that was made for them")
	cert := flag.String("tls-cert", "", "speak TLS with the certificate in this PEM file")
	key := flag.String("tls-key", "", "its key, if it is in another file")
	flag.Parse()

	s.options.Compressors = strings.FieldsFunc(*compressors, func(r rune) bool { return r == ',' })
	if s.options.Compressors == nil {
		s.options.Compressors = []string{}
	}
	switch {
	case *cert != "" && *secure:
		return s, errors.New("give either -tls, which makes a certificate, or -tls-cert, which takes one")
	case *cert != "":
		if *key == "" {
			key = cert
		}
		pair, err := tls.LoadX509KeyPair(*cert, *key)
		s.options.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
		return s, err
	case *secure:
		return s, s.makeCertificates(*wantClient)
	}
	return s, nil
}

func (s *settings) makeCertificates(wantClient bool) error {
	c, err := fixture.NewCertificates()
	if err != nil {
		return err
	}
	if s.options.TLS, err = c.Config(wantClient); err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp("", "wirefixture-"); err != nil {
		return err
	}
	files, err := c.Write(s.dir)
	s.files = &files
	return err
}
