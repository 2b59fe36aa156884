package grade

import (
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// listLabels returns the failure labels of list graders in the order in which they
// are tried: the first that holds is given.
func listLabels() []string {
	return []string{"reasoning_leak", "empty", "wrapped", "refusal", "unparsed", "unchanged", "reversed_order",
		"other_key", "converted", "sign_lost", "looped", "truncated", "missing", "added", "altered", "misordered", "mixed"}
}

// Grade judges a reply by the grader of the name.
func (j *ListJudge) Grade(reply string, finish verbatim.Finish, grader string, s *ListScratch) verbatim.Grade {
	score, reading := j.sortBench(reply, s)
	stripped := pylit.Strip(reply)
	v := j.judge(stripped, reading, s)
	g := verbatim.Grade{
		Label: v.label, Detail: v.detail, Strict: v.label == "pass", Payload: v.payload,
		Repair: score.ErrorType, Measures: score.measures(j.mode), Flags: j.flags(reply, stripped, v.looped),
		Outcome: listOutcome(v, finish), Grader: grader,
	}
	if g.Outcome == verbatim.Limit {
		g.Detail = join("; ", j.progress(stripped, s), g.Detail)
	}
	if lg, ok := findListGrader(grader); ok {
		g.Grader = lg.name + "/" + strconv.Itoa(lg.version)
		if x, defined := lg.score(g.Strict, score); defined {
			g.Score = &x
		}
	}
	return g
}

// listOutcome returns what became of the request, by the label of its reply and by
// how the reply ended.
func listOutcome(v listVerdict, finish verbatim.Finish) verbatim.Outcome {
	switch {
	case v.label == "pass":
		return verbatim.Pass
	case finish == verbatim.FinishFilter || finish == verbatim.FinishRefusal || v.label == "refusal":
		return verbatim.Refused
	case finish == verbatim.FinishLength:
		return verbatim.Limit
	case v.payload:
		return verbatim.Wrapped
	}
	return verbatim.Wrong
}

// A listVerdict is what we, not SortBench, say of a reply.
type listVerdict struct {
	label, detail string
	payload       bool // right after repairs and casts
	looped        bool // the items end in a loop
}

// judge judges a stripped reply; reference is SortBench's reading of it. Reasoning
// that leaked into the reply is cut off up to its last end mark, where SortBench
// cuts at the first, and only at the start of a reply.
func (j *ListJudge) judge(reply string, reference listReading, s *ListScratch) listVerdict {
	reading, strict := j.reading(reply, reference, s)
	if strict {
		return listVerdict{label: "pass", payload: true}
	}
	end := strings.LastIndex(reply, "</think>")
	if end < 0 {
		return j.label(reply, reading, s)
	}
	rest := pylit.Strip(reply[end+len("</think>"):])
	v := listVerdict{label: "pass", payload: true}
	if reading, strict = j.reading(rest, reference, s); !strict {
		v = j.label(rest, reading, s)
	}
	v.label, v.detail = "reasoning_leak", join(": ", v.label, v.detail)
	return v
}

// reading returns what is to be judged in a stripped reply, and whether it is
// strictly right. That is SortBench's reading where it read the same text.
func (j *ListJudge) reading(reply string, reference listReading, s *ListScratch) (listReading, bool) {
	if !j.mixed {
		if j.strict(reply, reference) {
			return reference, true
		}
		if reference.text == reply {
			return reference, false
		}
	}
	own := s.own.read(reply, j.kind, !j.mixed && len(j.want) > 0)
	return own, j.strict(reply, own)
}

// strict reports whether the reply is the wanted list and nothing else, however it
// is spelled: one list literal, without comments, with nothing cast.
func (j *ListJudge) strict(reply string, r listReading) bool {
	return r.isList && r.repair == "" && !r.ellipsis && !r.cast && !r.comments &&
		strings.HasPrefix(reply, "[") && strings.HasSuffix(reply, "]") &&
		pylit.Strip(r.text) == reply && j.right(r)
}

// right reports whether the wanted list was read, equal in order, value and type.
func (j *ListJudge) right(r listReading) bool { return r.parsed && sameItems(r.items, j.want) }

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
func (j *ListJudge) label(reply string, r listReading, s *ListScratch) listVerdict {
	if reply == "" {
		return listVerdict{label: "empty"}
	}
	if j.right(r) {
		return listVerdict{label: "wrapped", detail: r.how(), payload: true}
	}
	if r.parsed && !r.counted {
		r.counts, r.ranks = s.tally.count(&j.scale, r.items)
	}
	if !r.parsed || 2*r.counts.missing > len(j.want) {
		if phrase := refusalPhrase(reply); phrase != "" {
			return listVerdict{label: "refusal", detail: phrase}
		}
	}
	if !r.parsed {
		return listVerdict{label: "unparsed", detail: r.trouble}
	}
	l := listComparison{want: j.want, source: j.source, items: r.items, counts: r.counts, ranks: r.ranks}
	for _, kind := range listMistakes() {
		if detail, ok := kind.is(&l); ok {
			return listVerdict{label: kind.label, detail: detail, looped: kind.label == "looped"}
		}
	}
	return listVerdict{label: "mixed", detail: l.describe()}
}

// how says what had to be done to read a list.
func (r *listReading) how() string {
	var cast, ellipsis, tuple, comments string
	if r.cast {
		cast = "items cast"
	}
	if r.ellipsis {
		ellipsis = "ellipsis dropped"
	}
	if !r.isList && r.repair == "" {
		tuple = "a tuple"
	}
	if r.comments {
		comments = "comments"
	}
	return first(join(", ", r.repair, tuple, ellipsis, cast, comments), "something around the list")
}

// join joins the texts that are not empty.
func join(separator string, texts ...string) string {
	joined := ""
	for _, s := range texts {
		if joined != "" && s != "" {
			joined += separator
		}
		joined += s
	}
	return joined
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
