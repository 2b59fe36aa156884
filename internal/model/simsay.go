package model

import (
	"math"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/damage"
)

// A simSaid is what a simulated model says to a request.
type simSaid struct {
	text, reasoning string
	finish          verbatim.Finish
}

// say draws the answer to a request. It draws in the same order whatever the
// knobs, so that turning one of them leaves alone what the others decide.
func (s *sim) say(r *rand.Rand, ask verbatim.Request) simSaid {
	it := ask.Item
	refuses, withheld := r.Float64() < s.knobs.refuse, r.Float64() < s.knobs.filter
	wrong, wraps := r.Float64() < s.knobs.errorRate(it), r.Float64() < s.knobs.wrap
	thoughts := s.knobs.thoughts(r)
	said := simSaid{finish: verbatim.FinishStop}
	mistakes := s.mistakes[damage.Grader(it)]
	switch {
	case s.knobs.echo:
		said.text = simQuestion(ask.Prompt)
	case withheld:
		said.finish = verbatim.FinishFilter
	case refuses:
		said.text = simRefusals[r.IntN(len(simRefusals))]
		if r.IntN(2) == 0 {
			said.finish = verbatim.FinishRefusal
		}
	case wrong:
		said.text = mistakes.wrong.spoil(r, it)
	case wraps:
		said.text = mistakes.wraps.spoil(r, it)
	default:
		said.text = damage.Right(it)
	}
	return said.within(thoughts, s.knobs.budget(ask.MaxTokens))
}

var simRefusals = []string{
	"I'm sorry, but I can't help with that.",
	"I cannot assist with this request.",
	"As an AI, I am unable to do that reliably.",
}

// errorRate returns the chance that the answer to the item is wrong: logistic in
// the logarithm of its length.
func (k *simKnobs) errorRate(it *verbatim.Item) float64 {
	if k.wrong >= 0 {
		return k.wrong
	}
	task, length := simTaskOf(it)
	if half := k.half[task]; half > 0 && length > 0 {
		return 1 / (1 + math.Exp(-k.slope*math.Log2(float64(length)/half)))
	}
	return 0
}

// simTaskOf returns what an item asks for, and its length in that task's unit.
func simTaskOf(it *verbatim.Item) (task simTask, length int) {
	switch {
	case it.Want.IsList():
		return simSort, len(it.Want.List)
	case strings.HasPrefix(it.Grader, "integer"):
		return simAdd, len(it.Want.Text)
	case it.Source != nil && !it.Source.IsList() && it.Source.Text != it.Want.Text:
		return simReverse, utf8.RuneCountInString(it.Want.Text)
	}
	return simCopy, utf8.RuneCountInString(it.Want.Text)
}

// simQuestion returns the last thing that was said to the model.
func simQuestion(p verbatim.Prompt) string {
	var b strings.Builder
	if len(p) > 0 {
		for _, part := range p[len(p)-1].Content {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

// simToken is the number of bytes that count as a token.
const simToken = 4

func simTokens(bytes int) int64 { return int64((bytes + simToken - 1) / simToken) }

// budget returns the most tokens of a reply; 0 is no limit.
func (k *simKnobs) budget(asked int) int {
	if k.limit > 0 && (asked == 0 || k.limit < asked) {
		return k.limit
	}
	return asked
}

// thoughts draws the number of tokens of reasoning.
func (k *simKnobs) thoughts(r *rand.Rand) int {
	z := r.NormFloat64()
	if k.think == 0 {
		return 0
	}
	return int(min(k.think*math.Exp(0.5*z), 1e6))
}

// within adds the reasoning and keeps to the token limit: what is beyond it was
// never written, the answer before the reasoning.
func (s simSaid) within(thoughts, budget int) simSaid {
	const hm = "Let me check this one character at a time. "
	if thoughts > 0 {
		s.reasoning = strings.Repeat(hm, thoughts*simToken/len(hm)+1)[:thoughts*simToken]
	}
	if budget == 0 {
		return s
	}
	room := budget * simToken
	if len(s.reasoning) > room {
		s.reasoning = s.reasoning[:room]
	}
	if room -= len(s.reasoning); len(s.text) > room {
		s.text, s.finish = simPrefix(s.text, room), verbatim.FinishLength
	}
	return s
}

// simPrefix returns the first n bytes of s, or a few less so as to break no
// character.
func simPrefix(s string, n int) string {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func (s simSaid) reasoningField() string {
	if s.reasoning == "" {
		return ""
	}
	return "reasoning"
}

// usage counts tokens as a server would.
func (s simSaid) usage(p verbatim.Prompt) verbatim.Usage {
	var n struct{ prompt, completion, reasoning int64 }
	for _, m := range p {
		for _, part := range m.Content {
			n.prompt += simTokens(len(part.Text))
		}
	}
	n.reasoning = simTokens(len(s.reasoning))
	n.completion = n.reasoning + simTokens(len(s.text))
	u := verbatim.Usage{Prompt: &n.prompt, Completion: &n.completion}
	if s.reasoning != "" {
		u.Reasoning = &n.reasoning
	}
	return u
}
