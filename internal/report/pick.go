package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/recordview"
)

const (
	// maxSamples bounds the number of samples of all runs of a report together, and
	// maxSampleBytes the size of their texts.
	maxSamples     = 400
	maxSampleBytes = 330_000
	// maxKinds bounds the number of kinds whose positions are stored.
	maxKinds = 2048
)

// picks are the positions of the answers to show as samples: the first ones of every family and
// label in planned order, whatever the order of the records. Their number is bounded. The zero
// picks choose nothing.
type picks struct {
	each     int // at most so many of every family and label
	answered int64
	kinds    map[sampleKind][]int64 // positions, rising
	sorted   []sampleKind           // the keys of kinds
}

// A sampleKind is the answers of a family with one label.
type sampleKind struct{ family, label string }

func (k sampleKind) compare(o sampleKind) int {
	return cmp.Or(cmp.Compare(k.family, o.family), cmp.Compare(k.label, o.label))
}

// rightLabel is the label of right answers. One of a family is enough to see what a
// right answer looks like.
const rightLabel = "pass"

func newPicks(each int) picks {
	if each <= 0 {
		return picks{}
	}
	return picks{each: each, kinds: make(map[sampleKind][]int64)}
}

// add offers a record, unless it has no answer. Published scores without replies show nothing.
func (p *picks) add(rec *verbatim.Record) {
	if p.each == 0 || rec.Grade == nil || rec.Reply == nil || !rec.Outcome.Answered() {
		return
	}
	p.answered++
	if rec.Grade.Grader == "published" {
		return
	}
	k := sampleKind{familyOf(rec), rec.Grade.Label}
	if rec.Grade.Exact {
		k.label = rightLabel
	}
	p.offer(k, rec.Seq)
}

// offer stores a position if it is among the first of its kind.
func (p *picks) offer(k sampleKind, position int64) {
	positions, ok := p.kinds[k]
	if !ok {
		if k, ok = p.addKind(k); !ok {
			return
		}
	}
	limit := p.each
	if k.label == rightLabel {
		limit = 1
	}
	i, known := slices.BinarySearch(positions, position)
	if known || i == limit {
		return
	}
	positions = slices.Insert(positions, i, position)
	p.kinds[k] = positions[:min(len(positions), limit)]
}

// addKind adds a kind and returns it, in memory of its own. Of too many kinds the first ones of
// the alphabet remain, which do not depend on the order of the records; ok is false if k is not
// one of them.
func (p *picks) addKind(k sampleKind) (_ sampleKind, ok bool) {
	i, _ := slices.BinarySearchFunc(p.sorted, k, sampleKind.compare)
	if i == maxKinds {
		return k, false
	}
	k = sampleKind{strings.Clone(k.family), strings.Clone(k.label)}
	if p.sorted = slices.Insert(p.sorted, i, k); len(p.sorted) > maxKinds {
		delete(p.kinds, p.sorted[maxKinds])
		p.sorted = p.sorted[:maxKinds]
	}
	return k, true
}

// merge adds the picks of other records of the run: the result is as if all records had been
// offered to one.
func (p *picks) merge(o *picks) {
	p.answered += o.answered
	for _, k := range o.sorted {
		for _, position := range o.kinds[k] {
			p.offer(k, position)
		}
	}
}

// A candidate is a position to show. Those of a lower priority number come first.
type candidate struct {
	run, priority int
	position      int64
}

// candidates lists the positions of a run by what each adds to those before it: one answer of each
// label first, then one of each family, one of each kind, the others, and last the right answers.
func (p *picks) candidates(run int) []candidate {
	var list []candidate
	labels, families := make(map[string]bool), make(map[string]bool)
	kinds := slices.Clone(p.sorted)
	slices.SortStableFunc(kinds, func(a, b sampleKind) int { return cmp.Compare(p.kinds[a][0], p.kinds[b][0]) })
	for _, k := range kinds {
		for i, position := range p.kinds[k] {
			c := candidate{run: run, priority: 2 + i, position: position}
			switch {
			case k.label == rightLabel:
				c.priority = 3 + p.each
			case i > 0:
			case !labels[k.label]:
				c.priority = 0
			case !families[k.family]:
				c.priority = 1
			}
			if k.label != rightLabel {
				labels[k.label], families[k.family] = true, true
			}
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.position, b.position))
	})
	return list
}

// readSamples reads the records that were chosen of the runs, up to the bounds of samples. If not
// all have room, each run has as many. It returns nil if no samples are requested, or if no run can
// be read again.
func readSamples(o Options, inputs []Input, chosen []picks) (*Samples, error) {
	if o.Samples <= 0 || !slices.ContainsFunc(inputs, func(in Input) bool { return in.Record != nil }) {
		return nil, nil
	}
	s := &Samples{Each: o.Samples}
	queues := make([][]candidate, len(chosen))
	for i := range chosen {
		s.Of += chosen[i].answered
		if inputs[i].Record != nil {
			queues[i] = chosen[i].candidates(i)
		}
	}
	bytes := 0
	for _, c := range roundRobin(queues) {
		in := &inputs[c.run]
		rec, err := in.Record(c.position)
		if err != nil {
			return nil, fmt.Errorf("run %s: the record at position %d, to be shown as a sample: %w", in.Run.Name, c.position, err)
		}
		sample := Sample{Run: c.run, View: recordview.New(in.Run, rec)}
		sample.Cut = sample.Truncate()
		if bytes += sample.Size(); bytes > maxSampleBytes && len(s.List) > 0 {
			break
		}
		s.List = append(s.List, sample)
	}
	slices.SortStableFunc(s.List, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Seq, b.Seq))
	})
	return s, nil
}

// roundRobin takes one candidate of each queue after the other, at most maxSamples.
func roundRobin(queues [][]candidate) []candidate {
	var list []candidate
	for i := 0; len(list) < maxSamples; i++ {
		more := false
		for _, q := range queues {
			if i < len(q) && len(list) < maxSamples {
				list, more = append(list, q[i]), true
			}
		}
		if !more {
			break
		}
	}
	return list
}
