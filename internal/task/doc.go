// Package task draws the questions. It has the families, the suites, plans, and the order
// in which the items of a plan are sent.
//
// Start at Families, the one list of all families. A family is declared in a file of
// its own, such as reverse.go: names, lengths, wordings, and the function that draws
// an item. Commands, suites and docs/tasks.md derive from that declaration. The
// families of SortBench all sort, and differ in the lists that they draw (sort.go).
//
// Plan turns a Request into a verbatim.Plan, which names its items completely. Open
// returns a Deck, which returns the items in planned order and draws each when it is
// needed (deck.go). ReadItems reads items of users, PublishedLists reads
// SortBench's own lists, and WriteSortBench writes new lists in the published form.
//
// Deck.Prompt applies the plan's variant to an item (prompt.go): another wording,
// examples before it, another system prompt. The item
// itself does not change.
//
// The golden items in testdata pin every family: the same id is permanently the same
// item. A family that draws other items gets a higher Version.
package task
