package list

import (
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
	"verbatim/internal/reasoning"
)

// Grade judges a reply by the grader of the name: "list", "sortbench" or
// "sortbench-reference". The score of SortBench's is that of the whole reply. Their verdict is
// about the text behind reasoning between common tags, which "list" gets in the reply's own
// field, unless the user leaves it in the text.
func (j *Judge) Grade(reply string, finish verbatim.Finish, name string, s *Scratch) verbatim.Grade {
	score, reading := j.sortBench(reply, s, name != "sortbench-reference")
	got := pylit.Strip(reply)
	var v verdict
	if findsAnswer(name) {
		v = j.judgeAnswer(reply, got, finish, reading, s)
	} else {
		got = pylit.Strip(reply[reasoning.End(reply):])
		v = j.judge(got, reading, s)
	}
	exact := v.label == traits.LabelPass
	g := verbatim.Grade{
		Outcome:   traits.Outcome(exact, v.extracted, v.label, finish),
		Label:     v.label,
		Detail:    v.detail,
		Exact:     exact,
		Extracted: v.extracted,
		Span:      v.span,
		Rule:      v.rule,
		Score:     scoreOf(name, exact, score),
		Repair:    score.ErrorType,
		Flags:     j.flags(got, v.looped, finish),
		Measures:  score.measures(j.item.Facts[verbatim.FactMode]),
		Grader:    Version(name),
	}
	if g.Outcome == verbatim.Truncated && !(v.extracted && findsAnswer(name)) {
		g.Detail = "diverged"
		if j.mayBecomeRight(got, s) {
			g.Detail = "prefix"
		}
	}
	return g
}

// flags returns what is remarkable about a stripped reply: as of a text of which
// the right one is the wanted list as Python prints it.
func (j *Judge) flags(got string, looped bool, finish verbatim.Finish) []string {
	var out []string
	if got != j.printed {
		out = traits.AddFlag(out, "critical", traits.Critical(j.item, j.printed, got))
		out = traits.AddFlag(out, "foreign_script", traits.Foreign(j.printed, got))
		_, loops := traits.LoopsBeyond(got, j.printed)
		out = traits.AddFlag(out, "loop", looped || loops)
	}
	return traits.CommonFlags(out, j.printed, got, finish)
}

// A verdict is what we, not SortBench, say of a reply.
type verdict struct {
	label, detail string
	extracted     bool // right once what is around the list is taken away
	looped        bool // the items end in a loop
	span          *verbatim.Span
	rule          string
}

// judge judges a stripped reply; reference is SortBench's reading of it. Reasoning
// that leaked into the reply is cut off up to its last end mark, where SortBench
// cuts at the first, and only at the start of a reply.
func (j *Judge) judge(got string, reference reading, s *Scratch) verdict {
	reading := j.reading(got, reference, s)
	if j.isExact(got, reading) {
		return verdict{label: traits.LabelPass, extracted: true}
	}
	const endOfReasoning = "</think>"
	end := strings.LastIndex(got, endOfReasoning)
	if end < 0 {
		return j.label(got, reading, s)
	}
	got = pylit.Strip(got[end+len(endOfReasoning):])
	reading = j.reading(got, reference, s)
	v := verdict{label: traits.LabelPass, extracted: true}
	if !j.isExact(got, reading) {
		v = j.label(got, reading, s)
	}
	v.label, v.detail = traits.LabelLeak, joined(": ", v.label, v.detail)
	return v
}

// reading returns what is to be judged in a stripped reply: SortBench's reading,
// where it read the same text and its rules did not spoil it.
func (j *Judge) reading(got string, reference reading, s *Scratch) reading {
	r := reference
	readable := r.parsed && r.repair.name == ""
	same := r.text == got || readable && pylit.Strip(r.text) == got
	if !same || j.mixed || r.lossy {
		r = j.ownReading(got, s)
	}
	if (r.repair.crops || !r.parsed) && !j.right(r) {
		if list, ok := firstList(got); ok {
			return j.ownReading(list, s)
		}
	}
	return r
}

// ownReading reads a text by SortBench's rules, but without casts that would change
// what the items say.
func (j *Judge) ownReading(text string, s *Scratch) reading {
	r := s.own.read(text, j.kind, !j.mixed)
	if r.lossy {
		r = s.own.read(text, j.kind, false)
	}
	return r
}

