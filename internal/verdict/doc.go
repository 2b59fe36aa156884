// Package verdict turns kept records into statements: which of two runs is
// better, whether an endpoint is still as good as it was, and up to which length a
// model can be trusted. It pairs records by item, refuses what cannot be compared,
// and holds the procedures that stop asking as soon as enough is known, as Sources
// that package run follows. The numbers come from package stats.
//
// Start at Word, the closed set of things that can be said, at Compare, which says
// them of two runs, at Lead, which ranks several, and at Test, which asks until one of
// them can be said. Search finds a limit; AskedTwice and PowerOf say how far the
// verdicts themselves can be trusted, of a run and before one.
package verdict
