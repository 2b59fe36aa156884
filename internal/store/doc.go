// Package store keeps runs in one SQLite file: plans, items, replies, attempts
// and grades. It is the record; nothing is cached beside it.
//
// Start at Open and Create. A run that asks takes a Writer, which claims the
// run's lease, groups records into transactions and says which ones are kept. A
// batch goes through the same Writer: Intend before it is sent, Submitted when
// the provider's id is known, its answers as ordinary records, and Collected when
// they are kept; until then Places says that its places are out. A reader streams
// a run's records in planned order with Records, one pass, in constant memory.
// Read.Scores reads what comparisons need, several times as fast. Conclude closes a
// run that asks as much as a test takes with its verdict. Spent and Habits say what
// kept replies cost and took. Export and Import carry runs between files as JSON
// lines; docs/format-runs.md describes them.
//
// How it is laid out: a kept place of a run is one integer, the run's number in
// the upper and the place in the lower half, and that integer is the key of the
// tables reply, answer, failure, attempt and grade. So a run is one contiguous
// range of each, already in planned order. Numbers are in narrow rows, texts in
// rows of their own, and words that repeat are kept once. schema.go has the
// tables; keep.go and, for many at once, many.go are the only places that write
// replies, row.go the only one that reads them whole. What comparisons and reports
// read of a million records at a time stands packed in the reply's row once more:
// brief.go.
package store
