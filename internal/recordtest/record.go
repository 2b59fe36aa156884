package recordtest

import (
	"errors"
	"iter"
	"strings"
	"time"

	"verbatim"
)

// A Named is a record with the name of its golden file.
type Named struct {
	Name string
	Rec  verbatim.Record
}

// TextRecord returns a record with a wrong reply to an item of the family copy.
func TextRecord(want, reply, label, detail string) verbatim.Record {
	item := &verbatim.Item{
		ID:     "copy@1/len=16/seed=1/7",
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: `Repeat the following string exactly without modifying it. Don't output anything else. Only output the string without anything additional, not even quotes: "` + want + `"`}}}},
		Want:   verbatim.TextAnswer(want),
		Facts:  map[string]string{verbatim.FactFamily: "copy", verbatim.FactLength: "16"},
	}
	return answeredRecord(item, reply, label, detail, map[string]float64{"similarity": 0.9375, "distance": 1, "lcp": 7})
}

// ListRecord returns a record with a wrong reply to a list of SortBench.
func ListRecord(want []any, reply, label, detail string) verbatim.Record {
	item := &verbatim.Item{
		ID: "sortbench:v1.0/basic/English/16/list_3",
		Prompt: verbatim.Prompt{
			{Role: "system", Content: []verbatim.Part{{Text: "Your task is to sort a list according to the common sorting of the used data type in Python."}}},
			{Role: "user", Content: []verbatim.Part{{Text: "Sort the following list: […]"}}},
		},
		Want: verbatim.ListAnswer(want),
	}
	return answeredRecord(item, reply, label, detail, map[string]float64{"missing": 1, "additional": 1, "validity": 1, "sortbench_standard": 0.90625})
}

func answeredRecord(item *verbatim.Item, reply, label, detail string, m map[string]float64) verbatim.Record {
	first, n, zero := 210*time.Millisecond, int64(12), 0.0
	outcome := verbatim.Wrong
	return verbatim.Record{
		Seq: 41, Item: item, Prompt: item.Prompt, Outcome: outcome,
		Grade: &verbatim.Grade{Outcome: outcome, Label: label, Detail: detail, Score: &zero, Measures: m, Grader: "text/1"},
		Reply: &verbatim.Reply{Text: reply, Finish: verbatim.FinishStop, Usage: verbatim.Usage{Prompt: &n, Completion: &n},
			Times: verbatim.Times{Start: time.Unix(1.7e9, 0), FirstContent: &first, Total: 820 * time.Millisecond}, ServedModel: "small-1"},
	}
}

// Words returns the words of a text as a list.
func Words(s string) []any {
	var out []any
	for w := range strings.FieldsSeq(s) {
		out = append(out, w)
	}
	return out
}

