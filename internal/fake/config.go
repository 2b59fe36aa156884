package fake

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
	// Hosts are the names by which clients may reach the server, besides those of this machine.
	Hosts []string
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

// A Contract is a contract that the server can break.
type Contract struct {
	Name string
	Doc  string // what a server that breaks it sends or ignores, a noun phrase
}

// Contracts returns all contracts.
func Contracts() []Contract {
	return []Contract{
		{"limit", "replies longer than the token limit"},
		{"finish", "the finish reason stop for each reply"},
		{"stop", "replies beyond the stop sequence"},
		{"temperature", "temperature 0 for each request"},
		{"system", "system prompts left out"},
		{"stream", "streamed replies without the character in their middle"},
		{"count", "streamed replies that count one completion token more"},
		{"choices", "one choice, however many are requested"},
		{"usage", "7 prompt tokens for each request"},
		{"unicode", "replies decoded in another encoding"},
		{"context", "prompts cut to their last 400 words"},
		{"logprobs", "no log probabilities"},
		{"arguments", "arguments of a tool decoded in another encoding"},
		{"sum", "probabilities of a place that sum to more than 1"},
		{"leak", "under load: the answer of the request before, in one reply of four"},
		{"garble", "under load: a replacement character, in one reply of four"},
		{"empty", "under load: no text, in one reply of four"},
		{"corrupt", "under load: a wrong character in each reply"},
	}
}

// A Set is the names of the contracts that a server breaks. The nil Set has none.
type ContractSet map[string]bool

// ParseContracts returns the Set of the names.
func ParseContracts(names []string) (ContractSet, error) {
	var known []string
	for _, c := range Contracts() {
		known = append(known, c.Name)
	}
	set := ContractSet{}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%q is no contract: they are %s", name, strings.Join(known, ", "))
		}
		set[name] = true
	}
	return set, nil
}

// A Request has the parts of a request that a server may ignore.
type contractRequest struct {
	Prompt    verbatim.Prompt
	Params    verbatim.Params
	MaxTokens int
	Stop      []string
	Choices   int
}

// contractRequest returns the parts of a request that the server obeys.
func (s ContractSet) Request(r contractRequest) contractRequest {
	if s["limit"] {
		r.MaxTokens = 0
	}
	if s["choices"] {
		r.Choices = min(r.Choices, 1)
	}
	if s["stop"] {
		r.Stop = nil
	}
	if s["temperature"] {
		r.Params.Temperature = nil
	}
	if s["logprobs"] {
		r.Params.Logprobs = 0
	}
	if s["system"] {
		r.Prompt = slices.DeleteFunc(slices.Clone(r.Prompt), func(m verbatim.Message) bool { return m.Role == "system" })
	}
	if s["context"] {
		r.Prompt = lastWords(r.Prompt, 400)
	}
	return r
}

// lastWords returns a prompt with the last n words of each text.
func lastWords(p verbatim.Prompt, n int) verbatim.Prompt {
	p = slices.Clone(p)
	for i := range p {
		p[i].Content = slices.Clone(p[i].Content)
		for j := range p[i].Content {
			if fields := strings.Fields(p[i].Content[j].Text); len(fields) > n {
				p[i].Content[j].Text = strings.Join(fields[len(fields)-n:], " ")
			}
		}
	}
	return p
}

// A Reply has the parts of a reply that a server may change.
type contractReply struct {
	Text       string
	Finish     verbatim.Finish
	Prompt     int64 // tokens
	Completion int64 // tokens of the text
	Tokens     []verbatim.Token
	Call       bool // the text is the arguments of a tool
}

// A Load is the state of the server while it answers.
type contractLoad struct {
	InFlight int64  // the number of requests in flight, this one included
	Call     int64  // the position of the request, from 1
	Before   string // the newest reply to another request
}

// underLoad is the number of requests in flight from which a server is under load.
const underLoad = 4

// contractReply returns the reply that the server sends.
func (s ContractSet) Reply(r contractReply, streamed bool, load contractLoad) contractReply {
	if load.InFlight >= underLoad && (load.Call%4 == 0 || s["corrupt"]) {
		r.Text = s.spoil(r.Text, load.Before)
	}
	if s["stream"] && streamed {
		middle := middleOf(r.Text)
		_, n := utf8.DecodeRuneInString(r.Text[middle:])
		r.Text = r.Text[:middle] + r.Text[middle+n:]
	}
	if s["count"] && streamed {
		r.Completion++
	}
	if s["finish"] {
		r.Finish = verbatim.FinishStop
	}
	if s["usage"] {
		r.Prompt = 7
	}
	if s["unicode"] || s["arguments"] && r.Call {
		r.Text = latin1(r.Text)
	}
	if s["sum"] {
		r.Tokens = slices.Clone(r.Tokens)
		for i := range r.Tokens {
			top := slices.Clone(r.Tokens[i].Top)
			for j := range top {
				top[j].Logprob = -0.1
			}
			r.Tokens[i].Top = top
		}
	}
	return r
}

// spoil returns the text that is sent under load instead of text.
func (s ContractSet) spoil(text, before string) string {
	middle := middleOf(text)
	switch {
	case s["empty"]:
		return ""
	case s["leak"] && before != "":
		return before
	case s["garble"]:
		return text[:middle] + "\ufffd" + text[middle:]
	case s["corrupt"]:
		return text[:middle] + "~" + text[middle:]
	}
	return text
}

// middleOf returns the index of the character in the middle of a text.
func middleOf(text string) int {
	middle := len(text) / 2
	for middle > 0 && !utf8.RuneStart(text[middle]) {
		middle--
	}
	return middle
}

// latin1 returns the text that the bytes of a text are in Latin-1.
func latin1(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}
