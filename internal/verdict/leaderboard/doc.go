// Package leaderboard ranks several runs by their mean scores on the items that all of
// them answered. It gives simultaneous rank intervals and says which runs are
// indistinguishable. Runs without common items are ranked on their own items.
//
// One file for each part:
//
//	rank.go         Rank: which runs are ranked, and how
//	collect.go      collects the scores of all runs, item by item
//	paired.go       ranks runs on common items
//	unpaired.go     ranks runs on items of their own
//	notes.go        what limits the ranks
//	leaderboard.go  Leaderboard and Place: the result
//
// Start reading at Rank.
package leaderboard
