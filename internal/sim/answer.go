package sim

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/damage"
)

// An answer is what a simulated model says to a request.
type answer struct {
	text, reasoning string
	finish          verbatim.Finish
}

// answer draws the answer to a request. It draws in the same order for all values of the knobs, so
// that a knob does not change what the others decide.
func (s *model) answer(r *rand.Rand, ask *verbatim.Request) answer {
	it := ask.Item
	refuses, withheld := r.Float64() < s.settings.refuse, r.Float64() < s.settings.filter
	wrong, wraps := r.Float64() < s.errorRate(it), r.Float64() < s.settings.wrap
	reasoning := s.settings.reasoningTokens(r)
	a := answer{finish: verbatim.FinishStop}
	mistakes := s.mistakes[damage.Grader(it)]
	switch {
	case s.settings.echo:
		a.text = lastMessage(ask.Prompt)
	case withheld:
		a.finish = verbatim.FinishFilter
	case refuses:
		a.text = refusals[r.IntN(len(refusals))]
		if r.IntN(2) == 0 {
			a.finish = verbatim.FinishRefusal
		}
	case wrong:
		a.text = mistakes.wrong.spoil(r, it)
	case wraps:
		a.text = mistakes.wraps.spoil(r, it)
	default:
		a.text = damage.Right(it)
	}
	if most := ask.ContentTokens * bytesPerToken; most > 0 && len(a.text) > most && ask.MaxTokens > ask.ContentTokens {
		a.text, a.finish = prefix(a.text, most), verbatim.FinishLength
	}
	return a.truncate(reasoning, s.settings.tokenLimit(ask.MaxTokens))
}

var refusals = []string{
	"I'm sorry, but I can't help with that.",
	"I cannot assist with this request.",
	"As an AI, I am unable to do that reliably.",
}

// errorRate returns the probability of a wrong answer to the item: logistic in the logarithm of its
// length and in the facts that make it harder.
func (s *model) errorRate(it *verbatim.Item) float64 {
	k := &s.settings
	if k.errorShare >= 0 {
		return k.errorShare
	}
	task, length := taskOf(it)
	if half := k.half[task]; half > 0 && length > 0 {
		return 1 / (1 + math.Exp(-k.slope*math.Log2(float64(length)/half)-k.facts*s.knobs.Difficulty(it)))
	}
	return 0
}

// taskOf returns the task of an item, and its length in the unit of that task.
func taskOf(it *verbatim.Item) (task task, length int) {
	searched := lengthSearched(it)
	switch {
	case it.Want.IsList():
		return sortTask, len(it.Want.List)
	case searched > 0 && strings.HasPrefix(it.Grader, "integer"):
		return countTask, searched
	case searched > 0:
		return findTask, searched
	case strings.HasPrefix(it.Grader, "integer"):
		return addTask, len(it.Want.Text)
	case it.Source != nil && !it.Source.IsList() && it.Source.Text != it.Want.Text:
		return reverseTask, utf8.RuneCountInString(it.Want.Text)
	}
	return copyTask, utf8.RuneCountInString(it.Want.Text)
}

// lengthSearched returns the length of the text in which an item's answer is to be found or counted; 0
// if the answer is not so much shorter than the length of the item.
func lengthSearched(it *verbatim.Item) int {
	const times = 4
	length, err := strconv.Atoi(it.Facts[verbatim.FactLength])
	if err != nil || length < times*utf8.RuneCountInString(it.Want.Text) {
		return 0
	}
	return length
}

// lastMessage returns the text of the last message of a prompt.
func lastMessage(p verbatim.Prompt) string {
	var b strings.Builder
	if len(p) > 0 {
		for _, part := range p[len(p)-1].Content {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

// bytesPerToken is the number of bytes that count as a token.
const bytesPerToken = verbatim.BytesPerToken

// tokens returns the number of tokens of some bytes.
func tokens(bytes int) int64 { return int64((bytes + bytesPerToken - 1) / bytesPerToken) }

// tokenLimit returns the token limit of a reply, from that of the request; 0 is no limit.
func (k *settings) tokenLimit(requested int) int {
	if k.limit > 0 && (requested == 0 || k.limit < requested) {
		return k.limit
	}
	return requested
}

// reasoningTokens draws the number of tokens of reasoning.
func (k *settings) reasoningTokens(r *rand.Rand) int {
	z := r.NormFloat64()
	if k.reasoning == 0 {
		return 0
	}
	return int(min(k.reasoning*math.Exp(0.5*z), 1e6))
}

// truncate adds a number of tokens of reasoning, and truncates reasoning and text to a token limit, 0 for
// none. The reasoning comes first, so that the text loses its tokens before it.
func (a answer) truncate(reasoning, limit int) answer {
	const sentence = "Let me check this one character at a time. "
	if reasoning > 0 {
		a.reasoning = strings.Repeat(sentence, reasoning*bytesPerToken/len(sentence)+1)[:reasoning*bytesPerToken]
	}
	if limit == 0 {
		return a
	}
	room := limit * bytesPerToken
	a.reasoning = a.reasoning[:min(len(a.reasoning), room)]
	if room -= len(a.reasoning); len(a.text) > room {
		a.text, a.finish = prefix(a.text, room), verbatim.FinishLength
	}
	return a
}

// prefix returns the first n bytes of s, or a few less, so that no character is broken.
func prefix(s string, n int) string {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// reasoningField names the field of a response in which the reasoning came; "" if there is no reasoning.
func (a answer) reasoningField() string {
	if a.reasoning == "" {
		return ""
	}
	return "reasoning"
}

// usage counts tokens as a server does.
func (a answer) usage(p verbatim.Prompt) verbatim.Usage {
	var n struct{ prompt, completion, reasoning int64 }
	for _, m := range p {
		for _, part := range m.Content {
			n.prompt += tokens(len(part.Text))
		}
	}
	n.reasoning = tokens(len(a.reasoning))
	n.completion = n.reasoning + tokens(len(a.text))
	u := verbatim.Usage{Prompt: &n.prompt, Completion: &n.completion}
	if a.reasoning != "" {
		u.Reasoning = &n.reasoning
	}
	return u
}
