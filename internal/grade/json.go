package grade

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
	"verbatim/internal/reasoning"
)

// jsonVersion is the name of the grader with its version.
const jsonVersion = "json/1"

// The labels of this grader alone.
const (
	labelForm    = "json_form"
	labelInvalid = "json_invalid"
	labelNoCall  = "no_tool_call"
	labelKey     = "json_key"
	labelType    = "json_type"
	labelValue   = "json_value"
)

// jsonLabels returns the failure labels in the order in which they are tested.
func jsonLabels() []traits.Label {
	labels := []traits.Label{{Name: traits.LabelLeak}, {Name: traits.LabelEmpty}, {Name: traits.LabelQuoted}, {Name: traits.LabelFenced}, {Name: traits.LabelExplain},
		{Name: labelForm, Meaning: "The right JSON value in another form: other white space, order of keys, escapes or forms of numbers.", Example: "`{\"b\":1,\"a\":2}` for `{\"a\":2,\"b\":1}`"}}
	labels = append(labels, traits.Foreseen()...)
	labels = append(labels, traits.Label{Name: labelNoCall, Meaning: "The reply is text where the call of a tool was asked for; the detail is what is wrong with the text.", Example: "text in place of a call"})
	return append(labels, []traits.Label{
		{Name: traits.LabelRefusal},
		{Name: labelInvalid, Meaning: "The reply begins a JSON value and does not end it, or is not valid JSON.", Example: "`{\"a\": 2,`"},
		{Name: labelKey, Meaning: "A key is missing, new, or there twice.", Example: "`{\"A\":2}` for `{\"a\":2}`"},
		{Name: labelType, Meaning: "A value is of another type.", Example: "`{\"a\":\"2\"}` for `{\"a\":2}`"},
		{Name: labelValue, Meaning: "A value differs; keys and types up to it are right.", Example: "`{\"a\":3}` for `{\"a\":2}`"},
		{Name: traits.LabelCode}, {Name: traits.LabelTalk},
	}...)
}

// checkJSON returns an error if a text is not one JSON value, with which replies can be compared.
func checkJSON(want string) error {
	if _, err := parse(want); err != nil {
		return errors.New("the grader json wants one JSON value as a text")
	}
	return nil
}

// A verdict is what the grader says about a reply.
type jsonVerdict struct {
	label, detail string
	extracted     bool
	span          *verbatim.Span
	rule          string
}

// gradeJSON grades the text of a reply to an item whose expected answer is a JSON text. Its
// time is linear in the length of the reply.
func gradeJSON(it *verbatim.Item, reply string, finish verbatim.Finish) verbatim.Grade {
	want, got := it.Want.Text, pylit.Strip(reply)
	g := verbatim.Grade{Flags: traits.Flags(it, want, got, finish), Grader: jsonVersion}
	v := jsonVerdict{label: traits.LabelPass, extracted: true}
	switch finish {
	case verbatim.FinishCall: // the server writes the white space between tokens
		g.Exact = isRight(it, got) || sameTokens(it, got)
	case verbatim.FinishNoCall:
	default:
		g.Exact = isRight(it, got)
	}
	if !g.Exact {
		v = judge(it, reply)
	}
	if finish == verbatim.FinishNoCall {
		v.label, v.detail = labelNoCall, strings.TrimSuffix(strings.TrimPrefix(v.label, traits.LabelPass)+": "+v.detail, ": ")
	}
	g.Label, g.Detail, g.Extracted, g.Score, g.Span, g.Rule = v.label, v.detail, v.extracted, new(traits.One(g.Exact)), v.span, v.rule
	g.Outcome = traits.Outcome(g.Exact, g.Extracted, g.Label, finish)
	g.Measures = map[string]float64{"length": float64(traits.Count(got)), "want_length": float64(traits.Count(want)), "value": traits.One(g.Extracted)}
	if g.Outcome == verbatim.Truncated && !g.Extracted {
		g.Detail = traits.TruncatedDetail(strings.HasPrefix(want, got) || traits.StillReasoning(got))
	}
	return g
}