// firstList returns the list that starts at the first bracket of a reply, if it is
// complete. SortBench's repairs find no list with talk behind it in some replies,
// and in others they lose its last item.
func firstList(got string) (list string, ok bool) {
	start := max(strings.IndexByte(got, '['), 0)
	v, n, ok := new(pylit.Parser).Prefix(got[start:])
	return got[start : start+n], ok && v.Kind() == pylit.List
}

// isExact reports whether the reply is the expected list and nothing else, however it
// is spelled: one list literal, without comments, with nothing cast.
func (j *Judge) isExact(got string, r reading) bool {
	return r.isList && r.repair.name == "" && !r.ellipsis && !r.cast && !r.comments &&
		strings.HasPrefix(got, "[") && strings.HasSuffix(got, "]") && pylit.Strip(r.text) == got && j.right(r)
}

// right reports whether the wanted list was read, equal in order, value and type.
func (j *Judge) right(r reading) bool {
	if !r.parsed || r.lossy {
		return false
	}
	return sameItems(r.items, j.want) || slices.ContainsFunc(j.accept, func(list []any) bool { return sameAnswer(r.items, list) })
}

func sameItems(a, b []pylit.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !pylit.Same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// label names what is wrong with a reply that is not strictly right.
func (j *Judge) label(got string, r reading, s *Scratch) verdict {
	if got == "" {
		return verdict{label: traits.LabelEmpty}
	}
	if j.right(r) {
		detail := r.formatting()
		return verdict{label: formattingLabel(detail), detail: detail, extracted: true}
	}
	if r.parsed {
		r.count(j, s)
	}
	if (!r.parsed || 2*r.counts.missing > len(j.want)) && traits.Refuses(got) {
		return verdict{label: traits.LabelRefusal}
	}
	if !r.parsed {
		return verdict{label: "unparsed", detail: r.trouble}
	}
	return j.mistake(r, false)
}

// mistake names what is wrong with a list that was read and counted. rows: its details
// print rows.
func (j *Judge) mistake(r reading, rows bool) verdict {
	for _, m := range j.mistakes {
		if sameAnswer(r.items, m.list) {
			return verdict{label: m.label, detail: m.detail}
		}
	}
	if j.breaksTies(r.items) {
		return verdict{label: "tie_broken", detail: "equal items in another order"}
	}
	l := comparison{want: j.want, source: j.source, items: r.items, counts: r.counts, ranks: r.ranks, rows: rows}
	for _, m := range mistakes() {
		if detail, ok := m.holds(&l); ok {
			return verdict{label: m.Name, detail: detail, looped: m.Name == "looped"}
		}
	}
	return verdict{label: "mixed", detail: l.describe()}
}

// The labels of a right list that is not exact.
const (
	labelCoerced     = "coerced"     // items of another type
	labelExplained   = "explained"   // text around the list
	labelReformatted = "reformatted" // not one Python list
)

// formattingLabel returns the label for what formatting returned.
func formattingLabel(detail string) string {
	switch {
	case strings.Contains(detail, itemsCast):
		return labelCoerced
	case detail == textAround, strings.Contains(detail, listComments), strings.Contains(strings.ToLower(detail), "content"):
		return labelExplained
	}
	return labelReformatted
}

// The parts of a detail that formattingLabel reads. It also reads "content", which the
// names of those repairs have that remove text around a list.
const (
	itemsCast    = "items cast"
	listComments = "comments"
	textAround   = "talk around the list"
)

// formatting says how a right list differs from the exact one.
func (r *reading) formatting() string {
	var cast, ellipsis, tuple, comments string
	if r.cast {
		cast = itemsCast
	}
	if r.ellipsis {
		ellipsis = "ellipsis dropped"
	}
	if !r.isList && r.repair.name == "" {
		tuple = "a tuple"
	}
	if r.comments {
		comments = listComments
	}
	if all := joined(", ", r.repair.name, tuple, ellipsis, cast, comments); all != "" {
		return all
	}
	return textAround
}

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	all := ""
	for _, s := range texts {
		if all != "" && s != "" {
			all += separator
		}
		all += s
	}
	return all
}
