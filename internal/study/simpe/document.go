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

// Document makes the tables and figures of simpE's three tests, of runs of its suite or of
// its result files: how many answers are right over the length of what was asked, how
// long they took, how many tries it took to get them, and what went wrong.
//
// SimpE counts a failed request as a try and leaves it out of its results, by whose
// number it divides: an outage raises what it calls accuracy. Here the shares stand
// next to each other, of the answers and of the tries. An answer is right by the strict
// grade, simpE's rule.
//
// The Records of the sides are ranged over once; neither texts nor measures are looked
// at. Command is the one that makes the document again. A run with nothing of simpE is a *study.Foreign error.
func Document(sides []verdict.Side, command string) (*paper.Document, error) {
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

// A test is one of the three, with the lengths that are reported together.
type test struct {
	family, title, unit string
	bands               []verbatim.Lengths // of the documents
	steps               []verbatim.Lengths // finer, for curves; every one is within a band
}

// tests lists the tests. The bands are the documents'; simpE's code goes beyond
// 500 characters, which has a band of its own.
func tests() []test {
	return []test{
		{"reverse", "Reversal", "characters",
			[]verbatim.Lengths{{Min: 2, Max: 8}, {Min: 9, Max: 16}, {Min: 17, Max: 30}},
			[]verbatim.Lengths{{Min: 2, Max: 4}, {Min: 5, Max: 8}, {Min: 9, Max: 12}, {Min: 13, Max: 16}, {Min: 17, Max: 20}, {Min: 21, Max: 25}, {Min: 26, Max: 30}}},
		{"copy", "Rehearsal", "characters",
			[]verbatim.Lengths{{Min: 10, Max: 50}, {Min: 51, Max: 200}, {Min: 201, Max: 500}, {Min: 501, Max: 600}},
			[]verbatim.Lengths{{Min: 10, Max: 50}, {Min: 51, Max: 100}, {Min: 101, Max: 200}, {Min: 201, Max: 300}, {Min: 301, Max: 400}, {Min: 401, Max: 500}, {Min: 501, Max: 600}}},
		{"add", "Addition", "digits",
			[]verbatim.Lengths{{Min: 3, Max: 10}, {Min: 11, Max: 20}, {Min: 21, Max: 30}},
			[]verbatim.Lengths{{Min: 3, Max: 6}, {Min: 7, Max: 10}, {Min: 11, Max: 15}, {Min: 16, Max: 20}, {Min: 21, Max: 25}, {Min: 26, Max: 30}}},
	}
}

// results are what the runs say, counted.
type results struct{ entrants []*entrant }

// An entrant is a run that took the tests.
type entrant struct {
	run      verbatim.Run
	name     string
	note     string
	tries    map[string][]request // by family, in the order of the plan
	failures map[string]*kinds
	left     int64 // records of other families
}

// A request is one request.
type request struct {
	length   int // 0: not known, as of tries that simpE left out
	answered bool
	right    bool
	seconds  float64 // 0: not known
}

func newEntrant(side *verdict.Side) (*entrant, error) {
	t := &entrant{run: side.Run, note: side.Note, tries: map[string][]request{}, failures: map[string]*kinds{}}
	for rec, err := range side.Records {
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", side.Run.Name, err)
		}
		t.add(&rec)
	}
	if len(t.tries) == 0 {
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
		return // never asked
	}
	try := request{answered: rec.Outcome.Answered()}
	if n, err := strconv.Atoi(rec.Item.Facts[verbatim.FactLength]); err == nil && n > 0 {
		try.length = n
	}
	if g := rec.Grade; try.answered && g != nil {
		try.right = g.Exact
	}
	if rec.Reply != nil {
		try.seconds = rec.Reply.Times.Total.Seconds()
	}
	t.tries[family] = append(t.tries[family], try)
	if !try.right {
		if t.failures[family] == nil {
			t.failures[family] = &kinds{}
		}
		t.failures[family].add(rec)
	}
}

func (s *results) lead() []string {
	list := []string{
		"Three tests of simpE: to give a string in reverse order, to repeat it, and to add two numbers. An answer is right if it is exactly that and nothing else, but for white space around it.",
		"A request without an answer is a try and no result. The share of the answers leaves it out, as simpE's own analysis does; the share of the tries counts it as not right. Intervals are 95 % (Wilson).",
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
