package grade

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
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
	labels := []label{{Name: traits.LabelLeak}, {Name: traits.LabelEmpty}}
	if findsAnswer(grader) {
		labels = append(labels, label{Name: traits.LabelQuoted}, label{Name: traits.LabelFenced}, traits.MarkedUp())
	}
	labels = append(labels, []label{
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
		labels = append(labels, m.label)
	}
	labels = append(labels, label{Name: "mixed", Meaning: "Several things are wrong at once: items are missing or new, and others out of place.", Example: "`[3, 1, 7]`"})
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

// A Judge grades replies to one item, whose expected list it prepares once.
// It is safe for concurrent use.
type listJudge struct {
	item   *verbatim.Item
	want   []pylit.Value
	source []pylit.Value // the input; nil if unknown
	kind   pylit.Kind    // of the first item of the input: what others are cast to
	// mixed: the expected items are of several types, or there are none, so that
	// casts to the type of the first would spoil them. The published scorer casts
	// them nevertheless; our own verdict does not.
	mixed    bool
	scale    scale
	accept   [][]any // other right lists
	mistakes []listForeseen
	printed  string // the right reply
	asked    string // the last text of the prompt

	question *extract.Question
}

// newListJudge prepares the expected list of an item. It returns an error if the answer
// is not a list or holds a value that no literal has.
func newListJudge(it *verbatim.Item) (*listJudge, error) {
	if !it.Want.IsList() {
		return nil, fmt.Errorf("the expected answer of %s is a text, not a list", it.ID)
	}
	want, err := pylit.FromList(it.Want.List)
	if err != nil {
		return nil, fmt.Errorf("the expected list of %s: %w", it.ID, err)
	}
	accept, mistakes, err := otherAnswers(it)
	if err != nil {
		return nil, fmt.Errorf("the other answers of %s: %w", it.ID, err)
	}
	j := &listJudge{accept: accept, mistakes: mistakes, item: it, want: want, printed: pylit.MakeList(want).String()}
	given := want
	if it.Source != nil && it.Source.IsList() {
		if j.source, err = pylit.FromList(it.Source.List); err != nil {
			return nil, fmt.Errorf("the source list of %s: %w", it.ID, err)
		}
		given = j.source
	}
	if (it.Grader == "" || it.Grader == "list") && !isAscending(want) {
		j.scale = scale{want: want, ownOrder: true}
	} else {
		j.scale = newScale(want)
	}
	texts := promptTexts(it.Prompt)
	if len(texts) > 0 {
		j.asked = texts[len(texts)-1]
	}
	j.question = extract.OfList(given, j.source, texts...)
	if len(given) > 0 {
		j.kind = given[0].Kind()
	}
	j.mixed = len(want) == 0 || slices.ContainsFunc(want, func(v pylit.Value) bool { return v.Kind() != j.kind })
	return j, nil
}

// A Scratch holds the buffers of Judges. The zero Scratch is
// ready. It serves any number of judges, one reply at a time.
type Scratch struct {
	reference listReader // reads as SortBench does
	own       listReader // reads the text of our verdict if that is another one
	tally     tally
	finder    extract.Finder
	large     bool // the buffers of the last reply are too large to keep
}

// largeReply is the length from which the buffers for a reply are not kept.
const largeReply = 1 << 20

// count counts the items of a parsed reading, unless they are counted.
func (l *reading) count(j *listJudge, s *Scratch) {
	if !l.counted {
		l.counts, l.ranks = s.tally.count(&j.scale, l.items)
		l.counted = true
	}
}

// sortBench returns the verdict and counts of SortBench's scorer on a reply, and the reading. tuples: a tuple of numbers counts as a list, as the
// paper says. The published scorer reads only tuples of texts.
func (j *listJudge) sortBench(reply string, s *Scratch, tuples bool) (SortBench, reading) {
	if s.large {
		*s = Scratch{}
	}
	s.reference.tuples, s.own.tuples = tuples, tuples
	s.large = len(reply) >= largeReply
	reading := s.reference.read(reply, j.kind, len(j.want) > 0)
	score := SortBench{
		Parsed: reading.parsed, ErrorType: reading.repair.name, IsList: reading.isList,
		HasEllipsis: reading.ellipsis, RequiredCast: reading.cast, InputItems: len(j.want),
	}
	if reading.parsed {
		reading.count(j, s)
		c := reading.counts
		score.UnorderedPairs, score.UnorderedNeighbors = c.pairs, c.neighbors
		score.Missing, score.Additional = c.missing, c.added
		score.OutputItems = len(reading.items)
	}
	return score, reading
}

// ownReading reads a text by SortBench's rules, but without casts that would change
// the values of items.
func (j *listJudge) ownReading(text string, s *Scratch) reading {
	r := s.own.read(text, j.kind, !j.mixed)
	if r.lossy {
		r = s.own.read(text, j.kind, false)
	}
	return r
}

// canUse reports whether SortBench's reading serves for our verdict on a stripped reply: it read the same
// text, and its rules did not spoil it.
func (j *listJudge) canUse(reference reading, got string) bool {
	readable := reference.parsed && reference.repair.name == ""
	same := reference.text == got || readable && pylit.Strip(reference.text) == got
	return same && !j.mixed && !reference.lossy
}

// isExact reports whether the reply is the expected list and nothing else, however it
// is spelled: one list literal, without comments, with nothing cast.
func (j *listJudge) isExact(got string, r reading) bool {
	return r.isList && r.repair.name == "" && !r.ellipsis && !r.cast && !r.comments &&
		strings.HasPrefix(got, "[") && strings.HasSuffix(got, "]") && pylit.Strip(r.text) == got && j.right(r)
}

// right reports whether the reading is a right list: equal in order, value and type.
func (j *listJudge) right(r reading) bool {
	if !r.parsed || r.lossy {
		return false
	}
	return sameItems(r.items, j.want) || slices.ContainsFunc(j.accept, func(list []any) bool { return sameAnswer(r.items, list) })
}

// promptTexts returns the texts of a prompt: they show every list that is an input.
func promptTexts(prompt verbatim.Prompt) (texts []string) {
	for _, message := range prompt {
		for _, part := range message.Content {
			if part.Text != "" {
				texts = append(texts, part.Text)
			}
		}
	}
	return texts
}

// The bounds on work. Each keeps one step of grading a reply of 10 MB well under
// a second. Its comment says what is missing beyond it. None of them can turn a
// right answer into a wrong one: they bound the description of failures only.
const (
	// maxTraced is the size of the texts, without their common head and tail, up to
	// which the distance comes from the full bit matrix. It also yields the counts of
	// edits. Its memory is quadratic: 6 MB here.
	maxTraced = 5_000

	// maxEdits is the number of edits up to which longer texts are aligned. Work
	// and memory grow with its square. Beyond it the counts are absent.
	maxEdits = 1_000

	// maxSlides is how many equal code points that alignment may pass over in
	// all: repetitive texts make it walk the same stretch once per diagonal.
	maxSlides = 1 << 27

	// maxWords is the number of 64-bit column steps that may be spent on a
	// distance alone (two texts of 11,000 code points need 2^21). Beyond it the
	// distance is absent and distance_lower_bound takes its place.
	maxWords = 1 << 21

	// maxChunked is the length in code points up to which chunk_reversed is
	// tested, and maxChunks the number of pairs of ends of reversed chunks
	// that it looks at. Only strings like aaaa… have more. Beyond either
	// bound the reply gets a later label.
	maxChunked = 1 << 17
	maxChunks  = 1 << 24

	// maxQuoting is how many bytes may be searched to tell a refusal from a
	// reply that quotes the answer: each long word of the reply is looked up in
	// the expected text. A reply beyond it is too long to be a refusal.
	maxQuoting = 1 << 28

	// maxClusters is the size in bytes up to which grapheme clusters are counted.
	maxClusters = 1 << 20
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

// label names what is wrong with a reply that is not exact.
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

// judgeAnswer labels a reply by the list that package extract finds in it. got is the
// stripped reply, and reference SortBench's reading of it.
func (j *listJudge) judgeAnswer(reply, got string, finish verbatim.Finish, reference reading, s *Scratch) listVerdict {
	if j.isExact(got, j.literal(got, reference, s)) {
		return listVerdict{label: traits.LabelPass, extracted: true}
	}
	start, state := reasoning.Cut(reply)
	if state == reasoning.Open {
		return listVerdict{label: traits.LabelLeak, detail: "not closed"}
	}
	text := reply[start:]
	got = pylit.Strip(text)
	var v listVerdict
	switch {
	case got == "":
		v = listVerdict{label: traits.LabelEmpty}
	case start > 0 && j.isExact(got, j.literal(got, reference, s)):
		at := strings.Index(text, got)
		v = listVerdict{label: traits.LabelPass, extracted: true, rule: extract.RuleWhole, span: &verbatim.Span{Start: at, End: at + len(got)}}
	default:
		v = j.found(text, got, finish, s)
	}
	if v.span != nil {
		v.span.Start, v.span.End = v.span.Start+start, v.span.End+start
	}
	if state == reasoning.Closed {
		v.label, v.detail = traits.LabelLeak, joined(": ", v.label, v.detail)
	}
	return v
}

// literal returns the reading of a stripped reply that could be exact; an empty one if none could.
func (j *listJudge) literal(got string, reference reading, s *Scratch) reading {
	switch {
	case j.canUse(reference, got):
		return reference
	case strings.HasPrefix(got, "[") && strings.HasSuffix(got, "]"):
		return j.ownReading(got, s)
	}
	return reading{}
}

// found describes the list that is in a text, or says what the text is instead.
func (j *listJudge) found(text, got string, finish verbatim.Finish, s *Scratch) listVerdict {
	a, ok := s.finder.Find(text, finish, j.question)
	if !ok {
		return j.noAnswer(text, got, finish, s)
	}
	r := reading{items: a.Items, parsed: true, isList: true, text: text[a.Start:a.End]}
	if j.isRow(r.items) {
		r.items = []pylit.Value{pylit.MakeList(r.items)}
	}
	if !allOf(j.kind, r.items) && !j.mixed {
		cast := r
		cast.items = slices.Clone(r.items)
		cast.dropEllipses()
		if cast.castItems(j.kind); cast.parsed && !cast.lossy {
			r = cast
		}
	}
	v := listVerdict{}
	if j.right(r) {
		v = listWrapping(text, a, r, finish)
	} else {
		r.count(j, s)
		v = j.mistake(r, true)
		if r.counts.missing == len(j.want) && extract.IsProgram(got) { // the list is the output that it expects of the program
			v = listVerdict{label: traits.LabelCode}
		}
		if !a.Whole && (strings.Contains(j.asked, got) || v.label == "unchanged" && a.Rule != extract.RuleNamed && extract.MostlyEcho(text[:a.Start]+text[a.End:], j.asked)) {
			v = listVerdict{label: traits.LabelEcho}
		}
	}
	v.span, v.rule = &verbatim.Span{Start: a.Start, End: a.End}, a.Rule
	return v
}

// isRow reports whether items are one row of the expected rows: they have as many columns, of the same kinds.
func (j *listJudge) isRow(items []pylit.Value) bool {
	if j.kind != pylit.List || len(j.source) == 0 {
		return false
	}
	return slices.EqualFunc(items, j.source[0].Items(), func(a, b pylit.Value) bool { return a.Kind() == b.Kind() })
}

// holdsNumbers reports whether the literal of a list holds numbers.
func holdsNumbers(literal string) bool {
	v, err := pylit.Parse(literal)
	if err != nil || v.Kind() != pylit.List {
		return false
	}
	return slices.ContainsFunc(v.Items(), func(v pylit.Value) bool { return v.Kind() == pylit.Int || v.Kind() == pylit.Float })
}

// listWrapping labels a right list by what is around it and how it is written.
func listWrapping(text string, a extract.Answer, r reading, finish verbatim.Finish) listVerdict {
	v := listVerdict{extracted: true, label: labelExplained, detail: textAround}
	switch {
	case r.cast, a.Loose && holdsNumbers(text[a.Start:a.End]): // the expected items are texts
		v.label, v.detail = labelCoerced, itemsCast
	case a.Loose:
		v.label, v.detail = labelReformatted, a.Rule
	case a.Layer == "quotes":
		v.label, v.detail = traits.LabelQuoted, ""
	case a.Layer == "fence":
		v.label, v.detail = traits.LabelFenced, ""
	case a.Layer == "full stop" && strings.HasSuffix(pylit.Strip(text), ","):
		v.label, v.detail = labelReformatted, "a tuple"
	case a.Layer == "full stop":
	case a.Layer != "":
		v.label, v.detail = traits.LabelMarked, a.Layer
	case a.Whole && r.ellipsis:
		v.label, v.detail = labelReformatted, "ellipsis dropped"
	case a.Whole:
		v.detail = listComments
	case finish == verbatim.FinishLength && traits.LoopsOf(text, text[a.Start:a.End]):
		v.label, v.detail = traits.LabelLooped, "copies of the answer"
	case traits.IsMarkup(text[:a.Start] + text[a.End:]):
		v.label, v.detail = traits.LabelMarked, "no words around"
	}
	return v
}

// noAnswer describes a reply without an answer. A reply that is only a damaged list, or
// that the token limit ended within one, is read with SortBench's repairs.
func (j *listJudge) noAnswer(text, got string, finish verbatim.Finish, s *Scratch) listVerdict {
	if extract.IsProgram(got) && !traits.Declines(got) && !(finish == verbatim.FinishLength && namesOpenList(got)) {
		return listVerdict{label: traits.LabelCode}
	}
	if list := unassigned(got); strings.IndexByte("[(\\", list[0]) >= 0 {
		if v, ok := j.damaged(text, list, finish, s); ok {
			return v
		}
	} else if finish == verbatim.FinishLength {
		if v, ok := j.unfinished(got, s); ok {
			return v
		}
		if listsItems(got) {
			return listVerdict{label: "unparsed", detail: "not closed"}
		}
	}
	if strings.HasSuffix(got, "]") && colonBeforeList.MatchString(got) && !traits.Declines(got) && !j.givesBack(got) {
		return listVerdict{label: "unparsed", detail: "the list cannot be read"}
	}
	if bare := lineNumber.ReplaceAllString(got, ""); extract.IsWordless(bare) && !strings.ContainsAny(bare, "|[ ") {
		return j.lines(bare, s)
	}
	if len(strings.Fields(got)) < 3 && !extract.IsProse(got) && !traits.Declines(got) {
		return listVerdict{label: "unparsed"}
	}
	return listVerdict{label: traits.NonAnswer(got, func() bool { return j.givesBack(got) }, extract.IsProgram(got))}
}

// assignment matches a name and an equals sign before a list.
var assignment = regexp.MustCompile(`^[A-Za-z_]\w* ?= ?\[`)

// colonBeforeList matches a colon before a list.
var colonBeforeList = regexp.MustCompile(`:\s+\[`)

// lineNumber matches a number with its mark, or a bullet, before a line.
var lineNumber = regexp.MustCompile(`(?m)^(\d+[.)]|[-*•]) `)

// unassigned removes the name and the equals sign before the list of a reply of one line.
func unassigned(got string) string {
	if m := assignment.FindString(got); m != "" && !strings.ContainsAny(got[len(m):], "\n=") {
		return got[len(m)-1:]
	}
	return got
}

// namesOpenList reports whether a reply ends in a list that it does not close, with a colon before it and outside
// of a fence.
func namesOpenList(got string) bool {
	open := lastOpen(got)
	return open > 0 && strings.HasSuffix(strings.TrimRight(got[:open], " `*\n"), ":") && strings.Count(got[:open], "```")%2 == 0
}

// lines describes a reply of lines that are neither items of the expected type nor words.
func (j *listJudge) lines(got string, s *Scratch) listVerdict {
	r := reading{parsed: true, isList: true, text: got}
	for line := range strings.SplitSeq(got, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			r.items = append(r.items, pylit.MakeStr(line))
		}
	}
	r.count(j, s)
	return j.mistake(r, true)
}

// damaged describes a reply that begins as a list.
func (j *listJudge) damaged(text, got string, finish verbatim.Finish, s *Scratch) (v listVerdict, ok bool) {
	r := j.repaired(got, s)
	_, loops := traits.LoopsBeyond(got, j.printed)
	switch {
	case loops && (finish == verbatim.FinishLength || !r.parsed) && !traits.Declines(got):
		v = listVerdict{label: traits.LabelLooped}
	case r.parsed && j.right(r):
		start := strings.Index(text, got)
		detail := r.formatting()
		v = listVerdict{label: formattingLabel(detail), detail: detail}
		if finish != verbatim.FinishLength {
			v.extracted, v.rule, v.span = true, "repair: "+r.repair.name, &verbatim.Span{Start: start, End: start + len(got)}
		}
	case r.parsed && finish == verbatim.FinishLength && got[len(got)-1] != ']':
		r.count(j, s)
		v = j.cutMistake(r)
	case r.parsed:
		r.count(j, s)
		v = j.mistake(r, true)
	case !traits.Declines(got):
		v = listVerdict{label: "unparsed", detail: r.trouble}
	default:
		return v, false
	}
	return v, true
}

// unfinished describes a reply that the token limit ended within a list, as far as it goes. A list that begins
// the input is described only if the item foresees it.
func (j *listJudge) unfinished(got string, s *Scratch) (v listVerdict, ok bool) {
	open := lastOpen(got)
	if open < 0 {
		return v, false
	}
	r := j.repaired(got, s)
	if !r.parsed || !j.isForeseen(r.items) || strings.Contains(got[:open], "]") {
		r = j.repaired(got[open:], s)
	}
	_, loops := traits.LoopsBeyond(got, j.printed)
	switch {
	case traits.Declines(got):
		return v, false
	case loops:
		return listVerdict{label: traits.LabelLooped}, true
	case r.parsed && !j.right(r) && (j.isForeseen(r.items) || !j.beginsInput(got[open:])):
		r.count(j, s)
		return j.cutMistake(r), true
	case !r.parsed && !j.givesBack(got):
		return listVerdict{label: "unparsed", detail: r.trouble}, true
	}
	return v, false
}

// cutMistake names what is wrong with a list that the token limit ended. Its other items are unknown.
func (j *listJudge) cutMistake(r reading) listVerdict {
	v := j.mistake(r, true)
	if v.label == "altered" || v.label == "mixed" {
		v = listVerdict{label: "unparsed", detail: "not closed"}
	}
	return v
}

// listsItems reports whether a reply that the token limit ended ends in items between commas, without brackets,
// alone in their line or behind a colon.
func listsItems(got string) bool {
	const least = 4
	got = got[strings.LastIndexByte(got, '\n')+1:]
	if i := strings.LastIndex(got, ": "); i >= 0 {
		got = got[i+len(": "):]
	}
	items := strings.Split(got, ", ")
	return len(items) >= least && !strings.Contains(got, "[") && !slices.ContainsFunc(items, func(item string) bool { return strings.Contains(item, " ") || extract.IsLetters(item) })
}

// repaired reads a text with SortBench's repairs. A row alone is a list of one row.
func (j *listJudge) repaired(text string, s *Scratch) reading {
	r := j.ownReading(text, s)
	if r.parsed && j.isRow(r.items) {
		r.items = []pylit.Value{pylit.MakeList(r.items)}
	}
	return r
}

// beginsInput reports whether the input, as Python or JSON writes it, begins with a text.
func (j *listJudge) beginsInput(text string) bool {
	plain := func(t string) string { return strings.ReplaceAll(t, "\"", "'") }
	return len(j.source) > 0 && strings.HasPrefix(plain(pylit.MakeList(j.source).String()), strings.TrimRight(plain(text), ", "))
}

// isForeseen reports whether items are those of a mistake that the item foresees.
func (j *listJudge) isForeseen(items []pylit.Value) bool {
	return slices.ContainsFunc(j.mistakes, func(m listForeseen) bool { return sameAnswer(items, m.list) })
}

// lastOpen returns where the outermost list begins that the last paragraph of a text does not close; -1 without one.
func lastOpen(text string) int {
	depth, open := 0, -1
	for i := len(text) - 1; i >= 0 && !(open >= 0 && strings.HasPrefix(text[i:], "\n\n")); i-- {
		switch text[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth < 0 {
				depth, open = 0, i
			}
		}
	}
	return open
}

// givesBack reports whether a reply without an answer gives the input or the question back.
func (j *listJudge) givesBack(reply string) bool {
	return extract.IsEcho(j.question, reply) || extract.MostlyEcho(reply, j.asked)
}

// mayBecomeRight reports whether a stripped reply that the token limit ended may be the
// start of a right one: it is empty, still reasoning, or the start of the expected
// list, however spelled.
func (j *listJudge) mayBecomeRight(got string, s *Scratch) bool {
	if traits.StillReasoning(got) {
		return true
	}
	if end := strings.LastIndex(got, "</think>"); end >= 0 {
		got = pylit.Strip(got[end+len("</think>"):])
	}
	return strings.HasPrefix(j.printed, got) || j.beginsAs(got, s)
}

// beginsAs reports whether the list that the reply opens and does not close is the start of the
// expected one.
func (j *listJudge) beginsAs(got string, s *Scratch) bool {
	start := strings.IndexByte(got, '[')
	if start < 0 {
		return false
	}
	open := got[start+1:]
	cut := max(strings.LastIndexByte(open, ','), 0)
	v, err := s.own.parser.Parse("[" + open[:cut] + "]")
	if err != nil {
		return false
	}
	n := len(v.Items())
	if n > len(j.want) || !sameItems(v.Items(), j.want[:n]) {
		return false
	}
	last := pylit.Strip(strings.TrimPrefix(open[cut:], ","))
	if n == len(j.want) {
		return last == ""
	}
	next := j.want[n].String()
	return strings.HasPrefix(next, last) || strings.HasPrefix(next, strings.ReplaceAll(last, `"`, "'"))
}

// A foreseen is a mistake that the item foresees, with the list that it leads to.
type listForeseen struct {
	label, detail string
	list          []any
}

// otherAnswers returns the other right lists of an item and its foreseen mistakes. It does not convert
// the lists: most replies differ from them at an early place. It leaves out answers that are not lists.
func otherAnswers(it *verbatim.Item) (accept [][]any, mistakes []listForeseen, err error) {
	for _, a := range it.Accept {
		if err := checkList(a.List); err != nil {
			return nil, nil, err
		}
		if a.IsList() {
			accept = append(accept, a.List)
		}
	}
	for _, m := range it.Mistakes {
		if err := checkList(m.Answer.List); err != nil {
			return nil, nil, err
		}
		if m.Answer.IsList() {
			mistakes = append(mistakes, listForeseen{m.Label, m.Detail, m.Answer.List})
		}
	}
	return accept, mistakes, nil
}

// checkList returns an error if an element of an answer is not the value of a literal.
func checkList(list []any) error {
	for i, x := range list {
		row, ok := x.([]any)
		err := checkList(row)
		if !ok {
			_, err = pylit.From(x)
		}
		if err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

func sameItems(a, b []pylit.Value) bool { return slices.EqualFunc(a, b, pylit.Same) }

// sameAnswer reports whether the items of a list that was read are those of an answer.
func sameAnswer(items []pylit.Value, answer []any) bool {
	return slices.EqualFunc(items, answer, func(item pylit.Value, x any) bool {
		v, err := pylit.From(x)
		return err == nil && pylit.Same(item, v)
	})
}
