// Package sim holds simulated models: they know the right answer and spoil some of
// the answers. They make tests and demonstrations possible without a server. Kinds
// lists the models, Knobs their settings, and New makes one:
//
//	model, err := sim.New("careful", url.Values{"seed": {"7"}})
//
// Everything is drawn from the seed, the item's ID and the trial, so that a run that
// was interrupted and continued equals one that was not.
package sim
