package grade

import (
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// A textGrader grades answers that are texts.
type textGrader struct {
	finder   *extract.Finder
	rules    [][]rule // of version 1
	mistakes [][]rule // of version 2
	// exact says whether a stripped reply is right; loose whether it is right
	// but for its form, without any wrapper. Nil is never.
	exact, loose func(got, want string) bool
}

func same(got, want string) bool { return got == want }

// judge finds the label of got, which is stripped.
func (r textGrader) judge(it *verbatim.Item, want, got string) verdict {
	if r.exact(got, want) {
		return verdict{label: traits.LabelPass, exact: true, extracted: true, gradedText: got}
	}
	const endOfReasoning = "</think>"
	if i := strings.LastIndex(got, endOfReasoning); i >= 0 {
		v := r.judge(it, want, pylit.Strip(got[i+len(endOfReasoning):]))
		v.wrapped = v.wrapped || v.exact
		v.label, v.detail, v.exact = traits.LabelLeak, v.label, false
		return v
	}
	if got == "" {
		return verdict{label: traits.LabelEmpty}
	}
	v := verdict{gradedText: got, pair: newPair(want, got)}
	v.pair.source, v.pair.addends = origin(it, v.pair.e)
	hit, detail := v.pair.firstHolding(r.rules)
	v.label, v.detail, v.wrapped = hit.Name, detail, hit.extracted
	v.extracted = v.wrapped || r.loose != nil && r.loose(got, want)
	return v
}

// from notes what is known of how the answer of the item comes about, where one was looked for.
func (p *pair) from(it *verbatim.Item) {
	p.found = true
	p.source, p.addends = origin(it, p.e)
	if kind, _ := kindOf(it.Grader); kind == integers {
		p.counted = it.Source != nil && len(it.Source.List) == 1
		p.fraction = slices.ContainsFunc(it.Mistakes, func(m verbatim.Mistake) bool { return m.Label == traits.Decimal })
	}
}

// origin returns what the wanted text was made from: the text that was to be
// reversed, or the numbers that were to be added. A source that is the wanted
// text itself (a copy, not a reversal) tells nothing, unless it reads the same
// backwards.
func origin(it *verbatim.Item, want []rune) (source []rune, addends []string) {
	if it.Source == nil {
		return nil, nil
	}
	if kind, _ := kindOf(it.Grader); kind == integers {
		return nil, addendsOf(*it.Source)
	}
	if it.Source.IsList() {
		return nil, nil
	}
	source = runes.Decode(it.Source.Text)
	if slices.Equal(source, want) && !mirrored(want, want) {
		return nil, nil
	}
	return source, nil
}

// grade judges the reply and says what became of it.
func (r textGrader) grade(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	want := it.Want.Text
	if it.Want.IsList() {
		want = pylit.Format(it.Want.List)
	}
	got := pylit.Strip(text)
	v := r.judge(it, want, got)
	score := 0.0
	if v.exact {
		score = 1
	}
	g := verbatim.Grade{
		Label:     v.label,
		Detail:    v.detail,
		Exact:     v.exact,
		Extracted: v.extracted,
		Score:     &score,
		Flags:     traits.Flags(it, want, got, finish),
		Measures:  v.measures(want),
		Grader:    Current(name),
	}
	g.Outcome = traits.Outcome(v.exact, v.wrapped, v.label, finish)
	if g.Outcome == verbatim.Truncated {
		g.Detail = "diverged"
		if strings.HasPrefix(want, v.gradedText) || traits.StillReasoning(v.gradedText) {
			g.Detail = "prefix" // it may have become right
		}
	}
	return g
}
