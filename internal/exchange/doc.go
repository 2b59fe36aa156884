// Package exchange reads other people's files and writes files for other people.
//
// SortBench reads a checkout of the published benchmark, Scores its published
// scores, SimpE the result files of simpE, Inspect logs of inspect_ai and LMEval
// samples of lm-evaluation-harness. Each returns Runs: what a run is, and an
// iterator over its records, which are made while they are read, one file at a
// time. Nothing is graded here. A Record has one of
//
//   - a Reply: the caller grades it. A Grade beside it is what the file itself
//     says of the reply, under a grader's name that is not one of ours;
//   - a Grade alone, by the grader Published or another tool's: a score without
//     its reply, which is kept as it is;
//   - a Failure: the file says that there was no answer.
//
// WriteCSV writes runs in the columns of the benchmark's reference scores; WriteSimpE,
// WriteInspect and WriteLMEval write them as those tools do. What Inspect and lm-eval
// have no place for goes along in a note, from which the records come back whole.
//
// Files are checked as a whole before the first record is given out, so that a
// broken one is refused with everything that is wrong with it, named by file and
// place, and nothing is half imported.
//
// Start reading at Run, then SortBench.
package exchange
