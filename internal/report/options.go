package report

import (
	"iter"

	"verbatim"
)

// An Input is a run and its records, in any order, each request once. Records
// may come without texts: neither prompts nor replies are looked at, only the
// facts of the item, outcome, grade, usage, times, cost, served model, failure and
// the tries of either.
type Input struct {
	Run verbatim.Run
	// Note is what must be said wherever the numbers appear, such as that the
	// model is simulated.
	Note    string
	Records iter.Seq2[verbatim.Record, error]
	// Pieces are the same records, cut into streams that may be read at the same
	// time, each by a goroutine of its own; none: Of reads Records. A record of a
	// piece need be good only until the next one is read.
	Pieces []iter.Seq2[verbatim.Record, error]
	// Unrecorded is the most that attempts without a record may have cost.
	Unrecorded verbatim.Money
	// Record reads the record at a place of the plan with all its texts, for samples;
	// nil: there are none.
	Record func(seq int64) (verbatim.Record, error)
}

// pieces are the streams that hold the records.
func (in *Input) pieces() []iter.Seq2[verbatim.Record, error] {
	if len(in.Pieces) > 0 {
		return in.Pieces
	}
	return []iter.Seq2[verbatim.Record, error]{in.Records}
}

// Options say what a Report holds.
type Options struct {
	Metric  Metric   // what the score column holds; empty: MetricScore
	GroupBy []string // facts, as GroupFacts lists them
	Samples int      // of every run, family and label
}
