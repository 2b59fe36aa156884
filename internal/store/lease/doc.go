// Package lease lets one process at a time write a run of a database.
//
// Claim takes the Lease of a run, which is a row with a random token. If another process has it, a
// Held error names the process. A holder renews its lease every BeatEvery. Whether a holder on this
// machine lives is known from its process id. A holder on another machine counts as dead after a
// silence of DeadAfter, and ClaimRuns watches it for WatchTime before it takes the run over.
//
// A SlicedTx is a long write transaction that lets other processes write in between. It ends when
// its lease is lost.
package lease
