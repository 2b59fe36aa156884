package verifying

import "verbatim/internal/app"

// kind is the kind of the Test of the runs.
const kind = "verify"

// Options say which endpoints are compared with the first, and with which prompts.
type Options struct {
	app.Options
	Selection  app.Selection // the plan without its trials; Seed is the start of the seeds
	Alpha      float64       // of all tests together
	Share      float64
	MaxMissing float64
	// Logprobs compares log probabilities, too, if both endpoints offer them.
	Logprobs bool
	// Tools counts calls of a tool among the exact answers, if both endpoints take tools.
	Tools bool
	// MixUpstreams compares the replies of all upstreams of an endpoint together.
	MixUpstreams bool
	// All runs all probes to the end, even after one has decided. AsTheyAre takes endpoints with
	// different parameters of their own, which are refused otherwise.
	All, AsTheyAre bool
}
