package sentinel

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/upstream"
)

// The calls of an enrolment.
const (
	candidates = 120
	enrolled   = 24 // words
	fewest     = 6  // items that a watch needs
	rounds     = 16 // the first half chooses items, and the second half measures them
	texts      = 8  // prompts whose whole texts are compared, if the configuration says so
	textTokens = 28
	// The band of the distance between the first two tokens, in nats.
	leastGap, mostGap = 0.2, 0.6
	// Without log probabilities, replies to each word are drawn at a temperature. A word qualifies
	// if leastSame to mostSame of its draws are its greedy answer. There are no further draws of a
	// word if the first half of them agrees.
	draws               = 10
	leastSame, mostSame = 6, 9
	drawTemperature     = 0.3
	mostDraws           = 600
	// confidence of the bound on the rate of deviations
	confidence = 0.99
	// Rounds is how often each item is sent.
	Rounds = rounds
	// MaxTolerance is the largest rate of deviations of an endpoint that can be watched.
	MaxTolerance = 0.2
)

// An EnrolmentConfig says how the calls are sent.
type EnrolmentConfig struct {
	Seed      uint64
	Params    verbatim.Params // with Logprobs, if the protocol has them
	Limit     int             // tokens of a reply to a word
	Tolerance float64
	// Texts adds items whose greedy text is compared, and Distances compares the log
	// probabilities of words, too.
	Texts, Distances bool
	// Upstream names who served a reply; nil: it is not looked for. Several upstreams are refused
	// unless MixUpstreams is set.
	Upstream     Upstream
	MixUpstreams bool
	// Every is the time between the beginnings of two rounds. Wait waits until a time, or until the
	// command is interrupted; nil: a round follows the one before at once.
	Every time.Duration
	Wait  func(until time.Time)
}

// An Enrolment finds the items of a watch. It is a verbatim.Source.
type Enrolment struct {
	config  EnrolmentConfig
	saved   bool           // a Saved: the prompts that were sent in rounds are the chosen ones
	prompts map[int]string // by number: words from 0 on, and texts from firstText on
	items   []verbatim.Item
	// positions holds the position of each call by its name.
	positions map[string]int

	mu        sync.Mutex
	calls     map[string]call // by name
	failed    upstream.Failures
	upstreams []string // different upstreams of the replies, in the order of the calls
	served    []string // different model names with fingerprints, in the order of the calls
	drawn     int      // calls at a temperature
	inFlight  bool
	round     int       // the newest round that this process has begun
	begun     time.Time // when it began; zero: no round has begun
}

// firstText is the number of the first text. The numbers below it are of words.
const firstText = 10_000

// roundName names the call of a prompt in a round. Round 0 is that of the candidates.
func roundName(round, prompt int) string {
	if prompt >= firstText {
		return fmt.Sprintf("text/%d/%d", round, prompt-firstText)
	}
	return fmt.Sprintf("enrolment/%d/%d", round, prompt)
}

// drawName names a call at a temperature.
func drawName(word, n int) string { return fmt.Sprintf("draw/%d/%d", word, n) }

// readName is the inverse of roundName.
func readName(name string) (round, prompt int, ok bool) {
	if round, prompt, ok = scan(name, "text"); ok {
		return round, firstText + prompt, true
	}
	round, prompt, ok = scan(name, "enrolment")
	return round, prompt, ok && prompt < firstText
}

// NewEnrolment returns an Enrolment that has sent nothing.
func NewEnrolment(c EnrolmentConfig) *Enrolment {
	e := &Enrolment{config: c, prompts: map[int]string{}, positions: map[string]int{}, calls: map[string]call{}}
	r := draw.Rand("sentinel", 2, "", c.Seed, 0)
	all := draw.MildWords()
	for i, k := range draw.Sample(r, all.Len(), candidates+texts) {
		if i < candidates {
			e.prompts[i] = all.At(k)
		} else {
			e.prompts[firstText+i-candidates] = fmt.Sprintf("Write a sentence that begins with the word %q.", all.At(k))
		}
	}
	for i := range candidates {
		e.add(roundName(0, i), i)
		for n := range draws {
			e.add(drawName(i, n), i)
		}
	}
	numbers := slices.Sorted(maps.Keys(e.prompts))
	for round := 1; round <= rounds; round++ {
		for _, i := range numbers {
			if i < firstText || c.Texts {
				e.add(roundName(round, i), i)
			}
		}
	}
	return e
}

// mayDraw reports whether words may be chosen by draws at a temperature: the user must not have set
// another one.
func (c *EnrolmentConfig) mayDraw() bool {
	return c.Params.Temperature == nil || *c.Params.Temperature == 0
}

