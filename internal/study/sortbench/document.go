package sortbench

import (
	"fmt"
	"runtime"
	"strconv"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/paper"
	"verbatim/internal/stats/signedrank"
	"verbatim/internal/study"
	"verbatim/internal/verdict"
)

// Options say how the study is made.
type Options struct {
	Command string           // makes the document again
	Draws   signedrank.Draws // of the posteriors of Tables 2 to 9
}

// document makes the tables and figures of the SortBench paper (Herbold 2025, arXiv:2504.08312)
// from runs of its suite, with the paper's numbers: Table 1, Tables 2 to 9 with the analysis of
// package autorank, Figures 1 and 2 if the runs have replies, and Figures 3 to 14. If models of
// the paper are among the runs, Differences compares the published numbers with ours.
//
// The Records of the sides have measures, and replies for Figures 1 and 2. They are ranged over
// once, several sides at the same time. Lead says what a run lacks. The error is a
// *verdict.Refusal if the runs cannot be compared with each other, and a *study.Foreign error for
// runs of another suite.
func document(sides []verdict.Side, o Options) (*paper.Document, error) {
	all := make([]*entrant, len(sides))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range sides {
		g.Go(func() (err error) {
			all[i], err = newEntrant(&sides[i])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := checkComparable(all); err != nil {
		return nil, err
	}
	nameEntrants(all)
	a, err := analyse(all, o.Draws)
	if err != nil {
		return nil, err
	}
	d := &paper.Document{Title: "SortBench", Command: o.Command, Lead: a.lead()}
	d.Tables = append(d.Tables, a.scoreTable())
	for i := range a.ranks {
		d.Tables = append(d.Tables, a.lengthTable(&a.ranks[i]))
	}
	if len(a.ranks) > 0 {
		d.Tables = append(d.Tables, a.verdictTable())
	}
	d.Figures = append(a.replyFigures(), a.curves()...)
	for i := range d.Figures { // a model has one colour in all of them
		d.Figures[i].Figure.Names = a.names()
	}
	d.Differences, err = a.differences(o.Draws)
	return d, err
}

// checkComparable refuses runs whose lists were drawn from different seeds, and runs with
// different normalisations of the scores: a difference of the rules would look like one of the
// models.
func checkComparable(all []*entrant) error {
	first := &all[0].run
	for _, e := range all {
		if a, b := &first.Plan, &e.run.Plan; a.Seed != b.Seed && a.Items == nil && b.Items == nil {
			return &verdict.Refusal{RunA: first.Name, RunB: e.run.Name, Field: "seed", A: strconv.FormatUint(a.Seed, 10), B: strconv.FormatUint(b.Seed, 10),
				Do: "run both with the same --seed: two seeds have no list in common"}
		}
		if len(e.norms) > 1 || len(all[0].norms) == 1 && len(e.norms) == 1 && e.norm() != all[0].norm() {
			return &verdict.Refusal{RunA: first.Name, RunB: e.run.Name, Field: "edition", A: string(first.Plan.Edition), B: string(e.run.Plan.Edition),
				Do: "run the published lists with --suite sortbench --edition reference --lists DIR: then a new model can be compared with those of the paper"}
		}
	}
	return nil
}

// norm returns the normalisation of the run's scores; empty without scores.
func (e *entrant) norm() norm {
	for n := range e.norms {
		return n
	}
	return ""
}

// lead says what the document is about, how the numbers are made, and what is missing.
func (a *analysis) lead() []string {
	lines := []string{fmt.Sprintf("%s sorted %s each: tables and figures of the SortBench paper (Herbold 2025, arXiv:2504.08312), computed from the saved runs.",
		study.Plural(len(a.all), "model"), study.Plural(len(a.lists), "list"))}
	switch a.all[0].norm() {
	case asPublished:
		lines = append(lines, "Scores are normalised as the published ones are: unordered pairs and neighbours are divided by the length of the reply's list in the advanced tasks, and by the length of the given list in the basic and the debug tasks. A list of at most one value then has no score in the advanced tasks, and a few scores are below 0.")
	case asStandard:
		lines = append(lines, "Scores are normalised so that they are from 0 to 1, and lists were drawn for these runs: they are not the published lists, and neither are the scores comparable with the paper's to the last decimal.")
	}
	lines = append(lines, "Tables 2 to 9 are the paper's analysis: intervals of the mean by Student's t with the level divided by the square of the number of models, and a Bayesian signed rank test whose region of practical equivalence is a tenth of the pooled standard deviation. \"Equal\" there means that most lists tie, however bad a model is at the others.")
	return append(lines, a.gaps()...)
}

// gaps has a sentence for each thing that the runs lack.
func (a *analysis) gaps() []string {
	var lines []string
	for _, e := range a.all {
		if e.note != "" {
			lines = append(lines, e.name+": "+e.note+".")
		}
		if e.open > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s without an answer.", e.name, study.Plural(e.open, "list")))
		}
		if n := e.run.Plan.Count - int64(len(e.scores)+e.open+e.repeats); n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s of the plan not sent yet.", e.name, study.Plural(int(n), "request")))
		}
		if e.repeats > 0 {
			lines = append(lines, fmt.Sprintf("%s: lists were sent more than once; the first answer to each counts, and %s not shown.", e.name, areOthers(e.repeats)))
		}
	}
	if a.left > 0 {
		lines = append(lines, fmt.Sprintf("%s that not every model answered are left out of the tables.", study.Plural(a.left, "list")))
	}
	if n := len(a.lists); n < paperLists {
		lines = append(lines, fmt.Sprintf("The paper's numbers are over %d lists, these over %d.", paperLists, n))
	}
	if len(a.all) < 2 {
		lines = append(lines, "Tables 2 to 9 rank models, which takes two.")
	}
	return append(append(lines, a.unranked...), a.figureGaps()...)
}

func areOthers(n int) string {
	if n == 1 {
		return "one other is"
	}
	return fmt.Sprintf("%d others are", n)
}
