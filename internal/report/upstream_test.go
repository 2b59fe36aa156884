package report

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/upstream"
)

// TestUpstreams: a router with two providers, one of them never exact, is two upstreams
// with shares of their own, and a pin that was not obeyed is a warning.
func TestUpstreams(t *testing.T) {
	run := verbatim.Run{Model: "openrouter:m-2024-08-06", Params: verbatim.Params{
		Extra: map[string]json.RawMessage{"provider": json.RawMessage(`{"order":["Whole/turbo"],"allow_fallbacks":false}`)}}}
	var list []verbatim.Record
	for i := range 20 {
		name, exact, outcome := "Whole", true, verbatim.Pass
		if i%2 == 1 {
			name, exact, outcome = "Short", false, verbatim.Wrong
		}
		list = append(list, verbatim.Record{Seq: int64(i), Item: &verbatim.Item{ID: fmt.Sprint("copy@1/", i)}, Outcome: outcome,
			Reply: &verbatim.Reply{ServedModel: "m-2024-11-20", Fingerprint: fmt.Sprint("fp", i), Applied: `{"service_tier":"default","provider":"` + name + `"}`},
			Grade: &verbatim.Grade{Outcome: outcome, Exact: exact, Label: "l", Grader: "text/1"}})
	}
	in := Input{Run: run, Records: func(yield func(verbatim.Record, error) bool) {
		for _, rec := range list {
			if !yield(rec, nil) {
				return
			}
		}
	}}
	r, err := Of(Options{GroupBy: []string{"upstream"}}, in)
	if err != nil {
		t.Fatal(err)
	}
	ups := r.Runs[0].Upstreams
	if len(ups) != 2 || ups[0].Name != "Short" || ups[0].Line.Exact.N != 0 || ups[1].Line.Exact.N != 10 || ups[1].Line.Exact.Of != 10 || *ups[1].Line.Exact.Low < 0.7 {
		t.Errorf("upstreams %+v", ups)
	}
	if len(r.Groups.Groups) != 2 {
		t.Errorf("%d groups, want 2", len(r.Groups.Groups))
	}
	for kind, word := range map[string]string{"upstreams": "(10). The table of groups", "upstream_pin": "Short (10)", "model_pin": "m-2024-11-20"} {
		if !slices.ContainsFunc(r.Runs[0].Warnings, func(w Warning) bool { return w.Kind == kind && strings.Contains(w.Text, word) }) {
			t.Errorf("no warning %s with %q: %+v", kind, word, r.Runs[0].Warnings)
		}
	}
}

// failingUpstream returns records of a router whose second upstream refuses every request, so that
// the first one answers the retries. Each third request is never answered.
func failingUpstream() (list []verbatim.Record) {
	for i := range 12 {
		failed := []verbatim.Attempt{{N: 1, Class: verbatim.Overload, Upstream: "Down"}, {N: 2, Class: verbatim.Rate, Upstream: "Down"}}
		rec := verbatim.Record{Seq: int64(i), Item: &verbatim.Item{ID: fmt.Sprint("copy@1/", i)}, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Class: verbatim.Rate, Attempts: failed}}
		if i%3 > 0 {
			rec.Outcome, rec.Failure = verbatim.Pass, nil
			rec.Reply = &verbatim.Reply{Applied: `{"provider":"Up"}`, Attempts: append(failed, verbatim.Attempt{N: 3})}
			rec.Grade = &verbatim.Grade{Outcome: verbatim.Pass, Exact: true, Label: "pass", Grader: "text/1"}
		}
		list = append(list, rec)
	}
	return list
}

