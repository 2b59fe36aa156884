// Package task holds what is asked: the families, the suites, plans, and the
// order in which a plan asks its items.
//
// Start at Families, the one list of all families. Copying, reversal and addition
// come from simpE (string.go, add.go); the others are SortBench's, which all sort
// (sort.go) and differ in the lists that they draw (number.go, word.go,
// sorted.go). To add a kind of list is to write a lister and a line in Families.
//
// Plan turns what a user asks for into a verbatim.Plan, which names its items
// completely; Open deals them in planned order, drawing each when it is needed.
// Items of users come from ReadItems, SortBench's own from PublishedLists, and
// WriteSortBench writes new lists in the published form.
//
// Deck.Prompt puts an item as the plan's variant says (variant.go): in another
// wording (wording.go), after examples (shots.go), under another system prompt. The
// item stays what it is.
//
// The golden items in testdata pin every family: the same id is the same item for
// ever. A family whose draw changes gets a higher Version.
package task
