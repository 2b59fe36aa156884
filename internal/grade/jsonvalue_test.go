package grade

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"verbatim"
)

const compact = `{"id":"a-1","rows":[{"n":1.0,"s":"x\ty"},{"n":20,"s":"é"}],"Key":true,"key":null}`

const expected = `{"id": "a-1", "rows": [{"n": 1.0, "s": "x\ty"}, {"n": 20, "s": "é"}], "Key": true, "key": null}`

func item(want string) *verbatim.Item {
	return &verbatim.Item{Want: verbatim.TextAnswer(want), Grader: "json"}
}

func TestGrade(t *testing.T) {
	for _, c := range []struct {
		reply, label, detail string
		extracted            bool
	}{
		{expected, "pass", "", true},
		{"\n" + expected + "\n", "pass", "", true},
		{compact, "json_form", "white space", true},
		{strings.Replace(expected, "é", `\u00e9`, 1), "json_form", "escapes", true},
		{strings.Replace(expected, "1.0", "1", 1), "json_form", "form of a number", true},
		{strings.Replace(expected, "20", "2e1", 1), "json_form", "form of a number", true},
		{strings.Replace(expected, `"n": 20, "s": "é"`, `"s": "é", "n": 20`, 1), "json_form", "order of keys", true},
		{"```json\n" + expected + "\n```", "fenced", "", true},
		{"```\n" + compact + "\n```", "json_form", "white space", true},
		{"`" + expected + "`", "quoted", "", true},
		{"Here it is:\n" + expected, "explained", "preamble", true},
		{expected + "\nThat is all.", "explained", "trailer", true},
		{"<think>hm</think>" + expected, "reasoning_leak", "pass", true},
		{"<think>hm</think>" + compact, "reasoning_leak", "json_form: white space", true},
		{"<think>" + expected, "reasoning_leak", "not closed", false},
		{strings.Replace(expected, "é", "e", 1), "json_value", `$.rows[1].s: "e" for "é" @0`, false},
		{strings.Replace(expected, "20", "21", 1), "json_value", "$.rows[1].n: 21 for 20", false},
		{strings.Replace(expected, "true", "false", 1), "json_value", "$.Key: false for true", false},
		{strings.Replace(expected, "20", `"20"`, 1), "json_type", "$.rows[1].n: a string for a number", false},
		{strings.Replace(expected, "null", "0", 1), "json_type", "$.key: a number for null", false},
		{strings.Replace(expected, `"Key": true, `, "", 1), "json_key", `$: the key "Key" is missing`, false},
		{strings.Replace(expected, `"Key"`, `"key"`, 1), "json_key", `$: the key "key" is there twice`, false},
		{strings.Replace(expected, `"id": "a-1"`, `"id": "a-1", "x": 1`, 1), "json_key", `$: there is a key "x"`, false},
		{strings.Replace(expected, `, {"n": 20, "s": "é"}`, "", 1), "json_value", "$.rows: 1 elements for 2", false},
		{expected[:60], "json_invalid", "not JSON at byte 61: a string without an end", false},
		{`{"a": [{"b": 1}, {"c": 2}}`, "json_invalid", `not JSON at byte 26: want "," or "]", found "}"`, false},
		{strings.Repeat("[", 1<<20), "json_invalid", "not JSON at byte 1001: nested more than 1000 deep", false},
		{strings.Repeat(`{"a":[`, 1<<18) + strings.Repeat("]}", 1<<18), "json_invalid", "not JSON at byte 3001: nested more than 1000 deep", false},
		{"Sure: " + expected[:60], "json_invalid", "", false},
		{"I'm sorry, but I can't help with that.", "refusal", "", false},
		{"```python\nimport json\nprint(json.dumps(x))\n```", "code", "", false},
		{"The object is copied.", "talk", "", false},
		{"", "empty", "", false},
	} {
		g := gradeJSON(item(expected), c.reply, verbatim.FinishStop)
		if g.Label != c.label || g.Detail != c.detail || g.Extracted != c.extracted || g.Exact != (c.label == "pass") {
			t.Errorf("%q: %s (%s), extracted %v; want %s (%s), %v", c.reply, g.Label, g.Detail, g.Extracted, c.label, c.detail, c.extracted)
		}
		if g.Extracted && !g.Exact && c.label != "json_form" && !strings.Contains(c.label+c.detail, "json_form") && c.reply[g.Span.Start:g.Span.End] != expected {
			t.Errorf("%q: the span holds %q", c.reply, c.reply[g.Span.Start:g.Span.End])
		}
	}
}

// TestLast: of several values the last complete one counts.
func TestLast(t *testing.T) {
	it := item(`{"a": 1}`)
	for reply, label := range map[string]string{
		`First {"a": 2}, no: {"a": 1}`: "explained", `{"a": 1} or {"a": 2}`: "json_value", `x {"a": 1} {`: "explained", `{"a": {"a": 1}`: "json_invalid",
	} {
		if g := gradeJSON(it, reply, verbatim.FinishStop); g.Label != label {
			t.Errorf("%q: %s, want %s", reply, g.Label, label)
		}
	}
}

