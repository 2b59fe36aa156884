// Package sortbenchfile reads a checkout of the published SortBench and writes its columns.
//
// Read returns a run for each model whose outputs the checkout has. ReadScores returns the
// published scores, which have no replies. ReadLists returns the lists as items. WriteCSV
// writes runs in the columns of the benchmark's reference scores.
package sortbenchfile
