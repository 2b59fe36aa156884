package jsonlines

import (
	"fmt"
	"time"

	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

type batchLine struct {
	Key       string     `json:"key"`
	ID        string     `json:"id,omitempty"` // the provider's
	Phase     rows.Phase `json:"state"`
	Positions string     `json:"positions"` // "0-99,105"
	Raw       string     `json:"raw,omitempty"`
	Intended  *time.Time `json:"intended,omitempty"`
	Submitted *time.Time `json:"submitted,omitempty"`
	Ended     *time.Time `json:"ended,omitempty"`
}

func batchLineOf(b *rows.Batch) *batchLine {
	return &batchLine{Key: b.Key, ID: b.ID, Phase: b.Phase, Positions: rows.FormatRanges(b.Positions), Raw: b.Raw,
		Intended: stamp(b.Intended), Submitted: stamp(b.Submitted), Ended: stamp(b.Ended)}
}

// batch is the reverse of batchLineOf.
func (l *batchLine) batch(run int64) (rows.Batch, error) {
	b := rows.Batch{Run: run, Key: l.Key, ID: l.ID, Phase: l.Phase, Raw: l.Raw,
		Intended: unstamp(l.Intended), Submitted: unstamp(l.Submitted), Ended: unstamp(l.Ended)}
	if l.Key == "" {
		return b, fmt.Errorf("a batch has a key")
	}
	if _, err := rows.CodeOf(rows.Phases, l.Phase); err != nil {
		return b, fmt.Errorf("batch %s: %w", l.Key, err)
	}
	if l.ID == "" && (l.Phase == rows.Submitted || l.Phase == rows.Collected) {
		return b, fmt.Errorf("batch %s is %s and has no id", l.Key, l.Phase)
	}
	var err error
	if b.Positions, err = rows.ParseRanges(l.Positions); err != nil {
		return b, fmt.Errorf("batch %s: %w", l.Key, err)
	}
	return b, nil
}

// batch keeps a batch that is new, and of one that is here already what the line
// knows of a later phase.
func (in *importer) batch(l *batchLine) error {
	b, err := l.batch(in.id)
	if err != nil {
		return in.bad("%w", err)
	}
	known, err := in.c.QueryOne(in.ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM batch WHERE key = ?`, b.Key)
	if err != nil {
		return err
	}
	if !known {
		return b.Insert(in.c)
	}
	here, err := rows.ReadBatch(in.ctx, in.c, b.Key)
	if err != nil {
		return err
	}
	if here.Run != b.Run || rows.FormatRanges(here.Positions) != l.Positions {
		return in.bad("batch %s is here already and asks something else", b.Key)
	}
	there, _ := rows.CodeOf(rows.Phases, b.Phase) // batch has made sure of it
	if ours, err := rows.CodeOf(rows.Phases, here.Phase); err != nil || there <= ours {
		return err
	}
	return b.Update(in.c)
}
