package store

import (
	"bufio"
	"context"
	"io"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// Import reads the lines of Export into a database. store.Store.Import is its contract.
func Import(ctx context.Context, f *sqlite.File, r io.Reader) ([]importResult, error) {
	in := &importer{file: f, ctx: ctx, r: bufio.NewReaderSize(r, 1<<16), plans: map[string]*verbatim.Plan{}}
	if err := removeLeftovers(ctx, f); err != nil {
		return nil, err
	}
	if err := in.begin(); err != nil {
		return nil, err
	}
	var done []importResult
	for {
		l, err := in.next()
		if err == io.EOF {
			return done, nil
		}
		if err != nil {
			return done, err
		}
		switch {
		case l.Format != "":
		case l.Plan != nil:
			in.plans[l.Plan.Hash] = l.Plan
		case l.Run != nil:
			if err := in.run(l.Run); err != nil {
				return done, err
			}
			done = append(done, in.result)
		default:
			return done, in.bad("this line belongs to a run, but there is no run line before it")
		}
	}
}
