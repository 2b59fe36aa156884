package hard

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/question"
)

// graph asks for the words of a tree by their distance to one of them. The prompt lists all
// edges, so that nothing has to be known. The fact "nodes" says how many words the tree has.
func graph() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-ontology", Version: 2, Doc: "sort words by their number of edges to a word in a tree",
		About: "The fact nodes is the number of words in the tree, 10 to 200, whatever the length. All edges are in the prompt, so that nothing has to be known.",
		Knobs: []verbatim.Knob{{Fact: "nodes", Values: []string{"10", "20", "50", "100", "200"}}},
		Task:  "Ontology", Max: 128, DefaultLengths: []int{2, 4, 8, 16, 32},
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		sizes := slices.DeleteFunc([]int{10, 20, 50, 100, 200}, func(size int) bool { return size < n+2 })
		nodes := sizes[r.IntN(len(sizes))]
		words := draw.Distinct(nodes, func() string { return word(r, 3, 9) })
		parent := make([]int, nodes)
		for i := 1; i < nodes; i++ {
			parent[i] = max(0, i-1-r.IntN(min(i, 6))) // near ones, so that paths are long
		}
		var edges []string
		for i := 1; i < nodes; i++ {
			edges = append(edges, words[i]+" is a kind of "+words[parent[i]])
		}
		root := r.IntN(nodes)
		far := map[string]int{}
		for i, w := range words {
			far[w] = steps(parent, i, root)
		}
		var given []string
		for _, i := range draw.Sample(r, nodes, nodes) {
			if i != root && len(given) < n {
				given = append(given, words[i])
			}
		}
		compare := func(a, b string) int { return cmp.Or(cmp.Compare(far[a], far[b]), strings.Compare(a, b)) }
		want := sorted(given, compare)
		it := ask("hard-ontology", k, rule{
			words: fmt.Sprintf("by the number of edges between each item and '%s' in the tree below, the fewest first, and equal numbers by code point, ascending", words[root]),
			given: boxed(given), want: boxed(want), before: "The tree: " + strings.Join(shuffled(r, edges), "; ") + ".",
		})
		question.Foresee(&it, "tie_broken", "equal numbers as they stood", listAnswer(sorted(given, func(a, b string) int { return cmp.Compare(far[a], far[b]) })))
		question.Foresee(&it, "wrong_direction", "the most edges first", listAnswer(sorted(given, func(a, b string) int {
			return cmp.Or(cmp.Compare(far[b], far[a]), strings.Compare(a, b))
		})))
		foreseeText(&it, given)
		foreseeReverse(&it, want)
		it.Facts["nodes"] = strconv.Itoa(nodes)
		return it
	})
}

// steps is the number of edges between two nodes of a tree, by their common ancestor.
func steps(parent []int, a, b int) int {
	up := func(i int) []int { // the way to the root
		path := []int{i}
		for i != 0 {
			i = parent[i]
			path = append(path, i)
		}
		return path
	}
	x, y := up(a), up(b)
	for i, node := range x {
		if j := slices.Index(y, node); j >= 0 {
			return i + j
		}
	}
	panic("a tree in two parts")
}
