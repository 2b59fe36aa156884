// Package horizon estimates the 50 % horizon: the length at which the share of right
// answers falls to one half. The model is a logistic curve in the logarithm of the
// length, with a lapse rate. Its posterior is computed on a grid, without sampling.
//
// One file for each part:
//
//	fit.go        Fit: the posterior of counts, and the Estimate of the horizon
//	posterior.go  Posterior: add answers one by one, quantiles, draws
//	tasks.go      Model.FitTasks: one horizon for several tasks (cluster bootstrap)
//	model.go      Model: curves, prior and likelihoods, shared by all fits over the same lengths
//
// Start reading at Fit.
package horizon
