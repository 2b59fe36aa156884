package report

import (
	"cmp"
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/stats"
	"verbatim/internal/verdict"
)

// An entry holds what cells count of a record. It is read once for all cells.
type entry struct {
	slot                          int
	answered                      bool
	exact, extracted, scored      bool
	score                         float64
	label                         string
	first, content, queued, total stats.Bucketed
	usage                         verbatim.Usage
	bill                          bill
	item                          uint64      // see itemKey; 0: answers are not counted by item
	over                          *overTrials // nil: the metric is of one answer
}

// An overTrials is a metric over the trials of an item.
type overTrials struct {
	score  verdict.ItemScoreFunc
	trials int // of each item, as planned
}

// read returns the entry of a record, without item and over. The error says how the record
// contradicts itself.
func read(metric Metric, rec *verbatim.Record) (m entry, err error) {
	if m.slot, err = slot(rec.Outcome); err != nil {
		return m, err
	}
	if m.answered = rec.Outcome.Answered(); m.answered {
		g := rec.Grade
		if g == nil {
			return m, errkind.Damagedf("outcome %s, but no grade", rec.Outcome)
		}
		m.exact, m.extracted, m.label = g.Exact, g.Extracted, g.Label
		m.score, m.scored = metric.Score(rec.Item, g)
	}
	m.bill.add(rec)
	m.first, m.content, m.queued, m.total = stats.Unbucketed, stats.Unbucketed, stats.Unbucketed, stats.Unbucketed
	if r := rec.Reply; r != nil {
		m.usage = r.Usage
		m.total = stats.BucketOf(r.Times.Total.Seconds())
		if q := r.Times.Queued; q != nil {
			m.queued = stats.BucketOf(max(*q, time.Nanosecond).Seconds()) // a wait of 0 counts
		}
		content, first := r.Times.FirstContent, r.Times.FirstToken()
		if content != nil {
			m.content = stats.BucketOf(content.Seconds())
		}
		switch {
		case first == nil:
		case content != nil && *first == *content: // saves a logarithm
			m.first = m.content
		default:
			m.first = stats.BucketOf(first.Seconds())
		}
	}
	return m, nil
}

// slot returns the index of an outcome in verbatim.Outcomes.
func slot(o verbatim.Outcome) (int, error) {
	switch o {
	case verbatim.Pass:
		return 0, nil
	case verbatim.Wrapped:
		return 1, nil
	case verbatim.Wrong:
		return 2, nil
	case verbatim.Refused:
		return 3, nil
	case verbatim.Truncated:
		return 4, nil
	case verbatim.CutOff:
		return 5, nil
	case verbatim.Errored:
		return 6, nil
	case verbatim.Skipped:
		return 7, nil
	}
	return 0, fmt.Errorf("there is no outcome %q", o)
}

// familyOf returns the family of a record. Items of users may have none.
func familyOf(rec *verbatim.Record) string {
	return cmp.Or(rec.Item.Facts[verbatim.FactFamily], "items")
}

// itemID returns the ID of the item of a record; "(none)" without an item.
func itemID(rec *verbatim.Record) string {
	if rec.Item == nil {
		return "(none)"
	}
	return rec.Item.ID
}
