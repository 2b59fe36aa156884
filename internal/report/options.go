package report

import (
	"iter"

	"verbatim"
)

// An Input is a run and its records, in any order, each request once. Records may come without the
// texts of prompts and replies, which Of does not read.
type Input struct {
	Run verbatim.Run
	// Note is a remark that must be next to the numbers, such as that the model is simulated.
	Note    string
	Records iter.Seq2[verbatim.Record, error]
	// Pieces are the same records, split into streams that goroutines may read at the same
	// time. Without pieces, Of reads Records. A record of a piece is valid only until the next
	// one is read.
	Pieces []iter.Seq2[verbatim.Record, error]
	// Unrecorded is the maximum cost of attempts without a record.
	Unrecorded verbatim.Money
	// Record reads the record at a position of the plan with all its texts, for samples. Nil:
	// samples of this run cannot be read.
	Record func(seq int64) (verbatim.Record, error)
}

// pieces returns the streams of the records.
func (in *Input) pieces() []iter.Seq2[verbatim.Record, error] {
	if len(in.Pieces) > 0 {
		return in.Pieces
	}
	return []iter.Seq2[verbatim.Record, error]{in.Records}
}

// Options say what a Report holds.
type Options struct {
	Metric  Metric   // of the score column; empty: MetricScore
	GroupBy []string // facts, as ParseGroupBy returns them
	Samples int      // at most so many of every run, family and label
}