// TestFailingUpstream: an upstream that answers nothing is listed with its failures and
// warned of, also in groups and where replies do not name their upstreams.
func TestFailingUpstream(t *testing.T) {
	for _, named := range []bool{true, false} {
		list := failingUpstream()
		for i := range list {
			if list[i].Reply != nil && !named {
				list[i].Reply.Applied = ""
			}
		}
		r, err := Of(Options{GroupBy: []string{"upstream"}}, Input{Records: func(yield func(verbatim.Record, error) bool) {
			for _, rec := range list {
				if !yield(rec, nil) {
					return
				}
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		ups := r.Runs[0].Upstreams
		if len(ups) != map[bool]int{true: 2, false: 1}[named] || ups[0].Name != "Down" || ups[0].Line.Answered != 0 {
			t.Fatalf("named %v: upstreams %+v", named, ups)
		}
		want := &upstream.Failed{Requests: 12, Attempts: 24, Classes: []upstream.ClassCount{{Name: "overload", N: 12}, {Name: "rate", N: 12}}}
		if !reflect.DeepEqual(ups[0].Failed, want) {
			t.Errorf("named %v: failed %+v, want %+v", named, ups[0].Failed, want)
		}
		if named && (ups[1].Failed != nil || ups[1].Line.Exact.N != 8) {
			t.Errorf("the other upstream: %+v", ups[1])
		}
		if len(r.Groups.Groups) != 2 || r.Groups.Groups[0].Line.Unanswered+r.Groups.Groups[1].Line.Unanswered != 4 {
			t.Errorf("named %v: groups %+v", named, r.Groups.Groups)
		}
		const text = "Upstream Down answered no request: 24 attempts at 12 requests failed (overload 12, rate 12)."
		if !slices.ContainsFunc(r.Runs[0].Warnings, func(w Warning) bool { return w.Kind == "upstream_failed" && strings.HasPrefix(w.Text, text) }) {
			t.Errorf("named %v: no warning %q in %+v", named, text, r.Runs[0].Warnings)
		}
		if slices.ContainsFunc(r.Runs[0].Warnings, func(w Warning) bool { return w.Kind == "upstreams" }) {
			t.Errorf("named %v: one upstream answered, and the warnings say that several are pooled: %+v", named, r.Runs[0].Warnings)
		}
	}
}

// TestUnnamedFailures: a router that names who answers and not who fails has a line for what failed.
// Without a name of the answer, and where nothing responded, there is no such line.
func TestUnnamedFailures(t *testing.T) {
	for _, c := range []struct {
		applied string
		class   verbatim.Class
		listed  bool
	}{{`{"provider":"Up"}`, verbatim.Overload, true}, {`{"provider":"Up"}`, verbatim.Transport, false}, {`{"provider":"Up"}`, verbatim.Deadline, false}, {"", verbatim.Overload, false}} {
		rec := verbatim.Record{Item: &verbatim.Item{ID: "copy@1/1"}, Outcome: verbatim.Pass, Grade: &verbatim.Grade{Outcome: verbatim.Pass, Exact: true, Grader: "text/1"},
			Reply: &verbatim.Reply{Applied: c.applied, Fingerprint: "fp", Attempts: []verbatim.Attempt{{N: 1, Class: c.class}, {N: 2}}}}
		r, err := Of(Options{}, Input{Records: func(yield func(verbatim.Record, error) bool) { yield(rec, nil) }})
		if err != nil {
			t.Fatal(err)
		}
		ups := r.Runs[0].Upstreams
		warned := slices.ContainsFunc(r.Runs[0].Warnings, func(w Warning) bool {
			return w.Text == "The router does not say at which upstream 1 attempt at 1 request failed (overload 1). An upstream that always fails is in no share."
		})
		if listed := len(ups) == 2 && ups[0].Name == upstream.Unnamed && ups[0].Failed.Attempts == 1 && ups[1].Name == "Up"; listed != c.listed || warned != c.listed || !listed && ups != nil {
			t.Errorf("%+v: %+v %+v", c, ups, r.Runs[0].Warnings)
		}
	}
}

// TestQueueWarning: the median wait is given, and warned of above a fifth of the median time.
func TestQueueWarning(t *testing.T) {
	for wait, warned := range map[time.Duration]bool{100 * time.Millisecond: false, 300 * time.Millisecond: true} {
		rec := verbatim.Record{Item: &verbatim.Item{ID: "copy@1/1"}, Outcome: verbatim.Pass,
			Reply: &verbatim.Reply{Times: verbatim.Times{Queued: &wait, Total: time.Second}},
			Grade: &verbatim.Grade{Outcome: verbatim.Pass, Exact: true, Grader: "text/1"}}
		r, err := Of(Options{}, Input{Run: verbatim.Run{}, Records: func(yield func(verbatim.Record, error) bool) { yield(rec, nil) }})
		if err != nil {
			t.Fatal(err)
		}
		q := r.Runs[0].Total.Queued
		if q.N != 1 || q.Median == nil || math.Abs(*q.Median-wait.Seconds()) > 0.022*wait.Seconds() {
			t.Errorf("wait of %v: %+v", wait, q)
		}
		if got := slices.ContainsFunc(r.Runs[0].Warnings, func(w Warning) bool { return w.Kind == "queued" }); got != warned {
			t.Errorf("wait of %v: warned is %v", wait, got)
		}
	}
}

// TestProviderPins: only providers that a router must not use are disobedience.
func TestProviderPins(t *testing.T) {
	from := []Count{{"Whole", 10}, {"Short", 10}}
	for sent, want := range map[string]string{
		`{"order":["whole/turbo"],"allow_fallbacks":false}`: "did not obey", `{"order":["Whole"]}`: "preferred", `{"order":["Whole"],"allow_fallbacks":true}`: "preferred",
		`{"only":["Whole"]}`: "did not obey", `{"ignore":["short"]}`: "did not obey", `{"order":["Whole","Short"]}`: "", `{"order":1}`: "", "": "",
	} {
		w := pinWarnings(&verbatim.Run{Params: verbatim.Params{Extra: map[string]json.RawMessage{"provider": json.RawMessage(sent)}}}, from, nil)
		if want == "" && len(w) == 0 {
			continue
		}
		if len(w) != 1 || want == "" || !strings.Contains(w[0].Text, want) || !strings.Contains(w[0].Text, "Short (10)") {
			t.Errorf("%s: %v, want %q", sent, w, want)
		}
	}
}

func TestModelDates(t *testing.T) {
	for name, want := range map[string]string{"gpt-4o": "", "gpt-4o-2024-08-06": "20240806", "claude-3-5-sonnet-20241022": "20241022", "m-99999999": ""} {
		if got := modelDate(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestManyUpstreams: which upstreams are counted separately does not depend on the order.
func TestManyUpstreams(t *testing.T) {
	var there, back upstreams
	for i := range 3 * maxUpstreams {
		there.of(fmt.Sprintf("u%03d", i), maxUpstreams).outcomes[0]++
		back.of(fmt.Sprintf("u%03d", 3*maxUpstreams-1-i), maxUpstreams).outcomes[0]++
	}
	a, _ := json.Marshal(there.finish())
	b, _ := json.Marshal(back.finish())
	if string(a) != string(b) {
		t.Errorf("%s\n%s", a, b)
	}
}

// TestResent: a request that is sent again because a reused connection was closed is no
// retry.
func TestResent(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		retried int64
		resent  int64
	}{{[]int{1}, 0, 0}, {[]int{1, 1}, 0, 1}, {[]int{1, 2}, 1, 0}, {[]int{1, 2, 2}, 1, 1}, {[]int{0}, 0, 0}, {[]int{0, 0}, 1, 0}} {
		var s retries
		rec := verbatim.Record{Outcome: verbatim.Pass, Grade: &verbatim.Grade{}, Reply: &verbatim.Reply{}}
		for _, n := range c.numbers {
			rec.Reply.Attempts = append(rec.Reply.Attempts, verbatim.Attempt{N: n})
		}
		if s.add(&rec, &entry{}); s.n != c.retried || s.resent != c.resent {
			t.Errorf("%v: %d retried, %d resent; want %d, %d", c.numbers, s.n, s.resent, c.retried, c.resent)
		}
	}
}
