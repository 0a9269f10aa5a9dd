// Command wirefixture serves pre-encoded documents over the MongoDB wire protocol at memory speed.
// It backs the benchmarks, the type and command tests and the fault tests.
//
// It prints one line of JSON, {"uri": "mongodb://..."}, when it is ready. It stops on SIGTERM and
// SIGINT, and when its standard input closes, so that a killed parent never leaves it behind.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"rumongo-go/tools/wirefixture/fixture"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "TCP address to listen on")
	delay := flag.Duration("delay", 0, "time added before every reply, a stand-in for the round trip")
	flag.Parse()

	// The heap is large (whole sets) and nearly constant, so collecting at the usual rate buys nothing,
	// and the client under measurement shares the cores.
	debug.SetGCPercent(400)

	server, err := fixture.Start(fixture.Options{Addr: *addr, Delay: *delay})
	if err != nil {
		fmt.Fprintln(os.Stderr, "wirefixture:", err)
		os.Exit(1)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		stop <- syscall.SIGTERM
	}()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"uri": server.URI()}); err == nil {
		<-stop
	}
	server.Close()
}
