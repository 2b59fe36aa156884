package grade

import (
	"errors"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"

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
