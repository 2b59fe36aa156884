package earlystop

import (
	"fmt"
	"math"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// counts are the sums over the blocks that a test has added to its rules.
type counts struct {
	pairs      int // items with an answer of both sides
	missing    int // items without an answer in the baseline
	unanswered int // items sent and not answered
	unscored   int
	// truncated counts the answers that were truncated and could still have become right, of
	// the baseline and of the model. An item of the baseline counts with its share of such
	// trials.
	truncated [2]float64
	scores    [2]float64 // sums of the scores, of the baseline and of the model
	diffs     []float64  // of the pairs, in the order in which they were added
	strata    stats.Strata
	verdict   sequential.Decision
	finalLook bool // the verdict comes from the final look
	withheld  Reason
	changes   Changes
}

// decide adds the blocks whose answers have all arrived, and ends the test if there is a
// reason.
func (t *Test) decide() error {
	for !t.finished && t.decided < t.end && t.arrived(t.decided) {
		if err := t.feed(t.decided); err != nil {
			return err
		}
		t.decided += t.baseline.block
		t.nextItem = max(t.nextItem, t.decided)
		if err := t.conclude(); err != nil {
			return err
		}
	}
	t.updateProgress()
	return nil
}

// arrived reports whether all requests of the block that starts at an index are answered.
func (t *Test) arrived(start int) bool {
	for i := start; i < start+t.baseline.block; i++ {
		a, ok := t.answers[t.baseline.items[i].seq]
		if t.sendable(i) && (!ok || a.Outcome == verbatim.Skipped) {
			return false
		}
	}
	return true
}

// feed counts the items of a block and adds their differences to the rules.
func (t *Test) feed(start int) error {
	var block []float64
	for i := start; i < start+t.baseline.block; i++ {
		it := &t.baseline.items[i]
		a, sent := t.answers[it.seq]
		delete(t.answers, it.seq)
		delete(t.inFlight, it.seq)
		switch {
		case !it.answered():
			t.counts.missing++
		case !sent: // its block is incomplete, and left out of the benchmark
		case !a.Answered():
			t.counts.unanswered++
		default:
			d, err := t.addPair(it, a)
			if err != nil {
				return err
			}
			block = append(block, d)
		}
	}
	return t.feedRules(start, block)
}

// feedRules adds the differences of a block to the rules.
func (t *Test) feedRules(start int, block []float64) error {
	for _, r := range t.rules {
		before := r.Decision()
		var err error
		switch {
		case r.scope == Endpoint:
			_, err = r.Add(block) // the rest of the block counts
		case !t.complete(start / t.baseline.block): // not part of the benchmark
		case len(block) < t.baseline.block:
			err = r.Shrink(t.baseline.block)
		default:
			_, err = r.Add(block)
		}
		if err != nil {
			return fmt.Errorf("the differences of items %d to %d: %w", start+1, start+t.baseline.block, err)
		}
		if before == sequential.Undecided && r.Decision() != sequential.Undecided {
			r.at = t.counts.pairs
		}
	}
	return nil
}

// addPair counts an item with an answer of both sides, and returns its difference: the
// score now minus the score in the baseline.
func (t *Test) addPair(it *baselineItem, a verdict.Answer) (float64, error) {
	d := a.Score - it.score
	if math.IsNaN(d) || d < -1 || d > 1 {
		return 0, &verdict.Refusal{
			Why: fmt.Sprintf("item %s: its score is %v in the baseline and %v here; scores must be between 0 and 1", it.id, it.score, a.Score),
			Do:  "choose another score with --metric",
		}
	}
	s := &t.counts
	s.pairs++
	s.diffs = append(s.diffs, d)
	s.scores[0] += it.score
	s.scores[1] += a.Score
	s.truncated[0] += float64(it.undecided) / float64(it.answers)
	if a.Undecided {
		s.truncated[1]++
	}
	if a.Undefined() {
		s.unscored++
	}
	s.changes.add(it, a)
	return d, s.strata.Add(it.cell, d)
}

// conclude ends the test at the end of a block, if there is a reason.
//
// A verdict waits while too many answers are missing or truncated: one of the first twenty means
// little. The test ends without further requests if a limit is exceeded whatever comes.
func (t *Test) conclude() error {
	s := &t.counts
	s.verdict = t.rules[0].Decision()
	if s.withheld = t.exceeded(t.end - t.decided); s.withheld != "" {
		t.finished = true
		return nil
	}
	reason := t.exceeded(0)
	switch {
	case s.verdict != sequential.Undecided && reason == "":
		t.finished = true
	case t.decided == t.end:
		t.finished, s.withheld = true, reason
		return t.finalLook()
	}
	return nil
}

// finalLook takes the one final look after the last item of the baseline. A test that ends at a
// smaller --items has none: that number can be raised, and each further look would add errors of
// its own.
func (t *Test) finalLook() error {
	s := &t.counts
	if t.end < len(t.baseline.items) || s.pairs == 0 || s.verdict != sequential.Undecided {
		return nil
	}
	b, err := s.strata.Bounds(false)
	if err != nil {
		return err
	}
	if s.verdict = t.rules[0].FinalLook(b); s.verdict != sequential.Undecided {
		s.finalLook = true
		t.rules[0].at = s.pairs
	}
	return nil
}

// Together decides the gates of several models of one baseline together. Each had an equal part of
// alpha until it stopped. Now Holm's method adjusts the p-values of all "pass" together, and those of
// all "worse": a gate that is undecided may be decided, because others are. So of all gates together
// each kind of wrong verdict has a probability of at most alpha/2, and as much again of final looks. A p-value holds whenever its gate
// stops, and what the first step decided stays decided.
func Together(gates []*Test, alpha float64) error {
	for side := range 2 {
		p := make([]float64, len(gates))
		for i, t := range gates {
			p[i] = t.rules[0].rule.(*sequential.Gate).PValues()[side]
		}
		for i, adjusted := range stats.Holm(p) {
			t := gates[i]
			if adjusted > alpha/2 || t.word() != verdict.Inconclusive || t.rules[0].Decision() != sequential.Undecided {
				continue
			}
			t.Alpha = alpha * p[i] / adjusted
			t.rules[0].rule.(*sequential.Gate).Relax(t.Alpha)
			t.rules[0].at = t.counts.pairs
			if err := t.conclude(); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookedLast reports whether the test had the final look.
func (t *Test) lookedLast() bool {
	return t.Scope == Endpoint && t.finished && t.decided == len(t.baseline.items) && t.counts.pairs > 0 && t.rules[0].Decision() == sequential.Undecided
}

// exceeded returns the limit that is exceeded even if all of the next items are answered
// without truncation.
func (t *Test) exceeded(items int) Reason {
	s := &t.counts
	lost, pairs := float64(s.missing+s.unanswered), float64(s.pairs+items)
	switch {
	case lost > t.MaxUnanswered*(pairs+lost):
		return ReasonUnanswered
	case math.Abs(s.truncated[1]-s.truncated[0]) > t.MaxTruncatedGap*pairs:
		return ReasonTruncated
	}
	return ""
}

// updateProgress stores the state for Progress.
func (t *Test) updateProgress() {
	s := progress{Pairs: int64(t.counts.pairs), Allowed: int64(t.allowed), Word: t.word()}
	if t.counts.pairs > 0 {
		d := (t.counts.scores[1] - t.counts.scores[0]) / float64(t.counts.pairs)
		s.Difference = &d
	}
	t.mu.Lock()
	t.progress = s
	t.mu.Unlock()
}
