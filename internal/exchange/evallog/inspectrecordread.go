package evallog

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/finish"
)

// record returns the record of a sample; seq is its position in a log without a note.
func (l *inspectLog) record(s *inspectSample, seq int64) (verbatim.Record, error) {
	if s.Epoch < 1 || s.Epoch > 1_000_000 {
		return verbatim.Record{}, fmt.Errorf("epoch %d: epochs count from 1", s.Epoch)
	}
	if raw := s.Metadata[noteKey]; raw != nil && l.note != nil {
		var note recordNote
		if err := json.Unmarshal(raw, &note); err != nil {
			return verbatim.Record{}, fmt.Errorf("metadata.%s: %w", noteKey, err)
		}
		if err := note.check(); err != nil {
			return verbatim.Record{}, err
		}
		return l.restored(s, &note)
	}
	return l.foreign(s, seq)
}

// restored returns a record that WriteInspect has written.
func (l *inspectLog) restored(s *inspectSample, note *recordNote) (verbatim.Record, error) {
	r := resolver(s.Attachments)
	paths := note.Images
	shown, err := s.prompt(r, &paths)
	if err != nil {
		return verbatim.Record{}, err
	}
	rec, err := note.record(shown, r, paths)
	if err != nil {
		return rec, err
	}
	if score, ok := s.Scores["exact"]; ok {
		var grade verbatim.Grade
		if err := json.Unmarshal(score.Metadata["grade"], &grade); err != nil {
			return rec, fmt.Errorf("scores.exact.metadata.grade: %w", err)
		}
		rec.Grade = &grade
	}
	if note.Failure != nil {
		rec.Failure = note.Failure.failure()
	}
	if note.Reply != nil {
		text, reasoning, err := s.replyText(r)
		if err != nil {
			return rec, err
		}
		rec.Reply = note.Reply.reply(text, reasoning)
	}
	if answered := rec.Outcome.Answered(); answered != (rec.Grade != nil) || !answered && rec.Reply != nil {
		return rec, fmt.Errorf("the outcome %q does not go with the reply and the grade of the sample", rec.Outcome)
	}
	return rec, nil
}

// replyText returns the last output of the model and its reasoning.
func (s *inspectSample) replyText(r resolver) (text, reasoning string, err error) {
	if len(s.Output.Choices) == 0 {
		return s.Output.Completion, "", nil
	}
	text, reasoning, err = r.messageText(&s.Output.Choices[0].Message)
	if err != nil {
		return "", "", fmt.Errorf("output: %w", err)
	}
	return text, reasoning, nil
}

// foreign returns the record of a sample of another program.
func (l *inspectLog) foreign(s *inspectSample, seq int64) (verbatim.Record, error) {
	r := resolver(s.Attachments)
	it, single, err := l.item(s, r)
	if err != nil {
		return verbatim.Record{}, err
	}
	rec := verbatim.Record{Seq: seq, Item: it, Trial: int(s.Epoch - 1), Prompt: s.sent(it, r)}
	config := &l.head.Plan.Config
	if config.MaxTokens == nil {
		config = &l.head.Eval.Generate
	}
	if n := config.MaxTokens; n != nil && *n > 0 && *n <= math.MaxInt32 {
		rec.MaxTokens = int(*n)
	}
	claim := l.claim(s)
	switch {
	case s.Error != nil:
		// Inspect saves a message and no class.
		rec.Outcome, rec.Failure = verbatim.Errored, s.failure(r, verbatim.Transport, errors.New(bounded(s.Error.Message, 2000)))
	case len(s.Output.Choices) == 0:
		rec.Outcome = verbatim.Errored
		rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoSample}
		if s.Limit != nil && (s.Limit.Type == "time" || s.Limit.Type == "working") {
			rec.Failure.Class = verbatim.Deadline
		}
	case inspectMeaning(s.Output.Choices[0].Stop) == finish.Failure:
		err := fmt.Errorf("the log says that the server gave the answer up: stop reason %s", bounded(s.Output.Choices[0].Stop, 60))
		rec.Outcome, rec.Failure = verbatim.Errored, s.failure(r, verbatim.Overload, err)
	case single:
		rec.Reply, err = s.answer(r)
		rec.Grade = claim
	case claim != nil:
		rec.Outcome, rec.Grade = claim.Outcome, claim
	default:
		rec.Outcome = verbatim.Skipped
		rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoTarget}
	}
	return rec, err
}

