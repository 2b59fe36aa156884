package verdict

import (
	"cmp"
	"iter"
	"time"

	"verbatim"
)

// A Side is one run of a comparison.
type Side struct {
	Run verbatim.Run
	// Ref is the name of the run on a command line; if empty, it is the run's name.
	Ref string
	// Note must be shown with the numbers, for example that the model is simulated.
	Note string
	// Records are the records of the run in planned order, one for each request, without
	// texts. They are ranged over from another goroutine, perhaps several times, and at the
	// same time as those of other sides.
	Records iter.Seq2[verbatim.Record, error]
}

// RunInfo describes one run in a result.
type RunInfo struct {
	Ref     string            `json:"ref"` // name on a command line
	N       int64             `json:"n,omitempty"`
	Name    string            `json:"name"`
	Model   string            `json:"model"`
	Note    string            `json:"note,omitempty"`
	Origin  string            `json:"origin,omitempty"` // of imported answers
	Suite   string            `json:"suite"`
	Edition verbatim.Edition  `json:"edition"`
	Seed    uint64            `json:"seed"`
	Trials  int               `json:"trials"`
	Plan    string            `json:"plan"` // hash of the plan
	File    string            `json:"items_file,omitempty"`
	Variant *verbatim.Variant `json:"variant,omitempty"`
	Started *time.Time        `json:"started,omitempty"`
	Params  verbatim.Params   `json:"params"`
	Test    *verbatim.Test    `json:"test,omitempty"`
}

// Info describes the run of s.
func (s *Side) Info() RunInfo {
	r := &s.Run
	info := RunInfo{
		Ref: cmp.Or(s.Ref, r.Name), N: r.N, Name: r.Name, Model: r.Model, Note: s.Note, Origin: r.Origin,
		Suite: r.Plan.Suite, Edition: r.Plan.Edition, Seed: r.Plan.Seed, Trials: r.Plan.Trials, Plan: r.Plan.Hash,
		Variant: r.Plan.Variant, Params: r.Params,
	}
	if r.Plan.Items != nil {
		info.File = r.Plan.Items.Name
	}
	if !r.Started.IsZero() {
		info.Started = &r.Started
	}
	if r.Test != nil {
		info.Test = r.Test.WithoutState()
	}
	return info
}
