// Command devserver runs a MongoDB-protocol server for tests and the demo: FerretDB with its SQLite
// back end, on a free loopback port, with its data in a fresh temporary directory.
//
// It prints one line of JSON, {"uri": "mongodb://..."}, when it is ready. It stops on SIGTERM and
// SIGINT, and when its standard input closes, so that a killed parent never leaves it behind.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// stopLimit bounds a shutdown: FerretDB waits for its clients to leave, and the data is thrown away anyway.
const stopLimit = 300 * time.Millisecond

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "devserver:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "rumongo-devserver-")
	if err != nil {
		return fmt.Errorf("no temporary directory for the data: %w", err)
	}
	defer os.RemoveAll(dir)

	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	go func() {
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()

	db, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Handler:   "sqlite",
		SQLiteURL: "file:" + filepath.ToSlash(dir) + "/",
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError + 4})),
	})
	if err != nil {
		return fmt.Errorf("FerretDB did not start: %w", err)
	}

	done := make(chan error, 1)
	go func() { done <- db.Run(ctx) }()

	// MongoDBURI waits for Run to bind the port.
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"uri": db.MongoDBURI()}); err != nil {
		cancel()
	}

	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(stopLimit):
		return nil
	}
}
