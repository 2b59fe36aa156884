package host

import (
	"slices"
	"strconv"

	"verbatim/internal/fake/count"
	"verbatim/internal/table"
)

// CountsTable lists what the server did.
func CountsTable(c count.Counts) *table.Table {
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
	var kinds []string
	for kind := range c.Faults {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		row("fault "+kind, c.Faults[kind])
	}
	return t
}
