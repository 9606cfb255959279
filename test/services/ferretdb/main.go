// Runs FerretDB, which speaks MongoDB's protocol and keeps its data in SQLite, for tests on machines without MongoDB.
// Arguments: the address to listen on, and a folder. Ends when its standard input does, so that it never outlives a test run.
package main

import (
	"context"
	"io"
	"log/slog"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: os.Args[1]},
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[2] + "/",
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	os.Stdout.WriteString("listening\n")
	_ = server.Run(ctx)
}