// isRight reports whether a text is the expected one, or another that the item accepts.
func isRight(it *verbatim.Item, got string) bool {
	return got == it.Want.Text || slices.ContainsFunc(it.Accept, func(a verbatim.Answer) bool { return got == a.Text })
}

// judge describes a reply that is not exact by the text behind its reasoning.
func judge(it *verbatim.Item, reply string) jsonVerdict {
	start, state := reasoning.Cut(reply)
	if state == reasoning.Open {
		return jsonVerdict{label: traits.LabelLeak, detail: "not closed"}
	}
	text := reply[start:]
	got := pylit.Strip(text)
	v := jsonVerdict{label: traits.LabelEmpty}
	switch {
	case got == "":
	case isRight(it, got):
		v = jsonVerdict{label: traits.LabelPass, extracted: true}
		v.at(strings.Index(text, got), len(got), extract.RuleWhole)
	default:
		v = describe(it, text, got)
	}
	if v.span != nil {
		v.span.Start, v.span.End = v.span.Start+start, v.span.End+start
	}
	if state == reasoning.Closed {
		v.label, v.detail = traits.LabelLeak, strings.TrimSuffix(v.label+": "+v.detail, ": ")
	}
	return v
}

// at notes where the answer is and which rule found it.
func (v *jsonVerdict) at(start, length int, rule string) {
	v.span, v.rule = &verbatim.Span{Start: start, End: start + length}, rule
}

// sameTokens reports whether a reply is a right answer apart from the white space between the
// tokens of its JSON.
func sameTokens(it *verbatim.Item, got string) bool {
	plain := unspaced(got)
	return plain == unspaced(it.Want.Text) || slices.ContainsFunc(it.Accept, func(a verbatim.Answer) bool { return plain == unspaced(a.Text) })
}

// describe finds the value in a text and compares it.
func describe(it *verbatim.Item, text, got string) jsonVerdict {
	if m, ok := traits.Mistake(it, func(a verbatim.Answer) bool { return a.Text == got }); ok {
		return jsonVerdict{label: m.Label, detail: m.Detail}
	}
	want, err := parse(it.Want.Text)
	if err != nil {
		return jsonVerdict{label: labelInvalid, detail: "the expected answer is no JSON value"}
	}
	a, ok := findAnswer(text, want.kind)
	if !ok {
		return noValue(got)
	}
	answered := text[a.start:a.end]
	v := jsonVerdict{}
	v.at(a.start, a.end-a.start, a.rule)
	if d := compare(want, a.value, "$"); d.label != "" {
		v.label, v.detail = d.label, d.String()
		if m, ok := traits.Mistake(it, func(a verbatim.Answer) bool { return a.Text == answered }); ok {
			v.label, v.detail = m.Label, m.Detail
		}
		return v
	}
	v.extracted = true
	switch {
	case !isRight(it, answered):
		v.label, v.detail = labelForm, form(want, a.value, it.Want.Text, answered)
	case a.rule == ruleFence:
		v.label = traits.LabelFenced
	case a.rule == ruleQuotes:
		v.label = traits.LabelQuoted
	default:
		v.label, v.detail = traits.LabelExplain, traits.Around(text, a.start, a.end)
	}
	return v
}

const (
	ruleFence  = "code block"
	ruleQuotes = "quotes"
	ruleValue  = "JSON value"
)

// An answer is a value that was found in a text, at text[start:end].
type answer struct {
	value
	start, end int
	rule       string
}

// findAnswer finds the value that a text commits to: the whole of it, the whole of its last
// code block, or the last complete value in it. It does not know the expected one.
func findAnswer(text string, want jsonKind) (answer, bool) {
	if a, ok := wholeAnswer(text, 0, len(text), extract.RuleWhole); ok {
		return a, true
	}
	inner := pylit.Strip(text)
	if len(inner) > 2 && strings.IndexByte("`'\"", inner[0]) >= 0 && inner[0] == inner[len(inner)-1] && !strings.HasPrefix(inner, "```") {
		at := strings.Index(text, inner) + 1
		if a, ok := wholeAnswer(text, at, at+len(inner)-2, ruleQuotes); ok {
			return a, true
		}
	}
	if start, end, found := lastFence(text); found {
		if a, ok := wholeAnswer(text, start, end, ruleFence); ok {
			return a, true
		}
	}
	if inner[0] == '{' || inner[0] == '[' {
		if _, err := rawjson.Prefix([]byte(inner), mostDepth); err != nil {
			return answer{}, false // a broken value: a complete one inside it is only a part
		}
	}
	v, start, end, ok := find(text, want)
	return answer{v, start, end, ruleValue}, ok
}

