package storetest

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"

	"verbatim"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Typical makes the record that a run of 84 cells typically has at position seq.
func Typical(seq int64) verbatim.Record {
	r := rand.New(rand.NewPCG(1, uint64(seq)))
	b := make([]byte, 30+r.IntN(400))
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[r.IntN(62)]
	}
	text := string(b)
	length := strconv.Itoa(2 + int(seq%84))
	source := verbatim.TextAnswer(text)
	it := &verbatim.Item{
		ID: fmt.Sprintf("reverse@1/len=%s/seed=1/%d", length, seq/84),
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Provide the following text in reverse order. Don't output anything else. " +
			"Only output the reversed string without anything additional, not even quotes: \"" + text + "\""}}}},
		Want: verbatim.TextAnswer(text), Source: &source,
		Facts: map[string]string{verbatim.FactFamily: "reverse", verbatim.FactLength: length, verbatim.FactEdition: "standard"},
	}
	tokens, first, score := int64(len(text)), 12*time.Millisecond, 1.0
	start := time.Unix(1700000000, seq*1000)
	return verbatim.Record{
		Seq: seq, Item: it, Prompt: it.Prompt, MaxTokens: len(text) + 64, Outcome: verbatim.Pass,
		Reply: &verbatim.Reply{
			Text: text, Finish: verbatim.FinishStop, FinishRaw: "stop", ServedModel: "served",
			Usage: verbatim.Usage{Prompt: &tokens, Completion: &tokens}, RequestID: "req-0123456789abcdef",
			Times:    verbatim.Times{Start: start, FirstByte: &first, FirstContent: &first, Queued: &first, Total: 2 * first},
			Attempts: []verbatim.Attempt{{N: 1, Start: start, Total: 2 * first, Status: 200, Bytes: 1234, RequestID: "req-0123456789abcdef"}},
		},
		Grade: &verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Exact: true, Extracted: true, Score: &score, Grader: "text/1",
			Measures: map[string]float64{"lcp": float64(len(text)), "lcp_share": 1, "distance": 0, "ned": 0, "similarity": 1, "length": float64(len(text)), "want_length": float64(len(text))}},
	}
}

// Diff compares records as values: errors by their text, empty like absent.
func Diff(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return "" // mostly so, and found in a fraction of the time
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty(),
		cmp.FilterPath(func(p cmp.Path) bool {
			f, ok := p.Last().(cmp.StructField)
			return ok && f.Name() == "Err" && f.Type() == reflect.TypeFor[error]()
		},
			cmp.Comparer(func(a, b error) bool { return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error()) })),
		cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
		cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 }))
}

// Failed is a record without an answer.
func Failed(seq int64, outcome verbatim.Outcome, attempts ...int) verbatim.Record {
	rec := Typical(seq)
	rec.Outcome, rec.Reply, rec.Grade = outcome, nil, nil
	rec.Failure = &verbatim.Failure{Class: verbatim.Overload, Status: 503, After: time.Second, Who: "http://127.0.0.1:1", Hint: "wait", Err: errors.New("busy")}
	if outcome == verbatim.CutOff {
		rec.Failure.Class = verbatim.Cut
	}
	for _, n := range attempts {
		rec.Failure.Attempts = append(rec.Failure.Attempts, verbatim.Attempt{N: n, Start: time.Unix(1700000000, int64(n)).UTC(), Status: 503, Class: verbatim.Overload, Err: "busy", Partial: "half an\xff answer", Upstream: "north"})
	}
	return rec
}
