// Package exchange reads other people's files and writes files for other people.
//
// SortBench reads a checkout of the published benchmark, Scores its published
// scores, SimpE the result files of simpE. Each returns Runs: what a run is,
// and an iterator over its records, which are made while they are read, one file
// at a time. Nothing is graded here. A Record has one of
//
//   - a Reply: the caller grades it. A Grade beside it is what the file itself
//     says of the reply, under a grader's name that is not one of ours;
//   - a Grade alone, by the grader Published: a score without its reply, which
//     is kept as it is;
//   - a Failure: the file says that there was no answer.
//
// WriteCSV writes runs in the columns of the benchmark's reference scores.
//
// Files are checked as a whole before the first record is given out, so that a
// broken one is refused with everything that is wrong with it, named by file and
// place, and nothing is half imported.
//
// Start reading at Run, then SortBench.
package exchange
