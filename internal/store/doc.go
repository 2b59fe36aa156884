// Package store saves runs in one SQLite file: plans, items, replies, attempts
// and grades. There is no other copy and no cache.
//
// Start at Open and Create.
//
// # How a reply becomes durable
//
// A Writer holds the lease of its run, so that one process writes a run at a time. Put queues a
// record. One goroutine takes the queued records, at most GroupSize, inserts them in one
// transaction (insert.go) and commits it with synchronous=FULL. After the commit, the Writer
// reports them as Saved. If the database is gone or cannot be written, Close writes the queued
// records to a file next to it (rescue.go). SQLite allows one write transaction at a time.
//
// A batch uses the same Writer: BeginBatch before it is sent, SetBatchID when the provider's id is
// known, Put for its answers, and FinishBatch when they are saved. Until then Positions reports
// its positions as Pending.
//
// # Reading
//
// Records streams the records of a run in planned order: one pass, one transaction, constant
// memory. With Read.Scores it reads only what comparisons need, several times as fast. Every read
// of a whole run compares the number of rows with the counts that each commit updates. Spending
// and UsageStats return the cost and the tokens of saved replies. CloseTest closes the run of a
// sequential test with its verdict. Export and Import carry runs between files as JSON lines,
// which docs/format-runs.md describes.
//
// # Parts
//
// schema.go has the tables. run.go, item.go, grade.go, batch.go, reservation.go and replyrow.go
// read and write their rows, and values.go the columns. writer.go and insert.go save records;
// lease.go lets one process at a time write a run. read.go and brief.go read records, export.go
// and import.go carry runs between files. Package sqlite has the connections to the file, which
// wait for the locks of other processes.
package store
