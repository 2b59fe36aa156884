package model

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/nano"
)

// NanoName is the name of the language model that is part of this program.
const NanoName = "nano"

// NanoDoc describes nano, as a noun phrase.
const NanoDoc = "a small network inside this program"

// NanoContext is the number of tokens of prompt and answer together that nano takes.
const NanoContext int64 = nano.Context

// nanoSpeed is how many tokens nano reads or writes per second on one processor.
const nanoSpeed = 5000

// A nanoModel is the network of package nano as a model. It reads only the prompt: neither the item
// nor its right answer. Without a temperature the same prompt has the same answer. With a temperature
// and without a seed, the seed is a function of the item's ID, the trial and the prompt. So a run that
// was killed and continued has the same answers as one that was not.
type nanoModel struct {
	load func() (*nano.Network, error) // the weights are decoded at the first call
}

// openNano opens the network. Its weights are decoded at the first request.
func openNano() Handle {
	m := nanoModel{sync.OnceValues(nano.Load)}
	return Handle{
		Model:   m,
		Name:    NanoName,
		Note:    NanoName + " is " + NanoDoc + ", trained on some of its tasks: its scores say nothing about other models",
		BuiltIn: true,
		Price:   freePrice(),
		Context: new(NanoContext),
		Images:  new(false),
		Reasons: new(false),
		Count:   m.count,
		Speed:   nanoSpeed,
		Close:   func() error { return nil },
	}
}

// count returns the tokens of a prompt.
func (m nanoModel) count(p verbatim.Prompt) (int64, error) {
	network, err := m.load()
	if err != nil {
		return 0, err
	}
	return int64(network.Count(p)), nil
}

// Ask implements verbatim.Model.
func (m nanoModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	attempt := verbatim.Attempt{N: r.Attempt, Start: time.Now()}
	if err := ctx.Err(); err != nil {
		return nanoFailure(attempt, err)
	}
	sampling, err := nanoSampling(r)
	if err != nil {
		return nanoFailure(attempt, err)
	}
	network, err := m.load()
	if err != nil {
		return nanoFailure(attempt, err)
	}
	answer, err := network.Answer(ctx, r.Prompt, r.MaxTokens, sampling)
	if err != nil {
		return nanoFailure(attempt, err)
	}
	attempt.Total, attempt.Bytes = time.Since(attempt.Start), int64(len(answer.Text))
	finish := verbatim.FinishStop
	if answer.Cut {
		finish = verbatim.FinishLength
	}
	*reply = verbatim.Reply{
		Text:        answer.Text,
		Tokens:      answer.Tokens,
		Finish:      finish,
		FinishRaw:   string(finish),
		Usage:       verbatim.Usage{Prompt: new(int64(answer.Prompt)), Completion: new(int64(answer.Completion))},
		Times:       verbatim.Times{Start: attempt.Start, Total: attempt.Total},
		ServedModel: NanoName,
		Fingerprint: network.Fingerprint(),
		Applied:     fmt.Sprintf(`{"temperature":%v,"top_p":%v}`, sampling.Temperature, sampling.TopP),
		Attempts:    []verbatim.Attempt{attempt},
	}
	return nil
}

// A nanoParamError is the error of a parameter that the network does not have, or of its value.
type nanoParamError struct{ reason string }

func (e *nanoParamError) Error() string { return e.reason }

// nanoSampling returns the sampling parameters of a request. Other parameters are errors: a run must
// not have parameters without an effect.
func nanoSampling(r *verbatim.Request) (nano.Sampling, error) {
	p := r.Params
	s := nano.Sampling{TopP: 1, Seed: nanoSeed(r), Logprobs: p.Logprobs}
	if p.Temperature != nil {
		s.Temperature = *p.Temperature
	}
	if p.TopP != nil {
		s.TopP = *p.TopP
	}
	switch {
	case p.Effort != "" || p.ReasoningBudget != nil:
		return s, &nanoParamError{"it writes no reasoning, so it has no reasoning effort and no reasoning budget"}
	case len(p.Extra) > 0:
		return s, &nanoParamError{"it takes no extra parameters"}
	case !(s.Temperature >= 0) || math.IsInf(s.Temperature, 0):
		return s, &nanoParamError{fmt.Sprintf("the temperature cannot be %v", s.Temperature)}
	case !(s.TopP >= 0 && s.TopP <= 1):
		return s, &nanoParamError{fmt.Sprintf("top_p cannot be %v", s.TopP)}
	case s.TopP == 0: // the most probable token alone
		s.Temperature, s.TopP = 0, 1
	}
	return s, nil
}

// nanoSeed returns the seed of the request, or one that follows from its item, trial and prompt.
func nanoSeed(r *verbatim.Request) uint64 {
	if r.Params.Seed != nil {
		return uint64(*r.Params.Seed)
	}
	h := sha256.New()
	add := func(s string) {
		var size [8]byte
		binary.LittleEndian.PutUint64(size[:], uint64(len(s)))
		h.Write(size[:])
		io.WriteString(h, s)
	}
	add(fmt.Sprint(r.Trial))
	if r.Item != nil {
		add(r.Item.ID)
	}
	for _, m := range r.Prompt {
		add(m.Role)
		for _, part := range m.Content {
			add(part.Text)
		}
	}
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// nanoFailure returns the failure of an attempt that ended with err.
func nanoFailure(attempt verbatim.Attempt, err error) error {
	f := &verbatim.Failure{Class: verbatim.BadAsk, Who: NanoName, Err: err}
	var long *nano.TooLong
	var misfit *nanoParamError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f.Class = verbatim.Deadline
	case errors.As(err, &long):
		f.Hint = "use shorter lengths, or another model"
	case errors.Is(err, nano.ErrImage):
		f.Hint = "use a model that takes images"
	case errors.As(err, &misfit):
		f.Hint = "it takes a temperature of 0 or more, a top_p from 0 to 1 and a seed; leave out the rest"
	default:
		f.Hint = "the network inside this program cannot be read: install the program again"
	}
	attempt.Total, attempt.Class, attempt.Err = time.Since(attempt.Start), f.Class, err.Error()
	f.Attempts = []verbatim.Attempt{attempt}
	return f
}
