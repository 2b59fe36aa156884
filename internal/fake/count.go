package fake

import (
	"maps"
	"sync"
	"sync/atomic"

	"verbatim"
)

// Counts are the counts of a server, from its start.
type Counts struct {
	Requests int64 `json:"requests"` // for an answer, also those that could not be read
	Answered int64 `json:"answered"` // whole answers that were sent to their end
	Refused  int64 `json:"refused"`  // responses with the status of an error
	Broken   int64 `json:"broken"`   // answers that were incomplete, by a fault or because the client went away
	Left     int64 `json:"left"`     // clients that went away while they waited for a slot
	InFlight int64 `json:"in_flight"`
	Peak     int64 `json:"peak"`    // the greatest number in flight at once
	Prompts  int64 `json:"prompts"` // different ones
	Unknown  int64 `json:"unknown"` // requests whose prompt no item has
	// Twice is the number of prompts with more than one whole answer.
	Twice  int64 `json:"answered_twice"`
	Images int64 `json:"images"`
	// PromptTokens and CompletionTokens are the tokens that a provider would bill: those of
	// every answer that was begun, whole or not.
	PromptTokens     int64            `json:"prompt_tokens"`
	CompletionTokens int64            `json:"completion_tokens"`
	Faults           map[string]int64 `json:"faults,omitempty"` // by kind
	Statuses         map[int]int64    `json:"statuses,omitempty"`
}

// A tally is the number of requests and of whole answers of a prompt.
type tally struct{ asked, answered int32 }

// A Counter counts what Counts has. It is safe for concurrent use.
type counter struct {
	Requests, Refused, Broken, Left, InFlight, Unknown atomic.Int64
	PromptTokens, CompletionTokens                     atomic.Int64

	answered, peak, images atomic.Int64

	mu       sync.Mutex
	position int64
	twice    int64
	prompts  map[[16]byte]tally
	faults   map[string]int64
	statuses map[int]int64
}

// Enter counts a request that arrives.
func (c *counter) enter() {
	c.Requests.Add(1)
	n := c.InFlight.Add(1)
	for {
		peak := c.peak.Load()
		if n <= peak || c.peak.CompareAndSwap(peak, n) {
			return
		}
	}
}

// Leave counts a request that is no longer in flight.
func (c *counter) leave() { c.InFlight.Add(-1) }

// AddRequest counts a request for the prompt p with the key k. It returns its position in the order
// of arrival, from 1, and the number of earlier requests for this prompt.
func (c *counter) addRequest(k [16]byte, p verbatim.Prompt) (position int64, before int) {
	images := int64(0)
	for _, m := range p {
		for _, part := range m.Content {
			if part.Image != nil {
				images++
			}
		}
	}
	c.images.Add(images)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.position++
	if c.prompts == nil {
		c.prompts = map[[16]byte]tally{}
	}
	t := c.prompts[k]
	before = int(t.asked)
	t.asked++
	c.prompts[k] = t
	return c.position, before
}

// AddAnswered counts a whole answer to the prompt with the key k. It is called before the last
// bytes are sent, so that the counts are right for a client that has them. by is 1, or -1 to
// take it back.
func (c *counter) addAnswered(k [16]byte, by int32) {
	c.answered.Add(int64(by))
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.prompts[k]
	before := t.answered
	t.answered += by
	c.prompts[k] = t
	if max(before, t.answered) == 2 {
		c.twice += int64(by)
	}
}

// Fault counts a fault of a kind.
func (c *counter) fault(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.faults == nil {
		c.faults = map[string]int64{}
	}
	c.faults[kind]++
}

// Status counts a response with an HTTP status.
func (c *counter) Status(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.statuses == nil {
		c.statuses = map[int]int64{}
	}
	c.statuses[n]++
}

// Snapshot returns the counts so far.
func (c *counter) snapshot() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Counts{
		Requests: c.Requests.Load(), Answered: c.answered.Load(), Refused: c.Refused.Load(), Broken: c.Broken.Load(),
		Left: c.Left.Load(), InFlight: c.InFlight.Load(), Peak: c.peak.Load(), Prompts: int64(len(c.prompts)), Unknown: c.Unknown.Load(),
		Twice: c.twice, Images: c.images.Load(), PromptTokens: c.PromptTokens.Load(), CompletionTokens: c.CompletionTokens.Load(),
		Faults: maps.Clone(c.faults), Statuses: maps.Clone(c.statuses),
	}
}

// Asked returns how often a prompt was asked, and how often it was answered whole.
func (c *counter) Asked(k [16]byte) (asked, answered int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.prompts[k]
	return int(t.asked), int(t.answered)
}
