// Package change tests whether two endpoints answer differently, or whether one endpoint
// answers differently than before. It says nothing about which is better.
//
// Each test states its null hypothesis and holds its level for any sample size. One file
// for each part:
//
//	distance.go  Distance between two lists of log probabilities; FirstIsBetter: are calls under
//	             load wrong more often?
//	spread.go    spreadTest: are two sides further apart than each is from itself?
//	share.go     Share: bets against "at most this share of the trials differs"; intervals of shares
//	watch.go     Watch: the same bets over many days, with one bound for all of them
//
// An e-process starts at 1. If the null hypothesis is true, the probability that it ever
// reaches c is at most 1/c (Ville 1939), at any number of looks. So 1/alpha, reached once,
// rejects at level alpha.
//
// Start reading at spreadTest.
package change
