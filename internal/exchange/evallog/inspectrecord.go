package evallog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"verbatim"
	"verbatim/internal/pylit"
)

// shownPrompt returns the prompt that a file shows: the one that was sent, or the item's own if that
// is unknown.
func shownPrompt(rec *verbatim.Record) verbatim.Prompt {
	if rec.Prompt != nil {
		return rec.Prompt
	}
	return rec.Item.Prompt
}

// inspectSampleOf returns a record as a sample.
func inspectSampleOf(run *verbatim.Run, rec *verbatim.Record) (*inspectSample, error) {
	if rec.Item == nil {
		return nil, fmt.Errorf("record %d has no item", rec.Seq)
	}
	note, list := noteOfRecord(rec)
	s := &inspectSample{
		ID: marshalTexts(sampleID(rec.Item.ID)), Epoch: int64(rec.Trial) + 1, Input: inspectInput(shownPrompt(rec), list), Messages: list,
		Target: marshalTexts(answerText(rec.Item.Want)), Scores: map[string]inspectScore{},
		Output: inspectOutput{Model: run.Model, Choices: []inspectChoice{}},
	}
	if rec.Reply != nil {
		s.reply(run, rec)
	} else if rec.Grade == nil {
		s.failed(rec)
	}
	err := s.score(rec)
	if err == nil {
		err = s.note(rec, &note)
	}
	return s, err
}

// noteOfRecord returns the note of a record, and the messages of its shownPrompt.
func noteOfRecord(rec *verbatim.Record) (n recordNote, shown []inspectMessage) {
	n = recordNote{
		Format: recordNoteFormat, Seq: rec.Seq, Trial: rec.Trial, Unknown: rec.Prompt == nil, MaxTokens: rec.MaxTokens, Outcome: rec.Outcome,
		Item: noteOf(rec.Item),
	}
	if rec.Grade != nil {
		n.Label = rec.Grade.Label
	}
	if rec.Reply != nil {
		n.Reply = noteOfReply(rec.Reply)
	}
	if rec.Failure != nil {
		n.Failure = noteOfFailure(rec.Failure)
	}
	shown = messages(shownPrompt(rec), &n.Images)
	if !samePrompt(shownPrompt(rec), rec.Item.Prompt) {
		n.Item.Messages = messages(rec.Item.Prompt, &n.Images)
	}
	return n, shown
}

// samePrompt reports whether two prompts are equal; it is fast if they share memory.
func samePrompt(a, b verbatim.Prompt) bool {
	if len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] {
		return true
	}
	return reflect.DeepEqual(a, b)
}

// answerText returns an expected answer as a model should write it.
func answerText(a verbatim.Answer) string {
	if a.IsList() {
		return pylit.Format(a.List)
	}
	return a.Text
}

// inspectInput returns a prompt as the input of a sample: the text if it is one message of the user
// with one text, otherwise its messages, which are list.
func inspectInput(p verbatim.Prompt, list []inspectMessage) json.RawMessage {
	if len(p) == 1 && p[0].Role == "user" && len(p[0].Content) == 1 && p[0].Content[0].Image == nil {
		return list[0].Content
	}
	return marshalTexts(list)
}

// reply sets the fields of the model's reply.
func (s *inspectSample) reply(run *verbatim.Run, rec *verbatim.Record) {
	p := rec.Reply
	model := cmp.Or(p.ServedModel, run.Model)
	output := assistant(p, model)
	s.Messages = append(s.Messages, output)
	s.Output = inspectOutput{Model: model, Choices: []inspectChoice{{output, inspectStop(p.Finish)}}, Completion: p.Text, ResponseID: p.RequestID}
	if u := inspectUsageOf(p); u != nil {
		s.Output.Usage = u
		s.Usage = map[string]inspectUsage{run.Model: *u}
	}
	if total := p.Times.Total; total > 0 {
		seconds := new(total.Seconds())
		s.Output.Time, s.Total, s.Working = seconds, seconds, seconds
	}
	if start := p.Times.Start; !start.IsZero() {
		s.Started, s.Completed = instant(start), instant(start.Add(p.Times.Total))
	}
}

// inspectStop returns Inspect's stop reason for a Finish.
func inspectStop(f verbatim.Finish) string {
	switch f {
	case verbatim.FinishStop:
		return "stop"
	case verbatim.FinishLength:
		return "max_tokens"
	case verbatim.FinishFilter, verbatim.FinishRefusal:
		return "content_filter"
	}
	return "unknown"
}

// inspectUsageOf returns the usage of a reply as Inspect counts it: the input leaves out cached
// tokens. It returns nil if both the input and the output are unknown. If one of them is, it is 0,
// because Inspect has no null here; the note has the original.
func inspectUsageOf(p *verbatim.Reply) *inspectUsage {
	u := p.Usage
	if u.Prompt == nil && u.Completion == nil {
		return nil
	}
	out := &inspectUsage{CacheRead: u.Cached, Reasoning: u.Reasoning}
	if u.Prompt != nil {
		out.Input, out.Total = *u.Prompt, *u.Prompt
	}
	if u.Cached != nil {
		out.Input = max(out.Input-*u.Cached, 0)
	}
	if u.Completion != nil {
		out.Output = *u.Completion
		out.Total += *u.Completion
	}
	if p.Cost != nil {
		cost, _ := strconv.ParseFloat(p.Cost.Decimal(), 64)
		out.Cost = &cost
	}
	return out
}

// failed sets the error and the times of a record without an answer.
func (s *inspectSample) failed(rec *verbatim.Record) {
	s.Error = &inspectError{Message: string(rec.Outcome)}
	if rec.Failure == nil {
		return
	}
	s.Error.Message = rec.Failure.Error()
	if attempts := rec.Failure.Attempts; len(attempts) > 0 {
		s.Started = instant(attempts[0].Start)
		if last := attempts[len(attempts)-1]; !last.Start.IsZero() {
			s.Completed = instant(last.Start.Add(last.Total))
		}
	}
}

// score sets the scores. The first one has the whole grade in its metadata.
func (s *inspectSample) score(rec *verbatim.Record) error {
	g := rec.Grade
	if g == nil {
		return nil
	}
	whole, err := marshal(g)
	if err != nil {
		return err
	}
	for i, m := range inspectScores() {
		v := m.of(g)
		if v == nil {
			continue
		}
		score := inspectScore{Value: jsonNumber(*v)}
		if m.mean == "accuracy" {
			score.Value = json.RawMessage(map[bool]string{true: `"C"`, false: `"I"`}[*v == 1])
		}
		if i == 0 {
			score.Metadata = map[string]json.RawMessage{"grade": whole}
			score.Explanation = g.Label
			if g.Detail != "" {
				score.Explanation += ": " + g.Detail
			}
			if rec.Reply != nil && len(rec.Reply.Text) <= 1000 {
				score.Answer = rec.Reply.Text
			}
		}
		s.Scores[m.name] = score
	}
	return nil
}

// note sets the metadata: facts, outcome and label, which Inspect shows in tables, and the note.
func (s *inspectSample) note(rec *verbatim.Record, n *recordNote) error {
	s.Metadata = map[string]json.RawMessage{}
	put := func(key, value string) {
		if value != "" {
			s.Metadata[key] = marshalTexts(value)
		}
	}
	for key, value := range rec.Item.Facts {
		put(key, value)
	}
	put("outcome", string(rec.Outcome))
	put("label", n.Label)
	var err error
	s.Metadata[noteKey], err = marshal(n)
	return err
}
