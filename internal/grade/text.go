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
	rules    [][]rule // for whole replies
	mistakes [][]rule // for the answer that was found in a reply
	numbers  bool     // answers are whole numbers
	// exact says whether a stripped reply is right; loose whether it is right
	// but for its form, without any wrapper. Without loose, no other form is right.
	exact, loose func(got, want string) bool
}

func same(got, want string) bool { return got == want }

// judge labels a stripped reply by the rules for whole replies.
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
	r.note(v.pair, it)
	hit, detail := v.pair.firstHolding(r.rules)
	v.label, v.detail, v.wrapped = hit.Name, detail, hit.extracted
	v.extracted = v.wrapped || r.loose != nil && r.loose(got, want)
	return v
}

// note notes in a pair what is known of how the answer to the item comes about.
func (r textGrader) note(p *pair, it *verbatim.Item) {
	if r.numbers && p.found {
		p.counted = it.Source != nil && len(it.Source.List) == 1
		p.fraction = slices.ContainsFunc(it.Mistakes, func(m verbatim.Mistake) bool { return m.Label == traits.Decimal })
	}
	switch {
	case it.Source == nil:
	case r.numbers:
		p.addends = addendsOf(*it.Source)
	case !it.Source.IsList():
		// A source that is the expected text is that of a copy and tells nothing, unless it reads the
		// same backwards.
		if source := runes.Decode(it.Source.Text); !slices.Equal(source, p.e) || mirrored(source, source) {
			p.source = source
		}
	}
}

// grade grades a reply by the rules for whole replies.
func (r textGrader) grade(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	want := pylit.Answer(it.Want)
	got := pylit.Strip(text)
	v := r.judge(it, want, got)
	g := verbatim.Grade{Flags: traits.Flags(it, want, got, finish), Grader: Current(name)}
	g.Outcome = traits.Outcome(v.exact, v.wrapped, v.label, finish)
	v.split(r.rules)
	v.fill(&g, want)
	if g.Outcome == verbatim.Truncated {
		g.Detail = traits.TruncatedDetail(strings.HasPrefix(want, v.gradedText) || traits.StillReasoning(v.gradedText))
	}
	return g
}
