package simpe

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/paper"
	"verbatim/internal/study"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// document makes the tables and figures of simpE's three tests, from runs of its suite or from
// its result files: the right answers by length, their times, and what went wrong.
//
// SimpE divides by the number of results, and a failed request has none: an outage raises its
// accuracy. Here the share of the answers is next to the share of the requests. An answer is
// right if it is exact, which is simpE's rule.
//
// The Records of the sides are ranged over once, without their texts and measures. command is
// the one that makes the document again. A run without items of simpE is a *study.Foreign error.
func document(sides []verdict.Side, command string) (*paper.Document, error) {
	s := &results{}
	for i := range sides {
		t, err := newEntrant(&sides[i])
		if err != nil {
			return nil, err
		}
		s.entrants = append(s.entrants, t)
	}
	for i, name := range study.Names(sides) {
		s.entrants[i].name = name
	}
	return &paper.Document{
		Title: "simpE", Command: command, Lead: s.lead(),
		Tables:  []paper.Table{s.shareTable(), s.bandTable(), s.timeTable(), s.failureTable()},
		Figures: []paper.Figure{s.shareFigure(), s.timeFigure()},
	}, nil
}

func newEntrant(side *verdict.Side) (*entrant, error) {
	t := &entrant{run: side.Run, note: side.Note, requests: map[string][]request{}, failures: map[string]map[failure]int{}}
	for rec, err := range side.Records {
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", side.Run.Name, err)
		}
		t.add(&rec)
	}
	if len(t.requests) == 0 {
		return nil, &study.Foreign{Suite: "simpe", What: fmt.Sprintf("run %s has no item of simpE: none of the families reverse, copy and add", side.Run.Name)}
	}
	return t, nil
}

func (t *entrant) add(rec *verbatim.Record) {
	family := rec.Item.Facts[verbatim.FactFamily]
	if !slices.ContainsFunc(tests(), func(s test) bool { return s.family == family }) {
		t.left++
		return
	}
	if rec.Outcome == verbatim.Skipped {
		return // it was never sent
	}
	r := request{answered: rec.Outcome.Answered()}
	if n, err := strconv.Atoi(rec.Item.Facts[verbatim.FactLength]); err == nil && n > 0 {
		r.length = n
	}
	if g := rec.Grade; r.answered && g != nil {
		r.right = g.Exact
	}
	if rec.Reply != nil {
		r.seconds = rec.Reply.Times.Total.Seconds()
	}
	t.requests[family] = append(t.requests[family], r)
	if !r.right {
		if t.failures[family] == nil {
			t.failures[family] = map[failure]int{}
		}
		t.failures[family][failureOf(rec)]++
	}
}

func (s *results) lead() []string {
	list := []string{
		"Three tests of simpE: to give a string in reverse order, to repeat it, and to add two numbers. An answer is right if it is exactly that and nothing else, except white space around it.",
		"The share of the answers leaves out requests without an answer, as simpE's own analysis does. The share of the requests counts them as not right. Intervals are 95 % (Wilson).",
	}
	noted := map[string][]string{}
	for _, t := range s.entrants {
		if t.note != "" {
			noted[t.note] = append(noted[t.note], t.name)
		}
	}
	for _, note := range slices.Sorted(maps.Keys(noted)) {
		list = append(list, strings.Join(noted[note], ", ")+": "+terminal.Visible(note)+".")
	}
	for _, t := range s.entrants {
		if t.left > 0 {
			list = append(list, fmt.Sprintf("Of %s, %s of other families are left out.", t.name, study.Plural(int(t.left), "request")))
		}
	}
	return list
}
