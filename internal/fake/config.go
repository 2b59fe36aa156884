package fake

import (
	"errors"
	"fmt"
	"math"
	"time"

	"verbatim"
	"verbatim/internal/fake/clock"
	"verbatim/internal/fake/disobey"
	"verbatim/internal/fake/limit"
	"verbatim/internal/fault"
)

// A Config says what a Server answers and how it misbehaves. The zero value
// answers every prompt with a sentence that says it knows none, at once.
type Config struct {
	Seed uint64 // of all that is drawn

	// Item returns the item that a prompt asks, nil for a prompt that is not known.
	// An Index has such a function. The right answer to the item is given, or, with
	// the chance Wrong, a spoilt one.
	Item  func(verbatim.Prompt) *verbatim.Item
	Wrong float64
	// Model answers instead, where it is set: it is asked the item, with the number
	// of earlier requests for the same prompt as the trial. Any has it asked prompts
	// that Item does not know as well, for Models that need no item.
	Model verbatim.Model
	Any   bool
	// Echo says the last message of the user back instead.
	Echo bool

	Models []string // the names that the lists of models hold; none: "fake-1"
	// Key is what clients must send; "" asks for none.
	Key string
	// Chunk is how many bytes of the answer one event of a stream holds, whole
	// characters each; 0 is 16.
	Chunk int
	// Reasoning is the field of chat completions that holds the reasoning of a Model:
	// "reasoning_content" where it is empty.
	Reasoning string

	// Upstreams are the providers behind a router: one is drawn for each request, unless the
	// request names some in provider.only or provider.order. Chat completions name it in
	// the field provider. None: there is no router.
	Upstreams []Upstream

	// Disobeys is the contracts that the server breaks. Strict says that it refuses the
	// names of models that are not in its list.
	Disobeys disobey.Set
	Strict   bool

	Faults []fault.Fault
	Pace   Pace
	Limits Limits
	Batch  Batch
}

// An Upstream is a provider behind a router.
type Upstream struct {
	Name string
	// Short has its answers lack the last character.
	Short bool
	// Stray has the router draw it for requests that name others, too.
	Stray bool
	// Fails has it refuse every request with status 503.
	Fails bool
}

// A Pace says how long answers take. The zero value takes no time.
type Pace = clock.Pace

// Limits are how many requests the server takes; the zero value has no limits.
type Limits = limit.Limits

// A Batch says how jobs of the batch APIs go. The zero value finishes them at
// once and answers every request. Results come in shuffled order.
type Batch struct {
	Time   time.Duration // how long a job takes, by Pace.Clock
	Failed float64       // the share of requests that end in an error
	// Expired is the share of requests that are not answered in time; a job with
	// one of them expires, with the results of the others. Gemini's jobs expire
	// whole, with this chance, and have no results.
	Expired float64
	// Lost is the share of calls that create something, do it, and break the
	// connection before they say so. Busy is the share of all calls of these APIs
	// that get status 503. Both are drawn for each call in the order of arrival.
	Lost, Busy float64
}

// check finds settings that make no sense.
func (c *Config) check() error {
	var errs []error
	share := func(what string, v float64) {
		if !(v >= 0 && v <= 1) {
			errs = append(errs, fmt.Errorf("%s is %v: it is a share and must lie between 0 and 1", what, v))
		}
	}
	atLeast := func(what string, v, lowest float64) {
		if !(v >= lowest) || math.IsInf(v, 0) {
			errs = append(errs, fmt.Errorf("%s is %v: it must be %v or more", what, v, lowest))
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
		errs = append(errs, fmt.Errorf("the rate is %v requests a second: the lowest is one in eleven days", r))
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
		errs = append(errs, fmt.Errorf("the shares of the faults make %v, more than all requests", total))
	}
	return errors.Join(errs...)
}

func (c *Config) models() []string {
	if len(c.Models) == 0 {
		return []string{"fake-1"}
	}
	return c.Models
}

func (c *Config) chunk() int {
	if c.Chunk == 0 {
		return 16
	}
	return c.Chunk
}
