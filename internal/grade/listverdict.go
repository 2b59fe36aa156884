package grade

import (
	"strings"

	"verbatim"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// A verdict is our own, not SortBench's, about a reply.
type listVerdict struct {
	label, detail string
	extracted     bool   // the list is right
	looped        bool   // the items end in a loop
	split, finer  string // a label, and the one that splits it and fits, or ""
	span          *verbatim.Span
	rule          string
}

// judge labels a stripped reply for SortBench's graders; reference is SortBench's reading of it. It cuts off
// reasoning in the reply up to its last end mark. SortBench
// cuts at the first one, and only if the reply begins with reasoning.
func (j *listJudge) judge(got string, reference reading, s *Scratch) listVerdict {
	reading := j.reading(got, reference, s)
	if j.isExact(got, reading) {
		return listVerdict{label: traits.LabelPass, extracted: true}
	}
	const endOfReasoning = "</think>"
	end := strings.LastIndex(got, endOfReasoning)
	if end < 0 {
		return j.label(got, reading, s)
	}
	got = pylit.Strip(got[end+len(endOfReasoning):])
	reading = j.reading(got, reference, s)
	v := listVerdict{label: traits.LabelPass, extracted: true}
	if !j.isExact(got, reading) {
		v = j.label(got, reading, s)
	}
	v.label, v.detail = traits.LabelLeak, joined(": ", v.label, v.detail)
	return v
}

// reading returns the reading of a stripped reply that is judged.
func (j *listJudge) reading(got string, reference reading, s *Scratch) reading {
	r := reference
	if !j.canUse(reference, got) {
		r = j.ownReading(got, s)
	}
	if (r.repair.crops || !r.parsed) && !j.right(r) {
		if list, ok := firstList(got); ok {
			return j.ownReading(list, s)
		}
	}
	return r
}

// firstList returns the list that starts at the first bracket of a reply, if it is
// complete. SortBench's repairs do not find some lists with talk behind them, and lose the
// last item of others.
func firstList(got string) (list string, ok bool) {
	start := max(strings.IndexByte(got, '['), 0)
	v, n, ok := new(pylit.Parser).Prefix(got[start:])
	return got[start : start+n], ok && v.Kind() == pylit.List
}

// listLabel names what is wrong with a reply that is not exact.
func (j *listJudge) label(got string, r reading, s *Scratch) listVerdict {
	if got == "" {
		return listVerdict{label: traits.LabelEmpty}
	}
	if j.right(r) {
		detail := r.formatting()
		return listVerdict{label: formattingLabel(detail), detail: detail, extracted: true}
	}
	if r.parsed {
		r.count(j, s)
	}
	if (!r.parsed || 2*r.counts.missing > len(j.want)) && traits.Refuses(got) {
		return listVerdict{label: traits.LabelRefusal}
	}
	if !r.parsed {
		return listVerdict{label: "unparsed", detail: r.trouble}
	}
	return j.mistake(r, false)
}

// mistake names what is wrong with a list that was read and counted. rows: details
// print rows.
func (j *listJudge) mistake(r reading, rows bool) listVerdict {
	for _, m := range j.mistakes {
		if sameAnswer(r.items, m.list) {
			return listVerdict{label: m.label, detail: m.detail}
		}
	}
	if j.breaksTies(r.items) {
		return listVerdict{label: "tie_broken", detail: "equal items in another order"}
	}
	l := comparison{want: j.want, source: j.source, items: r.items, counts: r.counts, ranks: r.ranks, rows: rows}
	var v listVerdict
	v.label, v.detail = l.first("")
	if v.label == "" {
		v.label, v.detail = "mixed", l.describe()
	}
	v.looped = v.label == traits.LabelLooped
	v.split = v.label
	v.finer, _ = l.first(v.label)
	return v
}

// first returns the first mistake that holds of those that split a label, or of all others for "". The label
// is "" if none holds.
func (l *comparison) first(splits string) (label, detail string) {
	for _, m := range mistakes() {
		if m.Splits == splits {
			if detail, ok := m.holds(l); ok {
				return m.Name, detail
			}
		}
	}
	return "", ""
}

// The labels of a right list that is not exact.
const (
	labelCoerced     = "coerced"     // items of another type
	labelExplained   = "explained"   // text around the list
	labelReformatted = "reformatted" // not one Python list
)

// formattingLabel returns the label for a result of formatting.
func formattingLabel(detail string) string {
	switch {
	case strings.Contains(detail, itemsCast):
		return labelCoerced
	case detail == textAround, strings.Contains(detail, listComments), strings.Contains(strings.ToLower(detail), "content"):
		return labelExplained
	}
	return labelReformatted
}

// The parts of a detail that formattingLabel reads. It also reads "content", which is in the
// names of the repairs that remove text around a list.
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