func TestTruncated(t *testing.T) {
	for reply, detail := range map[string]string{expected[:30]: "prefix", `{"id": "b`: "diverged"} {
		if g := gradeJSON(item(expected), reply, verbatim.FinishLength); g.Outcome != verbatim.Truncated || g.Detail != detail {
			t.Errorf("%q: %s (%s)", reply, g.Outcome, g.Detail)
		}
	}
}

func TestSameNumber(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1", "1.0", true}, {"1e2", "100", true}, {"0.001", "1E-3", true}, {"-0", "0.0", true}, {"10", "1", false}, {"1.5", "15e-1", true},
		{"1e999999999", "10e999999998", true}, {"1e999999999", "1e999999998", false}, {"-1", "1", false}, {"0.10", "0.1", true}, {"100", "10e1", true}, {"1", "0.1", false},
		{"1e99999999999999999999", "1e99999999999999999998", false},
	} {
		if sameJSONNumber(c.a, c.b) != c.same || sameJSONNumber(c.b, c.a) != c.same {
			t.Errorf("%s and %s: same %v, want %v", c.a, c.b, !c.same, c.same)
		}
	}
}

// TestLabels: every label has a reply above, but for those that an item foresees.
func TestLabels(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range jsonLabels() {
		if seen[l.Name] {
			t.Errorf("%s twice", l.Name)
		}
		seen[l.Name] = true
	}
	for _, l := range []string{"json_form", "json_invalid", "json_key", "json_type", "json_value", "twin_taken"} {
		if !seen[l] {
			t.Errorf("there is no label %s", l)
		}
	}
	it := item(`{"a": 1}`)
	it.Mistakes = []verbatim.Mistake{{Label: "step_missing", Detail: "edit 1", Answer: verbatim.TextAnswer(`{"a": 2}`)}}
	it.Accept = []verbatim.Answer{verbatim.TextAnswer(`{"a":1}`)}
	for reply, label := range map[string]string{`{"a": 2}`: "step_missing", `So: {"a": 2}`: "step_missing", `{"a":1}`: "pass"} {
		if g := gradeJSON(it, reply, verbatim.FinishStop); g.Label != label {
			t.Errorf("%q: %s, want %s", reply, g.Label, label)
		}
	}
}

// FuzzGrade: nothing panics; what is a right value for encoding/json is extracted, and the
// other way round.
func FuzzGrade(f *testing.F) {
	f.Add(expected, expected)
	f.Add(`[1, {"a": [null, "\u0000"]}]`, "```json\n[1,{\"a\":[null,\"\\u0000\"]}]\n```")
	f.Add(`{"a": 1}`, `{"a": 1e0}`)
	f.Add(`"x"`, `'"x"'`)
	f.Fuzz(func(t *testing.T, want, reply string) {
		if checkJSON(want) != nil {
			return
		}
		g := gradeJSON(item(want), reply, verbatim.FinishStop)
		if g.Exact && !g.Extracted || g.Span != nil && (g.Span.Start < 0 || g.Span.Start > g.Span.End || g.Span.End > len(reply)) {
			t.Fatalf("%+v", g)
		}
		var a, b any
		if json.Unmarshal([]byte(want), &a) != nil || json.Unmarshal([]byte(reply), &b) != nil {
			return
		}
		if g.Extracted && !reflect.DeepEqual(a, b) {
			t.Errorf("%q is extracted as %q", reply, want)
		}
	})
}

// TestCalls: the arguments of a tool are compared without the white space between tokens, and
// a text in place of a call is never exact.
func TestCalls(t *testing.T) {
	spaced := strings.ReplaceAll(compact, ":", " :\n")
	for _, c := range []struct {
		reply         string
		finish        verbatim.Finish
		outcome       verbatim.Outcome
		label, detail string
	}{
		{expected, verbatim.FinishCall, verbatim.Pass, "pass", ""},
		{compact, verbatim.FinishCall, verbatim.Pass, "pass", ""},
		{compact, verbatim.FinishStop, verbatim.Wrapped, "json_form", "white space"},
		{strings.Replace(compact, "1.0", "1", 1), verbatim.FinishCall, verbatim.Wrapped, "json_form", "form of a number"},
		{`{"id": "b"}`, verbatim.FinishCall, verbatim.Wrong, "json_key", ""},
		{expected, verbatim.FinishNoCall, verbatim.Wrapped, "no_tool_call", ""},
		{compact, verbatim.FinishNoCall, verbatim.Wrapped, "no_tool_call", "json_form: white space"},
		{"Sure!", verbatim.FinishNoCall, verbatim.Wrong, "no_tool_call", "talk"},
		{"", verbatim.FinishNoCall, verbatim.Wrong, "no_tool_call", "empty"},
		{spaced, verbatim.FinishLength, verbatim.Truncated, "json_form", "white space"},
	} {
		g := gradeJSON(item(expected), c.reply, c.finish)
		if g.Outcome != c.outcome || g.Label != c.label || c.detail != "" && g.Detail != c.detail {
			t.Errorf("%q, %s: %s %s (%s), want %s %s (%s)", c.reply, c.finish, g.Outcome, g.Label, g.Detail, c.outcome, c.label, c.detail)
		}
	}
}
