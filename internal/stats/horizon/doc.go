// Package horizon estimates the 50 % horizon: the length at which the share of right
// answers falls to one half. The model is a logistic curve in the logarithm of the
// length, with a lapse rate. Its posterior is computed on a grid, without sampling.
//
// One file for each part:
//
//	counts.go      Counts: right answers by length
//	estimate.go    Estimate: the horizon with its interval
//	fit.go         Fit: the posterior of counts
//	posterior.go   Posterior: add answers one by one, quantiles, draws
//	curve.go       the expected share of right answers at a length, with its band
//	longest.go     the longest length at which a share is reached
//	tasks.go       Model.FitTasks: one horizon for several tasks (cluster bootstrap)
//	model.go       Model: tables shared by all fits over the same lengths
//	likelihood.go  the log-likelihood of counts on the grid
//	hillclimb.go   a fast median, for the resamples of FitTasks
//	grid.go        the grid of parameters
//	prior.go       the prior of the parameters
//
// Start reading at Fit.
package horizon
