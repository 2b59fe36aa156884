package sortbench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/paper"
	"verbatim/internal/study"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// paperNames lists the models of the paper in the order of Table 1: the name in the published
// files, and the name in the tables.
func paperNames() [][2]string {
	return [][2]string{
		{"o3-mini", "o3-mini"},
		{"gpt-4o", "GPT-4o"},
		{"gpt-4o-mini", "GPT-4o-mini"},
		{"claude-3-5-sonnet-20241022", "Claude-3.5-Sonnet"},
		{"claude-3-5-haiku-20241022", "Claude-3.5-Haiku"},
		{"llama3.1", "Llama-3.1"},
		{"deepseekr1", "DeepSeek-r1"},
	}
}

// paperModels is the number of models in the paper.
const paperModels = 7

// inPaper returns the name of an imported model in the paper; empty for others. A new run of such a
// model counts as another model: its answers are not the published ones.
func (e *entrant) inPaper() string {
	if e.run.Origin != exchange.OriginSortBench {
		return ""
	}
	for _, n := range paperNames() {
		if e.run.Model == n[0] {
			return n[1]
		}
	}
	return ""
}

// nameEntrants gives each entrant a name of its own: the paper's, or that of its model or run.
func nameEntrants(all []*entrant) {
	var models, runs []string
	for _, e := range all {
		models, runs = append(models, cmp.Or(e.inPaper(), terminal.Visible(e.run.Model))), append(runs, terminal.Visible(e.run.Name))
	}
	for i, name := range paper.Names(models, runs) {
		all[i].name = name
	}
}

