package task

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// graph asks for the words of a tree by their distance to one of them. The prompt lists all edges, so
// that no knowledge is needed. The fact "nodes" is the number of words in the tree.
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
			parent[i] = max(0, i-1-r.IntN(min(i, 6))) // a near one, so that paths are long
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
		number := func(s string) int { return far[s] }
		it := ask("hard-ontology", k, rule{
			words: fmt.Sprintf("by the number of edges between each item and '%s' in the tree below, the fewest first, and equal numbers by code point, ascending", words[root]),
			given: boxed(given), want: boxed(sortedBy(given, byNumber(number))), data: "The tree: " + strings.Join(shuffled(r, edges), "; ") + ".",
		})
		foreseeByNumber(&it, given, number, "equal numbers as they stood", "the most edges first")
		it.Facts["nodes"] = strconv.Itoa(nodes)
		return it
	})
}

// steps returns the number of edges between two nodes of a tree, by way of their common ancestor.
func steps(parent []int, a, b int) int {
	up := func(i int) []int { // the path to the root
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
