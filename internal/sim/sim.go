package sim

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/damage"
	families "verbatim/internal/task"
)

// A model is a simulated model: it knows the right answers and spoils some of them. It does not read
// prompts, unless it echoes them.
//
// Its answers are drawn from its seed, the item's ID and the trial. Whether an attempt fails, and how long
// it takes, also depends on the number of the attempt. So a run that was killed and continued equals one
// that was not.
type model struct {
	name     string // "sim:careful"
	settings settings
	mistakes map[string]mistakes // by the name of the grader
	knobs    families.Knobs      // the facts of items that make them harder
}

// New returns a simulated model of one of Kinds. knobs sets some of Knobs to other values than the kind
// does. The error is an *input.NameError that lists the valid names.
func New(kind string, knobs url.Values) (verbatim.Model, error) {
	k, err := newSettings(kind, knobs)
	if err != nil {
		return nil, err
	}
	return &model{name: "sim:" + kind, settings: k, mistakes: newMistakes(k.labels), knobs: families.AllKnobs()}, nil
}

// The streams of random numbers of one request.
const (
	answerStream  = "answer"
	attemptStream = "attempt"
)

// draw returns the generator of a stream of a request.
func (s *model) draw(stream string, r *verbatim.Request) *rand.Rand {
	var room [256]byte
	b := binary.LittleEndian.AppendUint64(room[:0], s.settings.seed)
	b = append(append(b, stream...), 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Trial))
	if stream == attemptStream {
		b = binary.LittleEndian.AppendUint64(b, uint64(r.Attempt))
	}
	sum := sha256.Sum256(append(b, r.Item.ID...))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
}

// Ask implements verbatim.Model.
func (s *model) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if err := ctx.Err(); err != nil {
		return s.canceled(r, time.Now(), err)
	}
	start := time.Now()
	luck := s.draw(attemptStream, r)
	first := s.settings.firstToken(luck)
	if luck.Float64() < s.settings.down {
		return s.outage(ctx, r, luck, start, first)
	}
	cut := luck.Float64() < s.settings.cut
	a := s.answer(s.draw(answerStream, r), r)
	if cut {
		a.text = prefix(a.text, luck.IntN(len(a.text)+1))
	}
	times, err := s.wait(ctx, start, first, a)
	if err != nil {
		return s.canceled(r, start, err)
	}
	attempt := verbatim.Attempt{N: r.Attempt, Start: start, Total: times.Total, Bytes: int64(len(a.text) + len(a.reasoning))}
	if cut {
		attempt.Class, attempt.Partial, attempt.Err = verbatim.Cut, a.text, "the answer ended without its end marker"
		return s.failure(attempt, nil)
	}
	*reply = verbatim.Reply{
		Text:           a.text,
		Reasoning:      a.reasoning,
		ReasoningField: a.reasoningField(),
		Finish:         a.finish,
		FinishRaw:      string(a.finish),
		Usage:          a.usage(r.Prompt),
		Times:          times,
		ServedModel:    s.name,
		Attempts:       []verbatim.Attempt{attempt},
	}
	return nil
}

// outage is the error of an attempt at a server that is down or busy, or limits the rate.
func (s *model) outage(ctx context.Context, r *verbatim.Request, luck *rand.Rand, start time.Time, wait time.Duration) error {
	if err := sleep(ctx, wait); err != nil {
		return s.canceled(r, start, err)
	}
	attempt := verbatim.Attempt{N: r.Attempt, Start: start, Total: time.Since(start)}
	switch luck.IntN(3) {
	case 0:
		attempt.Class, attempt.Err = verbatim.Transport, "connection refused"
	case 1:
		attempt.Class, attempt.Status, attempt.Err = verbatim.Overload, http.StatusServiceUnavailable, "the server is busy"
	case 2:
		attempt.Class, attempt.Status, attempt.Err = verbatim.Rate, http.StatusTooManyRequests, "too many requests"
	}
	return s.failure(attempt, nil)
}

// canceled is the error of an attempt that ended with its context.
func (s *model) canceled(r *verbatim.Request, start time.Time, err error) error {
	return s.failure(verbatim.Attempt{N: r.Attempt, Start: start, Total: time.Since(start), Class: verbatim.Deadline, Err: err.Error()}, err)
}