// Records returns the records of the golden files.
func Records() []Named {
	long := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 12)
	code := "func add(a, b int) int {\n\treturn a + b\n}\n\nfunc sub(a, b int) int {\n\treturn a - b\n}"
	sorted := Words("abbreviated accelerator_factor barndoor_skate big_ben cgs intermittent_claudication laundress lententide phocidae procaine_hydrochloride ramp_up sexadecimal_notation side_effect space_laboratory spatially vituperation")
	pass := TextRecord("K9mX7BaQ2pL0sT4v", "K9mX7BaQ2pL0sT4v\n", "pass", "")
	pass.Outcome, pass.Grade.Outcome, pass.Grade.Exact, pass.Grade.Extracted = verbatim.Pass, verbatim.Pass, true, true
	one := 1.0
	pass.Grade.Score = &one
	hostile := TextRecord("K9mX7Ba", "\x1b[31mK9m\u202eX7\u200bB\xffa\x00\x1b]0;owned\x07\ne\u0301", "corrupted", "ned 0.70 first error @0")
	hostile.Reply.Reasoning = "Let me think\x1b[2J…\nK, 9, m"
	return []Named{
		{"pass", pass},
		{"dropped_char", TextRecord("K9mX7BaQ2pL0sT4v", "K9mX7BQ2pL0sT4v", "dropped_char", "@6")},
		{"confusable", TextRecord("rfid501.go/lib/O0", "rfid5o1.go/lib/OO", "confusable", "0>o@5, 0>O@16")},
		{"transposed", TextRecord("7f3c480d", "7f3c408d", "transposed", "@5")},
		{"long", TextRecord(long, strings.Replace(strings.Replace(long, "fox", "cat", 1), "lazy dog. The", "dog. The", 3), "corrupted", "ned 0.05")},
		{"code", TextRecord(code, strings.Replace(strings.ReplaceAll(code, "\t", "    "), "a - b", "a  - b ", 1), "whitespace", "space")},
		{"explained", TextRecord("K9mX7BaQ2pL0sT4v", "Sure! The string is:\n\nK9mX7BaQ2pL0sT4v\n", "explained", "preamble")},
		{"unrelated", TextRecord("K9mX7BaQ2pL0sT4v", "I think that is a rather pretty string of characters, is it not?", "unrelated", "ned 0.95")},
		{"wide", TextRecord("naïve 日本語 🦀 x", "nai\u0308ve 日木語 🦀 x", "unicode_norm", "normal form")},
		{"hostile", hostile},
		{"list", ListRecord(sorted, "['abbreviated', 'accelerator_factor', 'big_ben', 'barndoor_skate', 'cgs', 'laundress', 'lententide', 'phocidae', 'procaine_hydrochloride', 'ramp_up', 'sexadecimal_notation', 'side_effects', 'space_laboratory', 'spatially', 'vituperation', 'vituperation']", "mixed", "missing 'intermittent_claudication', 'side_effect'")},
		{"list_unclosed", ListRecord([]any{int64(1), int64(2), 3.5}, "[1, 2, 3.", "cut_short", "1 missing")},
		{"far", TextRecord(strings.Repeat("0123456789", 60), strings.Repeat("0123456789", 43)+"01234S6789"+strings.Repeat("0123456789", 16), "confusable", "5>S@435")},
		{"retried", retriedRecord()},
		{"outage", outageRecord()},
	}
}

func retriedRecord() verbatim.Record {
	rec := TextRecord("K9mX7Ba", "k9mx7ba", "case", "lower")
	rec.Trial = 2
	rec.Reply.Attempts = []verbatim.Attempt{
		{N: 1, Class: verbatim.Transport, Total: 30 * time.Millisecond, Err: "connection refused"},
		{N: 2, Status: 200, Wait: time.Second, Total: 820 * time.Millisecond, Bytes: 1904},
	}
	return rec
}

func outageRecord() verbatim.Record {
	rec := TextRecord("K9mX7Ba", "", "", "")
	rec.Reply, rec.Grade, rec.Outcome = nil, nil, verbatim.Errored
	rec.Failure = &verbatim.Failure{
		Class: verbatim.Overload, Status: 503, Who: "http://127.0.0.1:8080", Hint: "The server is loading its model: try again in a minute.",
		Err: errors.New("the server answered \x1b[1m503\x1b[0m"),
		Attempts: []verbatim.Attempt{
			{N: 1, Status: 429, Class: verbatim.Rate, Total: 80 * time.Millisecond, Bytes: 210, Err: "slow down"},
			{N: 2, Class: verbatim.Cut, Wait: 2 * time.Second, Total: 900 * time.Millisecond, Bytes: 1250, Err: "the stream ended without its end marker", Partial: "K9m"},
			{N: 3, Status: 503, Class: verbatim.Overload, Wait: 4 * time.Second, Total: 15 * time.Millisecond, Bytes: 64, Err: "loading"},
		},
	}
	return rec
}

// Each returns an iterator over records.
func Each(recs ...verbatim.Record) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for _, r := range recs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Record returns a record of an item, with a reply and a grade if the outcome is that of an answer.
func Record(family, length string, o verbatim.Outcome, label string) verbatim.Record {
	r := verbatim.Record{Item: &verbatim.Item{ID: family + "/" + length, Facts: map[string]string{verbatim.FactFamily: family, verbatim.FactLength: length}}, Outcome: o}
	if o.Answered() {
		score := 0.0
		if o == verbatim.Pass {
			score = 1
		}
		r.Grade = &verbatim.Grade{Outcome: o, Label: label, Exact: o == verbatim.Pass, Extracted: o == verbatim.Pass || o == verbatim.Wrapped, Score: &score, Grader: "text/1"}
		r.Reply = &verbatim.Reply{Text: "x"}
	}
	return r
}