// wholeAnswer reads text[start:end] as one value.
func wholeAnswer(text string, start, end int, rule string) (answer, bool) {
	inner := pylit.Strip(text[start:end])
	start += strings.Index(text[start:end], inner)
	v, err := parse(inner)
	return answer{v, start, start + len(inner), rule}, err == nil
}

// lastFence returns the inside of the last closed code block.
func lastFence(text string) (start, end int, ok bool) {
	const fence = "```"
	end = strings.LastIndex(text, fence)
	if end < 0 {
		return 0, 0, false
	}
	open := strings.LastIndex(text[:end], fence)
	if open < 0 {
		return 0, 0, false
	}
	start = open + len(fence)
	if i := strings.IndexByte(text[start:end], '\n'); i >= 0 && !strings.ContainsAny(text[start:start+i], "{[\"") {
		start += i + 1
	}
	return start, end, true
}

// noValue describes a reply without a complete value.
func noValue(got string) jsonVerdict {
	switch {
	case traits.Declines(got):
		return jsonVerdict{label: traits.LabelRefusal}
	case strings.HasPrefix(got, "{"), strings.HasPrefix(got, "["):
		_, err := parse(got)
		return jsonVerdict{label: labelInvalid, detail: err.Error()}
	case extract.IsProgram(got):
		return jsonVerdict{label: traits.LabelCode}
	case strings.ContainsAny(got, "{["):
		return jsonVerdict{label: labelInvalid}
	}
	return jsonVerdict{label: traits.LabelTalk}
}

// A value is a JSON value as it is written: with the order of its keys, keys that are
// there twice, and the form of its numbers.
type value struct {
	kind    jsonKind
	text    string   // of a string, decoded; of a number as it is written
	members []member // of an object or an array, whose keys are empty
}

type member struct {
	key string
	value
}

type jsonKind byte

const (
	null jsonKind = iota
	boolean
	jsonNumber
	text
	array
	object
)

func (k jsonKind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "an array", "an object"}[k]
}

// mostDepth bounds the nesting of values: reading one takes a call for each level.
const mostDepth = 1000

var errTwoValues = errors.New("there is more than one value")

// parse reads a text that is one JSON value and nothing else but white space.
func parse(s string) (value, error) {
	v, n, err := prefix([]byte(s))
	if err == nil && strings.TrimLeft(s[n:], " \t\r\n") != "" {
		err = errTwoValues
	}
	return v, err
}

// prefix reads the JSON value that a text begins with and returns where it ends. Without one
// the error is a *rawjson.SyntaxError.
func prefix(s []byte) (v value, end int, err error) {
	if end, err = rawjson.Prefix(s, mostDepth); err != nil {
		return v, 0, err
	}
	r := reader{s: s[:end]}
	return r.next(), end, nil
}

// endsEarly reports whether err says that a text of size bytes is only the beginning of a value.
func endsEarly(err error, size int) bool {
	var syntax *rawjson.SyntaxError
	return errors.As(err, &syntax) && syntax.Offset >= size
}

// A reader reads a text that is known to be JSON.
type reader struct {
	s  []byte
	at int
}

// next reads a value.
func (r *reader) next() value {
	switch r.skip(); r.s[r.at] {
	case '{':
		return r.compound(object, '}')
	case '[':
		return r.compound(array, ']')
	case '"':
		return value{kind: text, text: r.string()}
	case 't':
		return r.word(boolean, "true")
	case 'f':
		return r.word(boolean, "false")
	case 'n':
		v := r.word(null, "null")
		v.text = ""
		return v
	}
	from := r.at
	for r.at < len(r.s) && strings.IndexByte("+-.0123456789Ee", r.s[r.at]) >= 0 {
		r.at++
	}
	return value{kind: jsonNumber, text: string(r.s[from:r.at])}
}

