package layout

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

func ended(word string, exact bool) verbatim.Record {
	r := recordtest.Record("copy", "8", verbatim.Wrong, "truncated")
	if exact {
		r = recordtest.Record("copy", "8", verbatim.Pass, "pass")
	}
	r.Reply.Finish, r.Reply.FinishRaw = verbatim.FinishOther, word
	return r
}

// Finish reasons that are unknown are named with their count and how many of their
// replies are exact, in every layout; what a server writes into one stays harmless.
func TestFinishWordsAreNamed(t *testing.T) {
	const evil = "x\x1b[31m\" <b>|`\u202e"
	var recs []verbatim.Record
	for i := range 12 {
		recs = append(recs, ended("eos_x", i%4 != 0))
	}
	recs = append(recs, ended("network_error", true), ended("tool_calls", true), ended("", true), ended(evil, false))
	r := must(report.Of(report.Options{}, report.Input{Run: verbatim.Run{Name: "r"}, Records: recordtest.Each(recs...)}))(t)
	b := &r.Runs[0]
	if len(b.FinishWords) != 3 || b.FinishWords[0].Word != "eos_x" || b.FinishWords[0].N != 12 || b.FinishWords[0].Exact != 9 {
		t.Fatalf("%+v", b.FinishWords)
	}
	for name, write := range map[string]func() string{
		"text": func() string {
			var w bytes.Buffer
			writeReport("text")(&w, r, terminal.Style{Width: 200})
			return w.String()
		},
		"markdown": func() string { var w bytes.Buffer; writeReport("md")(&w, r, terminal.Style{}); return w.String() },
	} {
		got := write()
		for _, want := range []string{`finish reason "eos_x" (unknown, graded as finished): 12 replies, 75.0 % exact`, `finish reason "network_error" (the server's word for a failure`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: lacks %q:\n%s", name, want, got)
			}
		}
		if strings.ContainsAny(got, "\x1b\u202e") || name == "markdown" && strings.Contains(got, "<b>") {
			t.Errorf("%s: a word of a server commands the terminal: %q", name, got)
		}
		if strings.Contains(got, "tool_calls") {
			t.Errorf("%s: names a call of a tool as unknown", name)
		}
	}
	data, err := json.Marshal(b.FinishWords[0])
	if err != nil || string(data) != `{"word":"eos_x","n":12,"exact":9,"exact_share":0.75}` {
		t.Errorf("%s, %v", data, err)
	}
}
