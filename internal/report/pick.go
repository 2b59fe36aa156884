package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/listsort"
	"verbatim/internal/recordview"
)

const (
	// maxSamples bounds the samples of all runs of a report together, and
	// maxSampleBytes what is kept of their texts.
	maxSamples     = 400
	maxSampleBytes = 330_000
	// maxKinds bounds the kinds of which positions are kept.
	maxKinds = 2048
)

// picks are the positions of answers to be looked at, chosen while records are folded:
// of every family and label the first ones in planned order, whatever the order in
// which the records come. They are few, however many records there are. The zero
// picks choose nothing.
type picks struct {
	each     int // of every family and label
	answered int64
	kinds    map[sampleKind]*pick
	sorted   []sampleKind
}

// A sampleKind is what samples are chosen of: the answers of a family with one label.
type sampleKind struct{ family, label string }

func (k sampleKind) compare(o sampleKind) int {
	return cmp.Or(cmp.Compare(k.family, o.family), cmp.Compare(k.label, o.label))
}

// A pick holds the first positions of a kind, in order.
type pick struct{ places []int64 }

// rightLabel is the label of right answers. One of a family is enough to see what a
// right answer looks like.
const rightLabel = "pass"

func newPicks(each int) picks {
	if each <= 0 {
		return picks{}
	}
	return picks{each: each, kinds: make(map[sampleKind]*pick)}
}

// add offers a record. Scores that were published without answers show nothing, and
// neither does what was never answered.
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

// offer takes a position in where it is among the first of its kind. Of too many kinds the
// first ones of the alphabet are kept: which they are does not depend on the order in
// which they are offered.
func (p *picks) offer(k sampleKind, position int64) {
	at, ok := p.kinds[k]
	if !ok {
		i, _ := slices.BinarySearchFunc(p.sorted, k, sampleKind.compare)
		if i == maxKinds {
			return
		}
		k = sampleKind{strings.Clone(k.family), strings.Clone(k.label)} // the record's memory is not kept
		at = new(pick)
		p.kinds[k] = at
		if p.sorted = slices.Insert(p.sorted, i, k); len(p.sorted) > maxKinds {
			delete(p.kinds, p.sorted[maxKinds])
			p.sorted = p.sorted[:maxKinds]
		}
	}
	most := p.each
	if k.label == rightLabel {
		most = 1
	}
	if len(at.places) == most && at.places[most-1] <= position {
		return
	}
	i, known := slices.BinarySearch(at.places, position)
	if known {
		return
	}
	if at.places = slices.Insert(at.places, i, position); len(at.places) > most {
		at.places = at.places[:most]
	}
}

// merge takes in what was chosen of other records of the run: the result is as if all
// had been offered to one.
func (p *picks) merge(o *picks) {
	p.answered += o.answered
	for _, k := range o.sorted {
		for _, position := range o.kinds[k].places {
			p.offer(k, position)
		}
	}
}

// order returns the kinds by their first positions.
func (p *picks) order() []sampleKind {
	list := slices.Clone(p.sorted)
	listsort.Stable(list, func(a, b sampleKind) int { return cmp.Compare(p.kinds[a].places[0], p.kinds[b].places[0]) })
	return list
}

// A wish is a position to look at; those of a lower turn come first.
type wish struct {
	run, turn int
	place     int64
}

// wishes orders what was chosen in a run by what it adds to what is seen before it: one
// of each label first, then one of each family, one of each kind, the other ones, and
// at last the right ones.
func (p *picks) wishes(run int) []wish {
	var list []wish
	labels, families := make(map[string]bool), make(map[string]bool)
	for _, k := range p.order() {
		for i, position := range p.kinds[k].places {
			w := wish{run: run, turn: 2 + i, place: position}
			switch {
			case k.label == rightLabel:
				w.turn = 3 + p.each
			case i > 0:
			case !labels[k.label]:
				w.turn = 0
			case !families[k.family]:
				w.turn = 1
			}
			if k.label != rightLabel {
				labels[k.label], families[k.family] = true, true
			}
			list = append(list, w)
		}
	}
	listsort.Stable(list, func(a, b wish) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.place, b.place))
	})
	return list
}

// look reads and shows what was chosen of the runs, as much of it as Samples may hold,
// the same number of every run where there are more. It is nil where none were asked
// for or no run can be read again.
func look(o Options, inputs []Input, chosen []picks) (*Samples, error) {
	s := &Samples{Each: o.Samples}
	readable := false
	queues := make([][]wish, len(chosen))
	for i := range chosen {
		s.Of += chosen[i].answered
		if inputs[i].Record != nil {
			readable = true
			queues[i] = chosen[i].wishes(i)
		}
	}
	if o.Samples <= 0 || !readable {
		return nil, nil
	}
	bytes := 0
	for _, w := range turns(queues) {
		in := &inputs[w.run]
		rec, err := in.Record(w.place)
		if err != nil {
			return nil, fmt.Errorf("run %s: the record at position %d, to be shown as a sample: %w", in.Run.Name, w.place, err)
		}
		sample := Sample{Run: w.run, View: recordview.New(in.Run, rec)}
		sample.Cut = sample.Truncate()
		if bytes += sample.Size(); bytes > maxSampleBytes && len(s.List) > 0 {
			break
		}
		s.List = append(s.List, sample)
	}
	listsort.Stable(s.List, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Seq, b.Seq))
	})
	return s, nil
}

// turns takes from the queues in turn until all are empty or there are enough.
func turns(queues [][]wish) []wish {
	var list []wish
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
