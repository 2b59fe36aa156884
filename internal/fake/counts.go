package fake

import (
	"maps"
	"sync"
	"sync/atomic"

	"verbatim"
)

// Counts are what a Server did so far.
type Counts struct {
	Requests int64 `json:"requests"` // for an answer, read or not
	Answered int64 `json:"answered"` // whole answers, sent to their end
	Refused  int64 `json:"refused"`  // errors with a status of their own
	Broken   int64 `json:"broken"`   // answers that were not whole, by a fault or by the client
	Left     int64 `json:"left"`     // clients that went away in the queue
	InFlight int64 `json:"in_flight"`
	Peak     int64 `json:"peak"` // the most in flight at once
	Prompts  int64 `json:"prompts"`
	Unknown  int64 `json:"unknown"` // requests whose prompt no item has
	// Twice is the number of prompts that were answered whole more than once.
	Twice  int64 `json:"answered_twice"`
	Images int64 `json:"images"`
	// PromptTokens and CompletionTokens are what a provider would bill: those of
	// every answer that was begun, whole or not.
	PromptTokens     int64            `json:"prompt_tokens"`
	CompletionTokens int64            `json:"completion_tokens"`
	Faults           map[string]int64 `json:"faults,omitempty"` // by kind
	Statuses         map[int]int64    `json:"statuses,omitempty"`
}

// A tally is what became of one prompt.
type tally struct{ asked, answered int32 }

// counts is Counts while it is being counted.
type counts struct {
	requests, answered, refused, broken, left atomic.Int64
	inFlight, peak, images, unknown           atomic.Int64
	promptTokens, completionTokens            atomic.Int64

	mu       sync.Mutex
	position int64
	twice    int64
	prompts  map[key]tally
	faults   map[string]int64
	statuses map[int]int64
}

func (c *counts) enter() {
	c.requests.Add(1)
	n := c.inFlight.Add(1)
	for {
		peak := c.peak.Load()
		if n <= peak || c.peak.CompareAndSwap(peak, n) {
			return
		}
	}
}

func (c *counts) leave() { c.inFlight.Add(-1) }

// addRequest counts a request and returns its position and how often it was asked before.
func (c *counts) addRequest(k key, p verbatim.Prompt) (position int64, attempt int) {
	images := int64(0)
	for _, m := range p {
		for _, part := range m.Content {
			if part.Image != nil {
				images++
			}
		}
	}
	if images > 0 {
		c.images.Add(images)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.position++
	t := c.prompts[k]
	attempt = int(t.asked)
	t.asked++
	c.prompts[k] = t
	return c.position, attempt
}

// addAnswered counts an answer before its last bytes are sent, so that a client
// that has them finds them counted; by is 1, or -1 to take it back.
func (c *counts) addAnswered(k key, by int32) {
	c.answered.Add(int64(by))
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.prompts[k]
	before := t.answered
	t.answered += by
	c.prompts[k] = t
	if max(before, t.answered) == 2 && before != t.answered {
		c.twice += int64(by)
	}
}

func (c *counts) fault(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.faults == nil {
		c.faults = map[string]int64{}
	}
	c.faults[kind]++
}

func (c *counts) status(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.statuses == nil {
		c.statuses = map[int]int64{}
	}
	c.statuses[n]++
}

// snapshot returns the counts so far.
func (c *counts) snapshot() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Counts{
		Requests: c.requests.Load(), Answered: c.answered.Load(), Refused: c.refused.Load(), Broken: c.broken.Load(),
		Left: c.left.Load(), InFlight: c.inFlight.Load(), Peak: c.peak.Load(), Prompts: int64(len(c.prompts)), Unknown: c.unknown.Load(),
		Twice: c.twice, Images: c.images.Load(), PromptTokens: c.promptTokens.Load(), CompletionTokens: c.completionTokens.Load(),
		Faults: maps.Clone(c.faults), Statuses: maps.Clone(c.statuses),
	}
}