// failure makes a Failure of an attempt that failed; err is nil if the failure is simulated.
func (s *model) failure(attempt verbatim.Attempt, err error) error {
	f := &verbatim.Failure{Class: attempt.Class, Status: attempt.Status, Who: s.name, Attempts: []verbatim.Attempt{attempt}, Err: err}
	if err == nil {
		f.Err = errors.New(attempt.Err + " (simulated)")
		f.Hint = "the failure is simulated; the knobs down and cut say how often that happens"
	}
	return f
}

// mistakes are the ways in which answers to the items of one grader go wrong.
type mistakes struct{ wrong, wraps choice }

// A choice is spoilers with weights.
type choice struct {
	spoilers []damage.Spoiler
	weights  []float64
	total    float64
	foresees bool // half of the replies to an item that foresees mistakes are these
}

// newMistakes returns the mistakes for every grader: those with the labels, or a realistic mix if there
// are no labels.
func newMistakes(labels []string) map[string]mistakes {
	out := map[string]mistakes{}
	for _, grader := range damage.Graders() {
		var m mistakes
		m.wrong.foresees = len(labels) == 0
		for _, s := range damage.Spoilers(grader) {
			switch {
			case slices.Contains(labels, s.Label):
				m.wrong.add(s, 1)
			case len(labels) == 0 && s.Weight > 0:
				m.wrong.add(s, s.Weight)
			}
			if damage.IsWrapping(s.Label) {
				m.wraps.add(s, 1)
			}
		}
		out[grader] = m
	}
	return out
}

// add adds a spoiler.
func (c *choice) add(s damage.Spoiler, weight float64) {
	c.spoilers, c.weights = append(c.spoilers, s), append(c.weights, weight)
	c.total += weight
}

// spoil draws a spoiler and applies it. If the item leaves it no room, the next ones are tried. If there
// is no room for any of them, the answer is right.
func (c choice) spoil(r *rand.Rand, it *verbatim.Item) string {
	if len(it.Mistakes) > 0 && r.IntN(2) == 0 {
		if reply, ok := damage.Foreseen(r, it); ok && c.foresees {
			return reply
		}
	}
	start := 0
	for u := r.Float64() * c.total; start < len(c.weights)-1 && u >= c.weights[start]; start++ {
		u -= c.weights[start]
	}
	for i := range c.spoilers {
		if reply, ok := c.spoilers[(start+i)%len(c.spoilers)].Spoil(r, it); ok {
			return reply
		}
	}
	return damage.Right(it)
}

// firstToken draws the time until the first word: log-normal around the median.
func (k *settings) firstToken(luck *rand.Rand) time.Duration {
	z := luck.NormFloat64()
	if k.latency == 0 {
		return 0
	}
	return time.Duration(min(float64(k.latency)*math.Exp(k.spread*z), float64(24*time.Hour)))
}

// wait takes the time in which a model writes an answer, and returns the times of its parts. Without a
// latency and a rate there is only the start: the time of this program would be another one in every run.
func (s *model) wait(ctx context.Context, start time.Time, first time.Duration, a answer) (verbatim.Times, error) {
	if s.settings.latency == 0 && s.settings.rate == 0 {
		return verbatim.Times{Start: start}, nil
	}
	if err := sleep(ctx, first); err != nil {
		return verbatim.Times{}, err
	}
	var at struct{ first, content time.Duration }
	at.first = time.Since(start)
	times := verbatim.Times{Start: start, FirstByte: &at.first}
	if a.reasoning != "" {
		times.FirstReasoning = &at.first
		if err := sleep(ctx, s.settings.writingTime(a.reasoning)); err != nil {
			return verbatim.Times{}, err
		}
	}
	if a.text != "" {
		at.content = time.Since(start)
		times.FirstContent = &at.content
		if err := sleep(ctx, s.settings.writingTime(a.text)); err != nil {
			return verbatim.Times{}, err
		}
	}
	times.Total = time.Since(start)
	return times, nil
}

// writingTime returns how long it takes to write a text.
func (k *settings) writingTime(text string) time.Duration {
	if k.rate == 0 {
		return 0
	}
	return time.Duration(float64(tokens(len(text))) / k.rate * float64(time.Second))
}

// sleep waits, or returns the error of a context that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
