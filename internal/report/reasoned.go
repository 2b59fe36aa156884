package report

import (
	"math"
	"sync"

	"verbatim"
	"verbatim/internal/reasoning"

	"verbatim/internal/stats"
)

// reasoned gathers the reasoning of the answers with one outcome.
type reasoned struct {
	tokens, chars, words       sizes
	second, repeated, switches marked // second thoughts, repeated lines, language switches
	inText                     int64  // answers whose reasoning was removed from their text
	patterns, phrases          map[string]marked
}

// patternsOf returns the names of the patterns that a phrase goes with, by phrase. It is nil for an
// unknown phrase.
var patternsOf = sync.OnceValue(func() map[string][]string {
	by := map[string][]string{}
	for _, phrase := range reasoning.Phrases() {
		by[phrase] = []string{}
	}
	for _, p := range reasoning.Patterns() {
		for _, phrase := range p.List {
			by[phrase] = append(by[phrase], p.Name)
		}
	}
	return by
})

// sizes gathers numbers of tokens or of characters.
type sizes struct {
	total int64
	of    *stats.Quantiles // nil: none yet
}

func (s *sizes) add(n int64) {
	if s.of == nil {
		s.of = stats.NewExact()
	}
	s.total += n
	if n == 0 {
		s.of.AddZero()
	} else {
		s.of.Add(stats.BucketOf(float64(n)))
	}
}

func (s *sizes) merge(o *sizes) {
	if o.of == nil {
		return
	}
	if s.of == nil {
		s.of = stats.NewExact()
	}
	s.total += o.total
	s.of.Merge(o.of)
}

// ExactNumbers is the number of values up to which the quantiles of Sizes are exact. Those of more
// values are estimates.
const ExactNumbers = stats.ExactNumbers

func (s *sizes) finish() Sizes {
	if s.of == nil || s.of.N == 0 {
		return Sizes{}
	}
	mean := float64(s.total) / float64(s.of.N)
	return Sizes{
		Mean: &mean, Total: s.total, N: s.of.N,
		Min: s.of.Quantile(0), P25: s.of.Quantile(0.25), Median: s.of.Quantile(0.5), P75: s.of.Quantile(0.75), P95: s.of.Quantile(0.95), Max: s.of.Quantile(1),
	}
}

// marked counts marks, and the answers that have any.
type marked struct{ total, answers int64 }

func (m *marked) add(n int64) {
	m.total += n
	if n > 0 {
		m.answers++
	}
}

func (m *marked) merge(o marked) {
	m.total += o.total
	m.answers += o.answers
}

// add counts the reasoning of a reply.
func (r *reasoned) add(reply *verbatim.Reply) {
	m := reply.Marks
	if text := reasoning.Of(reply); m == nil && text != "" {
		read := reasoning.MeasureMarks(text)
		m = &read
	}
	// A server that leaves reasoning in the text may count 0 tokens of it.
	if n := reply.Usage.Reasoning; n != nil && *n >= 0 && (*n > 0 || m == nil || m.Characters == 0) {
		r.tokens.add(*n)
	}
	if reasoning.InText(reply) {
		r.inText++
	}
	if m == nil {
		return
	}
	r.chars.add(m.Characters)
	r.words.add(m.Words)
	r.second.add(m.SecondThoughts)
	r.repeated.add(m.RepeatedLines)
	r.switches.add(m.LanguageSwitches)
	shown := map[string]int64{}
	for phrase, n := range m.Phrases {
		patterns := patternsOf()[phrase]
		if patterns == nil {
			continue // of a file that another version wrote
		}
		addMarked(&r.phrases, phrase, marked{n, 1})
		for _, p := range patterns {
			shown[p] += n
		}
	}
	for p, n := range shown {
		addMarked(&r.patterns, p, marked{n, 1})
	}
}

func addMarked(to *map[string]marked, name string, n marked) {
	if *to == nil {
		*to = map[string]marked{}
	}
	sum := (*to)[name]
	sum.merge(n)
	(*to)[name] = sum
}

func (r *reasoned) merge(o *reasoned) {
	r.tokens.merge(&o.tokens)
	r.chars.merge(&o.chars)
	r.words.merge(&o.words)
	r.second.merge(o.second)
	r.repeated.merge(o.repeated)
	r.switches.merge(o.switches)
	r.inText += o.inText
	for name, n := range o.patterns {
		addMarked(&r.patterns, name, n)
	}
	for name, n := range o.phrases {
		addMarked(&r.phrases, name, n)
	}
}

// finishReasoning lists the outcomes whose reasoning is known. It is nil if there is only ever a
// count of 0 tokens.
func finishReasoning(by *[8]reasoned) []Reasoned {
	var list []Reasoned
	known := false
	for i, o := range verbatim.Outcomes() {
		r := &by[i]
		if r.tokens.of == nil && r.chars.of == nil {
			continue
		}
		known = known || r.tokens.total > 0 || r.chars.of != nil
		one := Reasoned{Outcome: o, Sizes: r.tokens.finish()}
		if r.chars.of != nil {
			one.Texts = &ReasoningTexts{Characters: r.chars.finish(), Words: r.words.finish(), Patterns: map[string]Marked{}, Phrases: map[string]Marked{}, SecondThoughts: r.second.public(), RepeatedLines: r.repeated.public(), LanguageSwitches: r.switches.public()}
		}
		for _, p := range reasoning.Patterns() {
			if one.Texts != nil {
				one.Texts.Patterns[p.Name] = r.patterns[p.Name].public()
			}
		}
		for phrase, n := range r.phrases {
			one.Texts.Phrases[phrase] = n.public()
		}
		list = append(list, one)
	}
	if !known {
		return nil
	}
	return list
}

// reasoningInText counts the answers whose reasoning was removed from their text.
func reasoningInText(by *[8]reasoned) (n int64) {
	for i := range by {
		n += by[i].inText
	}
	return n
}

func (m marked) public() Marked { return Marked{Total: m.total, Answers: m.answers} }

// windows counts the answers that fit context windows.
type windows struct {
	fit     [len(WindowSizes)]int64 // by index of WindowSizes
	of      int64                   // answers with counts of tokens
	longest int64                   // tokens of the longest prompt with its answer
}

// WindowSizes are the context windows, in tokens, that small models commonly have.
var WindowSizes = [2]int64{4096, 8192}

func (w *windows) add(u *verbatim.Usage) {
	if u.Prompt == nil || u.Completion == nil {
		return
	}
	w.of++
	if *u.Prompt >= 0 && *u.Completion >= 0 && *u.Completion <= math.MaxInt64-*u.Prompt { // servers say any number
		w.longest = max(w.longest, *u.Prompt+*u.Completion)
	}
	for i, size := range WindowSizes {
		if *u.Prompt <= size && *u.Completion <= size-*u.Prompt {
			w.fit[i]++
		}
	}
}

func (w *windows) merge(o windows) {
	w.of += o.of
	w.longest = max(w.longest, o.longest)
	for i, n := range o.fit {
		w.fit[i] += n
	}
}

func (w *windows) finish() []Context {
	if w.of == 0 {
		return nil
	}
	var list []Context
	for i, size := range WindowSizes {
		list = append(list, Context{size, w.fit[i], w.of})
	}
	return list
}
