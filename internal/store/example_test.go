package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"verbatim"
	"verbatim/internal/store"
)

// A run is started and written; then its records are read in the order of its plan.
func Example() {
	folder, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	if err := writeAndRead(context.Background(), filepath.Join(folder, "runs.db")); err != nil {
		fmt.Println(err)
	}
	// Output: mine/1 pass K7mQ
}

func writeAndRead(ctx context.Context, path string) error {
	s, err := store.Create(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	run, _, err := s.Begin(ctx, verbatim.Run{Model: "sim:perfect", Plan: verbatim.Plan{Hash: "abc", Suite: "custom", Trials: 1, Count: 1}}, true)
	if err != nil {
		return err
	}
	w, err := s.Write(ctx, nil, run.N)
	if err != nil {
		return err
	}
	item := &verbatim.Item{ID: "mine/1", Grader: "text", Want: verbatim.TextAnswer("K7mQ")}
	rec := verbatim.Record{Seq: 0, Item: item, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "K7mQ"},
		Grade: &verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Exact: true, Extracted: true, Grader: "text/4"}}
	if err := w.Put(ctx, run.N, rec); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	for rec, err := range s.Records(ctx, run.N, store.Read{Texts: true}) {
		if err != nil {
			return err
		}
		fmt.Println(rec.Item.ID, rec.Outcome, rec.Reply.Text)
	}
	return nil
}
