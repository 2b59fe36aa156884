package store

import (
	"errors"
	"slices"
	"testing"

	"verbatim"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// TestInsertNeedsWords: a record one of whose words cannot be saved is an error, by itself and
// among others.
func TestInsertNeedsWords(t *testing.T) {
	const refused = "refused"
	for name, set := range map[string]func(*verbatim.Record){
		"series":          func(r *verbatim.Record) { r.Item.ID = refused + "/1" },
		"item's grader":   func(r *verbatim.Record) { r.Item.Grader = refused },
		"grader":          func(r *verbatim.Record) { r.Grade.Grader = refused },
		"label":           func(r *verbatim.Record) { r.Grade.Label = refused },
		"repair":          func(r *verbatim.Record) { r.Grade.Repair = refused },
		"rule":            func(r *verbatim.Record) { r.Grade.Rule = refused },
		"flags":           func(r *verbatim.Record) { r.Grade.Flags = []string{refused} },
		"measure":         func(r *verbatim.Record) { r.Grade.Measures = map[string]float64{refused: 1} },
		"finish reason":   func(r *verbatim.Record) { r.Reply.FinishRaw = refused },
		"served model":    func(r *verbatim.Record) { r.Reply.ServedModel = refused },
		"fingerprint":     func(r *verbatim.Record) { r.Reply.Fingerprint = refused },
		"reasoning field": func(r *verbatim.Record) { r.Reply.ReasoningField = refused },
		"sent":            func(r *verbatim.Record) { r.Reply.Sent = refused },
		"applied":         func(r *verbatim.Record) { r.Reply.Applied = refused },
		"batch":           func(r *verbatim.Record) { r.Reply.Batch = refused },
		"upstream":        func(r *verbatim.Record) { r.Reply.Attempts[0].Upstream = refused },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			run := newRun(t, s, "m", "h")
			must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
				_, _, err := c.ExecOnce(`CREATE TRIGGER refuse BEFORE INSERT ON word WHEN instr(NEW.text, 'refused') BEGIN SELECT RAISE(ABORT, 'this word is refused'); END`)
				return err
			}))
			for _, n := range []int64{1, atOnce} {
				var group []*Entry
				for seq := range n {
					rec := storetest.Typical(seq)
					if seq == n-1 {
						set(&rec)
					}
					e, err := newEntry(run.N, rec)
					must(t, err)
					group = append(group, &e)
				}
				err := s.file.Update(ctx, func(c *sqlite.Conn) error {
					if err := newInserter(c).insertAll(group, func(*Entry, verbatim.Outcome) {}); err != nil {
						return err
					}
					return errors.New("no error")
				})
				if e, ok := errors.AsType[*sqlite.Error](err); !ok || e.Err == nil || slices.Contains([]sqlite.Kind{sqlite.Locked, sqlite.Moved}, e.Kind) {
					t.Errorf("%d records: %v", n, err)
				}
			}
		})
	}
}
