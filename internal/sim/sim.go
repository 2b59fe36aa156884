package sim

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"verbatim"
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
