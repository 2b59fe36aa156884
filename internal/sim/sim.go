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

// model is a simulated model: it knows the right answer and spoils some of them. It
// never reads a prompt, but for the kind that echoes it.
//
// What it answers is drawn from its seed, the item's ID and the trial; whether a
// try fails, and how long it takes, also from the number of the attempt. A run
// that was killed and continued therefore equals one that was not.
type model struct {
	name     string // "sim:careful"
	settings settings
	// mistakes holds what can be spoilt, by the name of the grader.
	mistakes map[string]mistakes
	knobs    families.Knobs // the facts of items that make them harder
}

// New returns a simulated model of a kind that Kinds lists, with the knobs that
// Knobs lists turned from where the kind has them. The error is a *NameError
// that names what there is.
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
func (s *model) draw(stream string, r verbatim.Request) *rand.Rand {
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
func (s *model) Ask(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	if err := ctx.Err(); err != nil {
		return verbatim.Reply{}, s.canceled(r, time.Now(), err)
	}
	start := time.Now()
	luck := s.draw(attemptStream, r)
	first := s.settings.firstToken(luck)
	if luck.Float64() < s.settings.down {
		return verbatim.Reply{}, s.outage(ctx, r, luck, start, first)
	}
	cut := luck.Float64() < s.settings.cut
	a := s.answer(s.draw(answerStream, r), r)
	if cut {
		a.text = prefix(a.text, luck.IntN(len(a.text)+1))
	}
	times, err := s.wait(ctx, start, first, a)
	if err != nil {
		return verbatim.Reply{}, s.canceled(r, start, err)
	}
	attempt := verbatim.Attempt{N: r.Attempt, Start: start, Total: times.Total, Bytes: int64(len(a.text) + len(a.reasoning))}
	if cut {
		attempt.Class, attempt.Partial, attempt.Err = verbatim.Cut, a.text, "the answer ended without its end marker"
		return verbatim.Reply{}, s.failure(attempt, nil)
	}
	return verbatim.Reply{
		Text:           a.text,
		Reasoning:      a.reasoning,
		ReasoningField: a.reasoningField(),
		Finish:         a.finish,
		FinishRaw:      string(a.finish),
		Usage:          a.usage(r.Prompt),
		Times:          times,
		ServedModel:    s.name,
		Attempts:       []verbatim.Attempt{attempt},
	}, nil
}

// outage is a try that meets a server that is away, busy or fed up.
func (s *model) outage(ctx context.Context, r verbatim.Request, luck *rand.Rand, start time.Time, wait time.Duration) error {
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

// canceled is a try that ended with its context.
func (s *model) canceled(r verbatim.Request, start time.Time, err error) error {
	return s.failure(verbatim.Attempt{N: r.Attempt, Start: start, Total: time.Since(start), Class: verbatim.Deadline, Err: err.Error()}, err)
}

// failure makes a Failure of a try that failed; err is nil where the failure is
// simulated.
func (s *model) failure(attempt verbatim.Attempt, err error) error {
	f := &verbatim.Failure{Class: attempt.Class, Status: attempt.Status, Who: s.name, Attempts: []verbatim.Attempt{attempt}, Err: err}
	if err == nil {
		f.Err = errors.New(attempt.Err + " (simulated)")
		f.Hint = "the failure is simulated; the knobs down and cut say how often that happens"
	}
	return f
}
