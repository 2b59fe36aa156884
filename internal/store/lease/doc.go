// Package lease lets one process at a time write a run of a database.
//
// Claim takes the Lease of a run, which is a row with a random token; a Held error names a
// process that has it. A holder renews its lease every BeatEvery. One of this machine is
// looked up by its process id, and one of another machine counts as dead after a silence
// of DeadAfter. ClaimRuns watches a silent holder for WatchTime before it takes over.
//
// A SlicedTx is a long write that lets other processes write in between, and that ends when
// its lease is lost.
package lease
