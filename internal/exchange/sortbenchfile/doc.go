// Package sortbenchfile reads a checkout of the published SortBench, and writes its files and
// columns.
//
// Read returns a run for each model whose outputs the checkout has, including outputs that were
// copied from the page of a chat. ReadScores returns the published scores, which have no replies.
// ReadLists returns the lists as items. WriteCSV writes runs in the columns of the benchmark's
// reference scores, and Write in the files that its scorer reads.
package sortbenchfile
