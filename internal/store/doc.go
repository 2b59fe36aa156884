// Package store saves runs in one SQLite file: plans, items, replies, attempts
// and grades. There is no other copy and no cache.
//
// Start at Open and Create.
//
// # How a reply becomes durable
//
// A Writer holds the lease of its run, so that one process writes a run at a time.
// Put queues a record. One goroutine takes what waits, at most GroupSize records,
// writes it in one transaction (insert.go, and insertmany.go for many records at
// once) and commits it with synchronous=FULL. A Saved event is sent after the commit.
// When the database is gone or refuses to be written, Close writes the records that
// wait to a file next to it (rescue.go). SQLite allows one write transaction at a
// time; lock.go waits for the locks of other processes.
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
// commits (completeness.go). Spending and UsageStats say what saved replies cost and
// how many tokens they took. CloseTest closes the run of a sequential test with its
// verdict. Export and Import carry runs between files as JSON lines;
// docs/format-runs.md describes them.
//
// # Tables
//
// The key of a position of a run is one integer: the run's number in the upper half
// and the position in the lower half. It is the key of the tables reply, answer,
// failure, attempt and grade. So a run is one contiguous range of each table, already
// in planned order. Numbers are in narrow rows, texts in rows of their own, and texts
// that repeat are saved once. schema.go has the tables. A brief (brief.go) is a packed
// copy of what comparisons and reports read of a record; it is a column of the reply's
// row. scan.go reads records, from briefs where they say enough, otherwise from the
// columns that briefs repeat; row.go decodes both into the same row.
package store
