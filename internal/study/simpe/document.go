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

func newEntrant(side *verdict.Side) (*entrant, error) {
	t := &entrant{run: side.Run, note: side.Note, requests: map[string][]request{}, failures: map[string]*kinds{}}
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
		return // never asked
	}
	attempt := request{answered: rec.Outcome.Answered()}
	if n, err := strconv.Atoi(rec.Item.Facts[verbatim.FactLength]); err == nil && n > 0 {
		attempt.length = n
	}
	if g := rec.Grade; attempt.answered && g != nil {
		attempt.right = g.Exact
	}
	if rec.Reply != nil {
		attempt.seconds = rec.Reply.Times.Total.Seconds()
	}
	t.requests[family] = append(t.requests[family], attempt)
	if !attempt.right {
		if t.failures[family] == nil {
			t.failures[family] = &kinds{}
		}
		t.failures[family].add(rec)
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