// add adds a call that may be made.
func (e *Enrolment) add(name string, prompt int) {
	e.positions[name] = len(e.items)
	e.items = append(e.items, item(name, e.prompts[prompt]))
}

// Items returns the items of all calls that may be made, in their order.
func (e *Enrolment) Items() []verbatim.Item { return e.items }

// Other returns false and "": every call is sent in the usual way.
func (e *Enrolment) Other(int64) (flipped bool, name string) { return false, "" }

// Resume adds a saved record. Records without a reply are left out: their calls are made again.
func (e *Enrolment) Resume(rec *verbatim.Record) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := newCall(rec, e.config.Upstream); c.state == replied {
		e.set(nameOf(rec), c)
	}
}

// set stores a call.
func (e *Enrolment) set(name string, c call) {
	if _, again := e.calls[name]; !again && strings.HasPrefix(name, "draw/") {
		e.drawn++
	}
	e.calls[name] = c
	if len(c.failed) > 0 && e.failed == nil {
		e.failed = upstream.Failures{}
	}
	e.failed.Merge(c.failed)
	if c.state != replied {
		return
	}
	e.upstreams, e.served = withName(e.upstreams, c.upstream), withName(e.served, c.served)
}

// Next implements verbatim.Source. One request is in flight at a time.
func (e *Enrolment) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range done {
		e.inFlight = false
		c := newCall(&done[i], e.config.Upstream)
		if c.refused && e.config.Params.Logprobs > 0 {
			e.config.Params.Logprobs = 0 // they are not offered: the call is made again without them
			continue
		}
		e.set(nameOf(&done[i]), c)
	}
	if e.inFlight {
		return []verbatim.Request{}, nil
	}
	name, ok := e.next()
	if !ok {
		return nil, nil
	}
	if round, _, ok := readName(name); ok && round > e.round {
		e.pause()
		e.round, e.begun = round, time.Now()
	}
	e.inFlight = true
	return []verbatim.Request{e.request(name)}, nil
}

// pause waits until the next round is due.
func (e *Enrolment) pause() {
	if e.config.Wait == nil || e.begun.IsZero() {
		return
	}
	until := e.begun.Add(e.config.Every)
	e.mu.Unlock()
	e.config.Wait(until)
	e.mu.Lock()
}

// request makes the request of a name.
func (e *Enrolment) request(name string) verbatim.Request {
	at := e.positions[name]
	it := &e.items[at]
	r := verbatim.Request{Seq: int64(at), Attempt: 1, Item: it, Prompt: it.Prompt, Params: e.config.Params, MaxTokens: e.config.Limit}
	if strings.HasPrefix(name, "draw/") {
		t := drawTemperature
		r.Params.Temperature, r.Params.Logprobs = &t, 0
	}
	if _, prompt, ok := readName(name); ok && prompt >= firstText {
		r.MaxTokens, r.Params.Logprobs = max(r.MaxTokens, textTokens), 0
	}
	return r
}

// next returns the name of the next call; false if no call is left. These are candidates and draws until
// enough words are chosen, and then round after round.
func (e *Enrolment) next() (string, bool) {
	if e.saved || len(e.upstreams) > 1 && !e.config.MixUpstreams {
		return "", false
	}
	chosen, name := e.choose()
	if name != "" {
		return name, true
	}
	if len(chosen) < fewest {
		return "", false
	}
	for round := 1; round <= rounds; round++ {
		for _, i := range chosen {
			if name := roundName(round, i); e.calls[name].state == open {
				return name, true
			}
		}
	}
	return "", false
}

// Progress returns the number of calls that have ended, and the most that may be made.
func (e *Enrolment) Progress() (ended, all int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	all = e.config.most()
	if offered, _ := e.offered(); offered && e.drawn == 0 && e.config.mayDraw() {
		all -= mostDraws
	}
	return len(e.calls), all
}

// most is the largest number of calls; without log probabilities they include draws.
func (c *EnrolmentConfig) most() int {
	n := candidates + rounds*enrolled
	if c.mayDraw() {
		n += mostDraws
	}
	if c.Texts {
		n += rounds * texts
	}
	return n
}

// The verdicts of an enrolment.
const (
	Enrolled = "enrolled"
	refused  = "refused"
)

// Verdict returns the verdict; "" if there is no verdict yet.
func (e *Enrolment) Verdict() string {
	switch r := e.Result(); {
	case !r.Finished:
		return ""
	case r.Refusal != "":
		return refused
	}
	return Enrolled
}
