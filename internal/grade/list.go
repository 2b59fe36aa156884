package grade

import (
	"verbatim"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
	"verbatim/internal/reasoning"
)

// listVersion returns the name of a grader of lists with its version.
func listVersion(name string) string {
	switch name {
	case "list":
		return "list/1"
	case "sortbench":
		return "sortbench/1"
	case "sortbench-reference":
		return "sortbench-reference/1"
	}
	panic("no grader of lists: " + name)
}

// findsAnswer reports whether a grader finds the answer before it compares, as "list" does.
// SortBench's graders read a reply as the published scorer does.
func findsAnswer(grader string) bool { return grader == "list" }

// listLabels returns the failure labels of a grader of lists, in the order in which they
// are tested: a reply gets the first that holds. A label without a meaning is declared by the
// graders of texts.
func listLabels(grader string) []traits.Label {
	labels := []listLabel{{Name: traits.LabelLeak}, {Name: traits.LabelEmpty}}
	if findsAnswer(grader) {
		labels = append(labels, listLabel{Name: traits.LabelQuoted}, listLabel{Name: traits.LabelFenced}, traits.MarkedUp())
	}
	labels = append(labels, []listLabel{
		{Name: labelCoerced, Meaning: "The right list, with items of another type, such as '3' for 3.", Example: "`['1', '3', '5', '20']`"},
		{Name: labelExplained},
		{Name: labelReformatted, Meaning: "The right list in another notation: a tuple, lines with bullets, without its last bracket.", Example: "`[1, 3, 5, 20],`"},
		{Name: traits.LabelRefusal},
		{Name: "unparsed", Meaning: "The reply is, or ends in, a list that cannot be read, or is cut and wrong; or it is one or two words.", Example: "`[1, 3, [5]`"},
	}...)
	if findsAnswer(grader) {
		labels = append(labels, traits.Foreseen()...)
	}
	for _, m := range mistakes() {
		labels = append(labels, m.listLabel)
	}
	labels = append(labels, listLabel{Name: "mixed", Meaning: "Several things are wrong at once: items are missing or new, and others out of place.", Example: "`[3, 1, 7]`"})
	if findsAnswer(grader) {
		labels = append(labels, traits.NonAnswers()...)
	}
	return labels
}

// gradeList grades the text of a reply to an item whose expected answer is a list, by
// the grader of the name. It is pure. To grade many replies to one item, use a Judge.
func (s *Scratch) Grade(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	j, err := newListJudge(it)
	if err != nil { // no reply could be right
		flags := traits.CommonFlags(nil, "", pylit.Strip(text), finish)
		return verbatim.Grade{Outcome: verbatim.Wrong, Label: "unparsed", Detail: err.Error(), Flags: flags, Grader: listVersion(name)}
	}
	return j.Grade(text, finish, name, s)
}

// gradeList grades a reply by the grader of the name: "list", "sortbench" or
// "sortbench-reference". The score of SortBench's graders is that of the whole reply. Their verdict is
// about the text behind reasoning between common tags at its start.
func (j *listJudge) Grade(reply string, finish verbatim.Finish, name string, s *Scratch) verbatim.Grade {
	score, reading := j.sortBench(reply, s, name != "sortbench-reference")
	got := pylit.Strip(reply)
	var v listVerdict
	if findsAnswer(name) {
		v = j.judgeAnswer(reply, got, finish, reading, s)
	} else {
		got = pylit.Strip(reply[reasoning.End(reply):])
		v = j.judge(got, reading, s)
	}
	exact := v.label == traits.LabelPass
	outcome := traits.Outcome(exact, v.extracted, v.label, finish)
	if v.finer != "" && v.split == v.label {
		v.label = v.finer
	}
	g := verbatim.Grade{
		Outcome:   outcome,
		Label:     v.label,
		Detail:    v.detail,
		Exact:     exact,
		Extracted: v.extracted,
		Span:      v.span,
		Rule:      v.rule,
		Score:     scoreOf(name, exact, score),
		Repair:    score.ErrorType,
		Flags:     traits.FlagsOf(j.item, j.printed, got, v.looped, finish),
		Measures:  score.measures(j.item.Facts[verbatim.FactMode]),
		Grader:    listVersion(name),
	}
	if g.Outcome == verbatim.Truncated && !(v.extracted && findsAnswer(name)) {
		g.Detail = traits.TruncatedDetail(j.mayBecomeRight(got, s))
	}
	return g
}

// scoreOf returns the score of the grader of the name; nil if it
// is not defined.
func scoreOf(name string, exact bool, s SortBench) *float64 {
	x, defined := traits.One(exact), true
	switch name {
	case "sortbench":
		x, defined = s.Score(byNeighbors)
	case "sortbench-reference":
		x, defined = s.Score(byOutput)
	}
	if !defined {
		return nil
	}
	return &x
}
