package app

import (
	"time"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/report"
	"verbatim/internal/task"
)

// Options say which models get requests, and how.
type Options struct {
	Models []string // names; empty: a local server, or nano
	// ModelOptions say how the models are opened.
	ModelOptions model.Options
	Params       verbatim.Params // those that are not set are the model's own
	// ReasoningTokens is added to the token limit of each reply; nil: the default.
	ReasoningTokens *int
	KeepGoing       bool // send further requests even if the first answers are all empty
	Pace            Pace
	Batch           bool // through the provider's batch API
	ForgetBatches   bool // give up batches in unknown state
	New             bool // a new run, even if an unfinished one could be continued
	MaxTime         time.Duration
	Warmup          int // requests that are sent first and not saved
	Events          Events
}

// HorizonOptions say which horizons are searched, and how.
type HorizonOptions struct {
	Options
	Tasks    []string // families or patterns
	Request  task.Request
	Shortest int
	Longest  int           // 0: defaultLongest, or the family's longest
	Items    int           // at most, for each task
	Width    float64       // of the interval that ends the search, in doublings of length
	Metric   report.Metric // report.MetricExact or report.MetricExtracted
	Announce bool          // a note at the beginning of every search
}

const (
	defaultLongest = 256
	// MaxHorizonItems is the largest number of items of a search.
	MaxHorizonItems = 1000
)

// A Pace bounds how fast models get requests, and what they may cost.
type Pace struct {
	Concurrency       int // requests in flight of each model; 0: tuned, or the model's own
	MaxAttempts       int
	RequestsPerMinute float64 // 0: the model's own
	TokensPerMinute   float64
	Deadline          time.Duration   // of one request with all its attempts
	Budget            *verbatim.Money // of all runs together, their earlier cost included; nil: none
	AllowUnpriced     bool            // send requests to models of unknown price under a budget too
}
