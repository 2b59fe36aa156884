package sortbench

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"verbatim/internal/exchange"
	"verbatim/internal/paper"
	"verbatim/internal/terminal"
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

// named joins names in prose.
func named(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
