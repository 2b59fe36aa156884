// Package store saves runs in one SQLite file: plans, items, replies, attempts
// and grades. There is no other copy and no cache.
//
// Start at Open and Create.
//
// # How a reply becomes durable
//
// A Writer holds the lease of its run, so that one process writes a run at a time.
// Put queues a record. One goroutine takes what waits, at most GroupSize records,
// writes it in one transaction (rows.Inserter) and commits it with synchronous=FULL. A Saved event is sent after the commit.
// When the database is gone or refuses to be written, Close writes the records that
// wait to a file next to it (rescue.go). SQLite allows one write transaction at a
// time.
//
// A batch goes through the same Writer: BeginBatch before it is sent, SetBatchID when
// the provider's id is known, its answers as ordinary records, and FinishBatch when
// they are saved. Until then Positions reports its positions as Pending.
//
// # Reading
//
// Records streams the records of a run in planned order: one pass, one transaction,
// constant memory. Read.Scores reads what comparisons need, several times as fast.
// Every read of a whole run compares the number of rows with the counts of the
// commits. Spending and UsageStats say what saved replies cost and
// how many tokens they took. CloseTest closes the run of a sequential test with its
// verdict. Export and Import carry runs between files as JSON lines;
// docs/format-runs.md describes them.
//
// # Parts
//
// Package rows has the tables and reads and writes their rows. Package jsonlines exports
// and imports runs. Package lease lets one process write a run. Package sqlite has the
// connections to the file, which wait for the locks of other processes.
package store
