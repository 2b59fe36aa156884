package store

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// TestLostRows removes single rows, as damage does that SQLite does not notice. Every
// reader of the whole run reports it, and Verify says what is missing.
func TestLostRows(t *testing.T) {
	exhaustive.Only(t)
	original := filepath.Join(t.TempDir(), "verbatim.db")
	filled, err := Create(ctx, original)
	must(t, err)
	run := newRun(t, filled, "m", "h")
	fillRun(t, filled, run.N, 900)
	must(t, filled.Close())
	saved, err := os.ReadFile(original)
	must(t, err)
	for _, c := range []struct {
		sql   string
		only  string // what notices it, in addition to Export and Verify; empty: all readers
		wrong string
	}{
		{`DELETE FROM reply WHERE place & 4294967295 = 700`, "", "has 900 records, and 899 can be read"},
		{`DELETE FROM item WHERE id = 500`, "texts", "1 records have no item"},
		{`DELETE FROM question WHERE item = 500`, "texts", "1 records have no question"},
		{`DELETE FROM answer WHERE place & 4294967295 = 300`, "texts", "1 replies have no text"},
		{`DELETE FROM grade WHERE place & 4294967295 = 899`, "texts measures", "1 answers have no grade"},
		{`UPDATE tally SET n = n - 1`, "", "counts of outcomes"},
		{`UPDATE question SET want = '"other"' WHERE item = 3`, "texts", "does not have its hash"},
		{`UPDATE reply SET outcome = 3 WHERE place & 4294967295 = 5`, "texts", "differs from its columns"},
		{`DELETE FROM word WHERE id = (SELECT label FROM grade LIMIT 1)`, "", "a word is missing"},
		{`INSERT INTO answer (place) VALUES (99 << 32)`, "none", "1 texts belong to no run"},
	} {
		path := filepath.Join(t.TempDir(), "verbatim.db")
		must(t, os.WriteFile(path, saved, 0o600))
		s := create(t, path)
		must(t, s.file.With(func(c1 *sqlite.Conn) error {
			_, _, err := c1.ExecOnce(c.sql)
			return err
		}))
		read := func(what Read) error {
			for _, err := range s.Records(ctx, run.N, what) {
				if err != nil {
					return err
				}
			}
			return nil
		}
		pieces := func() error {
			for _, piece := range s.Pieces(ctx, run.N, Read{Tables: true}, 900, 4) {
				for _, err := range piece {
					if err != nil {
						return err
					}
				}
			}
			return nil
		}
		_, spentErr := s.Spending(ctx, run.N)
		_, placesErr := s.Positions(ctx, run.N)
		for kind, err := range map[string]error{
			"texts": read(whole), "measures": read(Read{Scores: true, Measures: true}), "scores": read(Read{Scores: true}),
			"tables": read(Read{Tables: true}), "narrow": read(Read{Attempts: true}), "pieces": pieces(), "spent": spentErr, "places": placesErr,
		} {
			noticed := err != nil
			finds := c.only == "" && !(strings.Contains(c.sql, "word") && (kind == "spent" || kind == "places")) || strings.Contains(c.only, kind)
			if finds && !noticed {
				t.Errorf("%s: %s notice nothing", c.sql, kind)
			}
			if noticed {
				wantKind(t, err, sqlite.Corrupt)
			}
		}
		if c.wrong != "1 texts belong to no run" {
			var lines bytes.Buffer
			wantKind(t, s.Export(ctx, &lines, run.N), sqlite.Corrupt)
			if strings.Contains(lines.String(), `"end":`) {
				t.Errorf("%s: the export claims to be whole", c.sql)
			}
			if _, err := newStore(t).Import(ctx, &lines); err == nil {
				t.Errorf("%s: the export that failed is imported", c.sql)
			}
		}
		var found []string
		rest, err := s.Verify(ctx, func(v Verification) { found = append(found, v.Wrong...) })
		must(t, err)
		if all := strings.Join(append(found, rest...), "\n"); !strings.Contains(all, c.wrong) {
			t.Errorf("%s: Verify says %q, want %q", c.sql, all, c.wrong)
		}
	}
}

// TestPiecesOfAGrowingRun reads pieces of a run that grows while they are read.
func TestPiecesOfAGrowingRun(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	fillRun(t, s, run.N, 100)
	n := 0
	for i, piece := range s.Pieces(ctx, run.N, Read{Scores: true}, 400, 4) {
		for _, err := range piece {
			must(t, err)
			n++
		}
		keep(t, s, run.N, storetest.Typical(int64(100+i)), storetest.Typical(int64(300+i)))
	}
	if n < 100 {
		t.Errorf("%d records", n)
	}
	must(t, s.Export(ctx, io.Discard, run.N))
	rest, err := s.Verify(ctx, func(v Verification) {
		if len(v.Wrong) > 0 || v.Records != 108 || v.Run.Name != run.Name {
			t.Errorf("%+v", v)
		}
	})
	if err != nil || len(rest) > 0 {
		t.Error(rest, err)
	}
	for _, err := range s.Records(ctx, run.N, Read{From: 50, Positions: 5}) { // a part is no whole run
		must(t, err)
	}
	var seen verbatim.Record
	for rec, err := range s.Records(ctx, run.N, Read{Positions: 1}) {
		must(t, err)
		seen = rec
	}
	if seen.Seq != 0 {
		t.Error(seen.Seq)
	}
}
