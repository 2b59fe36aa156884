package cli

import (
	"maps"
	"slices"
	"strconv"

	"verbatim/internal/fake"
	"verbatim/internal/table"
)

// countsTable returns a table of the counts of a server.
func countsTable(c fake.Counts) *table.Table {
	t := &table.Table{Columns: []table.Column{{}, {Head: "number", Right: true}}}
	row := func(name string, n int64) { t.Add(name, strconv.FormatInt(n, 10)) }
	row("requests", c.Requests)
	row("answered whole", c.Answered)
	row("refused", c.Refused)
	row("broken off", c.Broken)
	row("left in the queue", c.Left)
	row("most at once", c.Peak)
	row("different prompts", c.Prompts)
	row("requests of no known item", c.Unknown)
	row("prompts answered more than once", c.Twice)
	row("images", c.Images)
	row("prompt tokens billed", c.PromptTokens)
	row("completion tokens billed", c.CompletionTokens)
	for _, kind := range slices.Sorted(maps.Keys(c.Faults)) {
		row("fault "+kind, c.Faults[kind])
	}
	return t
}
