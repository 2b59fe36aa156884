// Package sim holds simulated models: they know the right answers, and spoil some of them
// (package damage). They make tests and demonstrations possible without a server. Kinds lists
// the models, Knobs their settings, and New makes one:
//
//	model, err := sim.New("careful", url.Values{"seed": {"7"}})
//
// Answers are drawn from the seed, the item's ID and the trial, so that a run that was
// interrupted and continued equals one that was not.
package sim
