// Package headline computes the first table of a report, which answers three questions:
// which model, up to what length, at what price. Every format shows its rows.
//
// One file for each part:
//
//	headline.go  Headline and Row: one row for each run, the best first
//	order.go     the order of the rows, which does not depend on that of the runs
//	upto.go      the longest length with at least 95 % exact, by a fitted curve
//	text.go      the cells as people read them
//
// Start reading at Of.
package headline