// common returns the lists that all entrants have a score of, in the order of their ids, and the
// number of the other lists.
func common(all []*entrant) (lists []*list, left int) {
	seen := make(map[string]int)
	for _, e := range all {
		for id := range e.scores {
			seen[id]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		if seen[id] == len(all) {
			lists = append(lists, all[0].scores[id].list)
		} else {
			left++
		}
	}
	return lists, left
}

// lengths lists the lengths of lists, the shortest first.
func lengths(lists []*list) []int {
	seen := make(map[int]bool)
	for _, l := range lists {
		seen[l.length] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// A measure is one of the four scores of a list, in the order of Table 1.
type measure int

const (
	total measure = iota // SortBenchScore
	sorting
	faithfulness
	validity
	measures
)

// key is the measure's name in Grade.Measures, before the normalisation.
func (m measure) key() string {
	return [measures]string{"sortbench", "sorting", "faithfulness", "validity"}[m]
}

// A norm is a normalisation: the length by which unordered pairs and neighbours are divided.
type norm string

const (
	// asPublished divides by the length of the reply's list in the advanced tasks and
	// by that of the given list in the others, as the published scores do.
	asPublished norm = "published"
	// asStandard divides by the largest possible number, so that scores are from 0 to 1.
	asStandard norm = "standard"
)

// normOf returns the normalisation in which the scores of a grade are read.
func normOf(it *verbatim.Item, g *verbatim.Grade) norm {
	if g.Grader == exchange.Published || verbatim.Edition(it.Facts[verbatim.FactEdition]) == verbatim.Reference {
		return asPublished
	}
	return asStandard
}

// measured returns the value of a measure in this normalisation; NaN if it is undefined.
func (n norm) measured(m measure, g *verbatim.Grade) float64 {
	key := m.key()
	if m == total || m == sorting {
		key += "_" + string(n)
	}
	if v, ok := g.Measures[key]; ok {
		return v
	}
	return math.NaN()
}

// A list is one item of SortBench: a list to be sorted.
type list struct {
	id, mode, task, name string
	length               int
}

// A listScore holds the scores of an entrant on a list.
type listScore struct {
	list   *list
	values [measures]float64 // NaN: undefined
}

// An entrant is a run of the suite: its scores, and what the figures count in its replies.
type entrant struct {
	name      string // in tables
	run       verbatim.Run
	note      string
	scores    map[string]listScore // by item
	ids       []string             // of the items, in the order of the run
	repeats   int                  // further answers to a list, which are not used
	open      int                  // requests without an answer
	norms     map[norm]bool
	replies   int            // answers with their text
	kinds     map[string]int // of lists that are not valid Python
	reasoning reasoningSizes
}

// newEntrant reads the records of a run. A record without an item, or an answer without a grade, is
// an error.
func newEntrant(side *verdict.Side) (*entrant, error) {
	e := &entrant{
		run: side.Run, note: side.Note, scores: make(map[string]listScore),
		norms: make(map[norm]bool), kinds: make(map[string]int),
	}
	for rec, err := range side.Records {
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", side.Run.Name, err)
		}
		if err := e.add(&rec); err != nil {
			return nil, fmt.Errorf("run %s: %w", side.Run.Name, err)
		}
	}
	return e, nil
}

func (e *entrant) add(rec *verbatim.Record) error {
	switch {
	case rec.Item == nil:
		return fmt.Errorf("position %d: the record has no item", rec.Seq)
	case !rec.Outcome.Answered():
		e.open++
		return nil
	case rec.Grade == nil:
		return fmt.Errorf("item %s: the answer has no grade", rec.Item.ID)
	}
	if _, twice := e.scores[rec.Item.ID]; twice {
		e.repeats++
		return nil
	}
	l, err := newList(rec.Item)
	if err != nil {
		return err
	}
	n := normOf(rec.Item, rec.Grade)
	e.norms[n] = true
	s := listScore{list: l}
	for m := range measures {
		s.values[m] = n.measured(m, rec.Grade)
	}
	e.scores[l.id], e.ids = s, append(e.ids, l.id)
	if kind := rec.Grade.Repair; kind != "" {
		e.kinds[kind]++
	}
	if rec.Reply != nil && rec.Grade.Grader != exchange.Published {
		e.replies++
		e.reasoning.add(rec.Reply, s.values[validity])
	}
	return nil
}

// newList returns the list of an item. Items of other suites are a *study.Foreign error.
func newList(it *verbatim.Item) (*list, error) {
	l := &list{id: it.ID, mode: it.Facts[verbatim.FactMode], task: it.Facts[verbatim.FactTask], name: it.Facts[verbatim.FactList]}
	var err error
	l.length, err = strconv.Atoi(it.Facts[verbatim.FactLength])
	if err != nil || l.length < 1 || !slices.Contains(modes(), l.mode) || l.task == "" {
		return nil, &study.Foreign{Suite: "sortbench", What: fmt.Sprintf("item %s is not of SortBench: it has no mode, task and length", it.ID)}
	}
	return l, nil
}

// modes lists the groups of tasks in the order of the paper.
func modes() []string { return []string{"basic", "advanced", "debug"} }

// shortKinds lists short names for the kinds of lists whose names are too long for the label of a
// bar: the short name, and the name that SortBench gives the kind.
func shortKinds() [][2]string {
	return [][2]string{
		{"Several closing brackets", "Multiple closing brackets, valid list before first closing bracket"},
		{"Open, broken quotes", "Missing closing bracket and broken quotes"},
		{"Broken quotes, newlines", "Broken quotes and invalid newlines"},
		{"Content before, open", "Content before list without closing bracket"},
		{"Content before latex", "List as latex with additional content before list"},
		{"Content after latex", "List as latex with additional content after list"},
		{"Incomplete at the end", "Incomplete list items at the end"},
		{"Content before lines", "Line-wise list with content berfore list"},
		{"List in the last line", "Multi-line output with comma-separated list in last line"},
	}
}

// abridged returns the short name of a kind, or the kind itself.
func abridged(kind string) string {
	for _, k := range shortKinds() {
		if k[1] == kind {
			return k[0]
		}
	}
	return kind
}