var (
	errNoSample = errors.New("the log holds no output for this sample")
	errNoTarget = errors.New("the log does not name one right answer, and has no score")
)

// failure returns a failure with the text of the sample, if any, as a partial reply.
func (s *inspectSample) failure(r resolver, class verbatim.Class, err error) *verbatim.Failure {
	f := &verbatim.Failure{Class: class, Err: err}
	if text, _, err := s.replyText(r); err == nil && text != "" {
		f.Attempts = []verbatim.Attempt{{N: 1, Start: moment(s.Started), Class: class, Err: f.Err.Error(), Partial: text}}
	}
	return f
}

// answer returns the reply of the model.
func (s *inspectSample) answer(r resolver) (*verbatim.Reply, error) {
	text, reasoning, err := s.replyText(r)
	if err != nil {
		return nil, err
	}
	stop := s.Output.Choices[0].Stop
	p := &verbatim.Reply{Text: text, Reasoning: reasoning, Finish: inspectMeaning(stop).Finish(), FinishRaw: bounded(stop, 60),
		ServedModel: s.Output.Model, RequestID: s.Output.ResponseID}
	if reasoning != "" {
		p.ReasoningField = "reasoning"
	}
	p.Times.Start = moment(s.Started)
	if sec := s.Output.Time; sec != nil && *sec > 0 && *sec < math.MaxInt32 {
		p.Times.Total = time.Duration(*sec * float64(time.Second))
	}
	if u := s.Output.Usage; u != nil {
		u.setUsage(p)
	}
	return p, nil
}

// inspectMeaning returns the meaning of a stop reason: "unknown" is Inspect's word, others may be
// those of the provider.
func inspectMeaning(stop string) finish.Meaning {
	if stop == "unknown" {
		return finish.None
	}
	return finish.Of(stop)
}

// setUsage sets the usage and the cost of a reply. If both input and output are 0, they were not
// counted.
func (u *inspectUsage) setUsage(p *verbatim.Reply) {
	if u.Input < 0 || u.Output < 0 || u.Input == 0 && u.Output == 0 {
		return
	}
	prompt := u.Input
	for _, n := range []*int64{u.CacheRead, u.CacheWrite} {
		if n != nil && *n > 0 {
			prompt += *n
		}
	}
	p.Usage = verbatim.Usage{Prompt: &prompt, Completion: &u.Output, Reasoning: u.Reasoning, Cached: u.CacheRead}
	if u.Cost != nil && *u.Cost >= 0 && *u.Cost < 1e6 {
		p.Cost = new(verbatim.Money(math.Round(*u.Cost * float64(verbatim.Dollar))))
	}
}

// sent returns the prompt that the model got: the messages before its last one. It returns nil if
// they are no prompt, such as calls of tools.
func (s *inspectSample) sent(it *verbatim.Item, r resolver) verbatim.Prompt {
	list := s.Messages
	for i, m := range slices.Backward(list) {
		if m.Role == "assistant" {
			list = list[:i]
			break
		}
	}
	p, err := r.prompt(list, new([]string))
	if err != nil || len(p) == 0 {
		return nil
	}
	if samePrompt(p, it.Prompt) {
		return it.Prompt
	}
	return p
}

// bounded returns at most a number of bytes of a text in valid UTF-8.
func bounded(s string, most int) string {
	if s = strings.ToValidUTF8(s, "\ufffd"); len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
