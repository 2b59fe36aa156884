package fake

import (
	"errors"
	"fmt"
	"math"
	"time"

	"verbatim"
)

// A Config says what a Server answers and which faults it has. The zero value answers every
// prompt at once, with a sentence that says that no item has it.
type Config struct {
	Seed uint64 // of all random draws

	// Item returns the item that a prompt asks, nil if no item has it. An Index has such a
	// function. The server gives the right answer to the item, or a wrong one with the
	// probability Wrong.
	Item  func(verbatim.Prompt) *verbatim.Item
	Wrong float64
	// Model, if it is set, answers instead. Its request has the item, and as the trial the
	// number of earlier requests with the same prompt. Any says that it answers prompts too
	// that Item does not know.
	Model verbatim.Model
	Any   bool
	// Echo says that the answer is the last message of the user.
	Echo bool

	Models []string // the names in the lists of models; none: "fake-1"
	// Key is the key that clients must send; "": no key is required.
	Key string
	// Chunk is the number of bytes of the answer in an event of a stream, in whole
	// characters; 0 is 16.
	Chunk int
	// Reasoning is the field of chat completions that has the reasoning of a Model; "" is
	// "reasoning_content".
	Reasoning string

	// Upstreams are the providers behind a router: one is drawn for each request, unless the
	// request names some in provider.only or provider.order. Chat completions name it in
	// the field provider. None: there is no router.
	Upstreams []Upstream

	// Disobeys is the contracts that the server breaks. Strict says that it refuses models
	// that are not in its list.
	Disobeys ContractSet
	Strict   bool

	Faults []Fault
	Pace   Pace
	Limits Limits
	Batch  Batch
}

// An Upstream is a provider behind a router.
type Upstream struct {
	Name  string
	Short bool // its answers lack the last character
	Stray bool // it is drawn also for requests that name other providers
	Fails bool // it refuses every request with status 503
}

// A Batch says how the jobs of the batch APIs run. The zero value finishes them at once and
// answers every request. Results come in shuffled order.
type Batch struct {
	Time   time.Duration // how long a job takes, by Pace.Clock
	Failed float64       // the share of requests that end in an error
	// Expired is the share of requests that are not answered in time. A job with such a
	// request expires and has the results of the others. Gemini's jobs expire as a whole,
	// with this probability, and then have no results.
	Expired float64
	// Lost is the share of the calls that create a file or a job, and break the connection
	// before they respond. Busy is the share of all calls of these APIs that get status
	// 503. Both are drawn for each call in the order of arrival.
	Lost, Busy float64
}

// check returns an error that names all invalid settings.
func (c *Config) check() error {
	var errs []error
	share := func(what string, v float64) {
		if !(v >= 0 && v <= 1) {
			errs = append(errs, fmt.Errorf("%s must be from 0 to 1, got %v", what, v))
		}
	}
	atLeast := func(what string, v, lowest float64) {
		if !(v >= lowest) || math.IsInf(v, 0) {
			errs = append(errs, fmt.Errorf("%s must be %v or more, got %v", what, lowest, v))
		}
	}
	share("the share of wrong answers", c.Wrong)
	share("the share of failed batch requests", c.Batch.Failed)
	share("the share of expired batch requests", c.Batch.Expired)
	share("the share of lost batch calls", c.Batch.Lost)
	share("the share of busy batch calls", c.Batch.Busy)
	atLeast("the bytes of an event", float64(c.Chunk), 0)
	atLeast("the latency", c.Pace.Latency.Seconds(), 0)
	atLeast("the spread", c.Pace.Spread, 0)
	atLeast("the time of a token", c.Pace.Token.Seconds(), 0)
	atLeast("the knee", float64(c.Pace.Knee), 0)
	atLeast("the clock", c.Pace.Clock, 0)
	atLeast("the number of slots", float64(c.Limits.Slots), 0)
	atLeast("the queue", float64(c.Limits.Queue), 0)
	atLeast("the rate", c.Limits.Rate, 0)
	atLeast("the burst", float64(c.Limits.Burst), 0)
	atLeast("the requests of a window", float64(c.Limits.Requests), 0)
	atLeast("the time of a batch", c.Batch.Time.Seconds(), 0)
	if r := c.Limits.Rate; r > 0 && r < 1e-6 {
		errs = append(errs, fmt.Errorf("the rate must be at least 0.000001 requests per second, got %v", r))
	}
	if c.Limits.Requests > 0 && c.Limits.Window <= 0 {
		errs = append(errs, errors.New("a window of requests needs a length"))
	}
	total := 0.0
	for _, f := range c.Faults {
		if err := f.Check(); err != nil {
			errs = append(errs, err)
		}
		if f.From == 0 && f.Attempts == 0 {
			total += f.Share
		}
	}
	if total > 1+1e-9 {
		errs = append(errs, fmt.Errorf("the shares of the faults add up to %v, more than all requests", total))
	}
	return errors.Join(errs...)
}

func (c *Config) models() []string {
	if len(c.Models) == 0 {
		return []string{"fake-1"}
	}
	return c.Models
}