func (r *reader) word(k jsonKind, text string) value {
	r.at += len(text)
	return value{kind: k, text: text}
}

// skip passes over white space.
func (r *reader) skip() {
	for r.at < len(r.s) && strings.IndexByte(" \t\r\n", r.s[r.at]) >= 0 {
		r.at++
	}
}

// string reads a string and decodes it.
func (r *reader) string() string {
	from := r.at
	for r.at++; r.s[r.at] != '"'; r.at++ {
		if r.s[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	raw := r.s[from:r.at]
	if utf8.Valid(raw) && !bytes.Contains(raw, []byte(`\u`)) {
		t, _ := rawjson.Text(raw)
		return t
	}
	var t string // what is not valid becomes replacement characters
	_ = json.Unmarshal(raw, &t)
	return t
}

// compound reads an object or an array.
func (r *reader) compound(k jsonKind, end byte) value {
	v := value{kind: k}
	r.at++
	for r.skip(); r.s[r.at] != end; r.skip() {
		if r.s[r.at] == ',' {
			r.at++
			r.skip()
		}
		var m member
		if k == object {
			m.key = r.string()
			r.skip()
			r.at++ // the colon
		}
		m.value = r.next()
		v.members = append(v.members, m)
	}
	r.at++
	return v
}

// find returns the last complete object or array in a text, and its place. The kind says which of both is
// expected; of other kinds it finds none. The number of failures is bounded, so that a text of brackets
// takes no longer than others.
func find(s string, want jsonKind) (v value, start, end int, ok bool) {
	opening := map[jsonKind]byte{object: '{', array: '['}[want]
	if opening == 0 {
		return value{}, 0, 0, false
	}
	const most = 32 // opening brackets at which no value begins
	all := []byte(s)
	for at, failed := 0, 0; failed < most; {
		i := strings.IndexByte(s[at:], opening)
		if i < 0 {
			break
		}
		at += i
		n, err := rawjson.Prefix(all[at:], mostDepth)
		if endsEarly(err, len(all)-at) {
			break // all that follows is inside this value
		}
		if err != nil {
			failed++
			at++
			continue
		}
		start, end, ok = at, at+n, true
		at += n
	}
	if ok {
		r := reader{s: all[start:end]}
		v = r.next()
	}
	return v, start, end, ok
}

// sameJSONNumber reports whether two JSON numbers have the same value. It compares digits, so
// that a large exponent costs nothing.
func sameJSONNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := scientific(a)
	y, okY := scientific(b)
	return okX && okY && x == y
}

// A decimal is the number 0.digits·10^exponent. The digits have no zeros at either end.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// scientific normalizes a JSON number; false if its exponent is too large.
func scientific(s string) (decimal, bool) {
	var d decimal
	s, d.negative = strings.CutPrefix(s, "-")
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	if exponent != "" {
		n, err := strconv.ParseInt(exponent, 10, 62)
		if err != nil {
			return d, false
		}
		d.exponent = n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	d.exponent += int64(len(whole) - (len(whole) + len(fraction) - len(digits)))
	if d.digits = strings.TrimRight(digits, "0"); d.digits == "" {
		return decimal{}, true // zero, of either sign
	}
	return d, true
}

// A difference is the first one between two values.
type difference struct {
	label string // "" if they are the same value
	place string // "$.rows[3].id"
	what  string
}

func (d difference) String() string {
	if d.what == "" {
		return d.place
	}
	return d.place + ": " + d.what
}

// compare returns the first difference of got, which is at the place, from want. The order of keys does not
// count.
func compare(want, got value, place string) difference {
	if want.kind != got.kind {
		return difference{labelType, place, fmt.Sprintf("%s for %s", got.kind, want.kind)}
	}
	switch want.kind {
	case object:
		return compareObjects(want, got, place)
	case array:
		for i := range min(len(want.members), len(got.members)) {
			if d := compare(want.members[i].value, got.members[i].value, place+"["+strconv.Itoa(i)+"]"); d.label != "" {
				return d
			}
		}
		if len(want.members) != len(got.members) {
			return difference{labelValue, place, fmt.Sprintf("%d elements for %d", len(got.members), len(want.members))}
		}
	case jsonNumber:
		if !sameJSONNumber(want.text, got.text) {
			return difference{labelValue, place, short(got.text) + " for " + short(want.text)}
		}
	case text:
		if want.text != got.text {
			return difference{labelValue, place, textDifference(want.text, got.text)}
		}
	default:
		if want.text != got.text {
			return difference{labelValue, place, got.text + " for " + want.text}
		}
	}
	return difference{}
}

// compareObjects compares the members in the order of want.
func compareObjects(want, got value, place string) difference {
	given := make(map[string]int, len(got.members)) // the index of a key in got.members
	for i, m := range got.members {
		if _, twice := given[m.key]; twice {
			return difference{labelKey, place, "the key " + quoted(m.key) + " is there twice"}
		}
		given[m.key] = i
	}
	expected := make(map[string]bool, len(want.members))
	for _, m := range want.members {
		expected[m.key] = true
		if _, ok := given[m.key]; !ok {
			return difference{labelKey, place, "the key " + quoted(m.key) + " is missing"}
		}
	}
	for _, m := range got.members {
		if !expected[m.key] {
			return difference{labelKey, place, "there is a key " + quoted(m.key)}
		}
	}
	for _, m := range want.members {
		if d := compare(m.value, got.members[given[m.key]].value, place+jsonStep(m.key)); d.label != "" {
			return d
		}
	}
	return difference{}
}

// jsonStep returns a key as a part of a place.
func jsonStep(key string) string {
	isOdd := func(r rune) bool { return !runes.IsWord(r) || r >= utf8.RuneSelf }
	if key == "" || len(key) > 40 || strings.ContainsFunc(key, isOdd) {
		return "[" + quoted(key) + "]"
	}
	return "." + key
}

// form returns the first difference in how the same value is written.
func form(want, got value, wantText, gotText string) string {
	switch {
	case keyOrder(want) != keyOrder(got):
		return "order of keys"
	case numbers(want) != numbers(got):
		return "form of a number"
	case unspaced(wantText) != unspaced(gotText):
		return "escapes"
	}
	return "white space"
}

// keyOrder returns all keys in their order.
func keyOrder(v value) string {
	return written(v, func(b *strings.Builder, m member) { b.WriteString(quoted(m.key)) })
}

// numbers returns all numbers as they are written, in their order.
func numbers(v value) string {
	return written(v, func(b *strings.Builder, m member) {
		if m.kind == jsonNumber {
			b.WriteString(m.text + " ")
		}
	})
}

// written returns what write writes of a value and of all values in it.
func written(v value, write func(*strings.Builder, member)) string {
	var b strings.Builder
	var walk func(m member)
	walk = func(m member) {
		write(&b, m)
		for _, inner := range m.members {
			walk(inner)
		}
	}
	walk(member{value: v})
	return b.String()
}

// unspaced returns a JSON text without the white space between its tokens.
func unspaced(s string) string {
	var b strings.Builder
	inside := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inside && c == '\\' && i+1 < len(s):
			b.WriteByte(c)
			i++
		case c == '"':
			inside = !inside
		case !inside && strings.IndexByte(" \t\r\n", c) >= 0:
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// textDifference shows two strings around their first difference.
func textDifference(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	for i > 0 && i < len(want) && !utf8.RuneStart(want[i]) {
		i--
	}
	return fmt.Sprintf("%s for %s @%d", short(quoted(got[min(i, len(got)):])), short(quoted(want[min(i, len(want)):])), utf8.RuneCountInString(want[:i]))
}

func quoted(s string) string { return strconv.Quote(extract.Head(s, 80)) }

func short(s string) string {
	if utf8.RuneCountInString(s) <= 40 {
		return s
	}
	return extract.Head(s, 40) + "…"
}
