package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/grade/traits"
	"verbatim/internal/recordtest"
)

func mustSim(t testing.TB, kind, query string) verbatim.Model {
	t.Helper()
	knobs, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(kind, knobs)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const simAlnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func simText(r *rand.Rand, alphabet string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// knobOfTask names the knob of each task.
func knobOfTask() map[task]string {
	return map[task]string{copyTask: "copy", reverseTask: "reverse", sortTask: "sort", addTask: "add", findTask: "find", countTask: "count"}
}

// simItem draws an item of the task at the length, under a name of its own.
func simItem(task task, length, i int) *verbatim.Item {
	r := rand.New(rand.NewPCG(uint64(i), uint64(task)))
	it := &verbatim.Item{ID: fmt.Sprintf("task%d@1/len=%d/seed=1/%d", task, length, i)}
	switch task {
	case copyTask:
		it.Want = verbatim.TextAnswer(simText(r, simAlnum, length))
	case reverseTask:
		source := verbatim.TextAnswer(simText(r, simAlnum, length))
		back := []byte(source.Text)
		slices.Reverse(back)
		it.Want, it.Source = verbatim.TextAnswer(string(back)), &source
	case addTask:
		a, _ := new(big.Int).SetString("1"+simText(r, "0123456789", length-1), 10)
		b, _ := new(big.Int).SetString("2"+simText(r, "0123456789", length-1), 10)
		it.Want, it.Source, it.Grader = verbatim.TextAnswer(new(big.Int).Add(a, b).String()), &verbatim.Answer{List: []any{a, b}}, "integer"
	case findTask, countTask:
		it.Want, it.Facts = verbatim.TextAnswer(simText(r, simAlnum, length/4)), map[string]string{verbatim.FactLength: strconv.Itoa(length)}
		if task == countTask {
			it.Want, it.Grader = verbatim.TextAnswer("1"+simText(r, "0123456789", length/4-1)), "integer"
		}
	case sortTask:
		list := make([]any, length)
		for i := range list {
			list[i] = r.Int64N(2000) - 1000
		}
		source := verbatim.ListAnswer(slices.Clone(list))
		slices.SortFunc(list, func(a, b any) int { return int(a.(int64) - b.(int64)) })
		it.Want, it.Source = verbatim.ListAnswer(list), &source
	}
	it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Do this: " + it.Want.Text}}}}
	return it
}

func simRequest(it *verbatim.Item) verbatim.Request {
	return verbatim.Request{Item: it, Attempt: 1, Prompt: it.Prompt, MaxTokens: 64 + len(damage.Right(it))}
}

// ask asks n items of the task and returns their grades, and the errors.
func ask(t testing.TB, m verbatim.Model, task task, length, n int) (grades []verbatim.Grade, replies []verbatim.Reply, failures []*verbatim.Failure) {
	t.Helper()
	for i := range n {
		it := simItem(task, length, i)
		reply, err := recordtest.Ask(context.Background(), m, simRequest(it))
		var f *verbatim.Failure
		if errors.As(err, &f) {
			failures = append(failures, f)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		replies = append(replies, reply)
		grades = append(grades, grade.Of(it, reply.Text, reply.Finish))
	}
	return grades, replies, failures
}

func share(grades []verbatim.Grade, is func(verbatim.Grade) bool) float64 {
	n := 0
	for _, g := range grades {
		if is(g) {
			n++
		}
	}
	return float64(n) / float64(len(grades))
}

func passes(g verbatim.Grade) bool { return g.Outcome == verbatim.Pass }

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.Abs(got-want) > by {
		t.Errorf("%s: %.3f, want %.3f within %.3f", what, got, want, by)
	}
}

func TestSimPerfect(t *testing.T) {
	for task := range taskCount {
		grades, _, failures := ask(t, mustSim(t, "perfect", ""), task, 20, 200)
		if len(failures) > 0 || share(grades, passes) != 1 {
			t.Errorf("task %d: %d failures, %.3f right", task, len(failures), share(grades, passes))
		}
	}
}

// Half of the answers are wrong at the length that the knob half names, for every task,
// and the share grows with the length.
func TestSimErrorsGrow(t *testing.T) {
	exhaustive.Only(t)
	for task, knob := range knobOfTask() {
		for _, query := range []string{knob + "=32", "half=32", "half=9999&" + knob + "=32"} {
			m := mustSim(t, "perfect", query)
			last := 0.0
			for _, length := range []int{4, 32, 128} {
				grades, _, _ := ask(t, m, task, length, 750)
				wrong := 1 - share(grades, passes)
				if wrong <= last {
					t.Errorf("%s: %.3f wrong at %d, %.3f at a shorter length", query, wrong, length, last)
				}
				last = wrong
				if length == 32 && task != addTask { // sums vary in length
					near(t, query, wrong, 0.5, 0.05)
				}
				if length == 128 {
					near(t, query, wrong, 1/(1+math.Exp(-1.5*2)), 0.04)
				}
			}
		}
	}
	steep, _, _ := ask(t, mustSim(t, "perfect", "half=32&slope=6"), copyTask, 64, 500)
	if wrong := 1 - share(steep, passes); wrong < 0.98 {
		t.Errorf("slope 6: %.3f wrong at twice the length", wrong)
	}
}

// Every failure label of every grader can be requested.
func TestSimLabels(t *testing.T) {
	for kind, grader := range map[task]string{copyTask: "text", reverseTask: "text", sortTask: "list", addTask: "integer"} {
		for _, label := range grade.Labels(grader) {
			grades, _, _ := ask(t, mustSim(t, "perfect", "error=1&label="+label), kind, 24, 60)
			got := share(grades, func(g verbatim.Grade) bool { return g.Label == label })
			if label == "other_number" || slices.ContainsFunc(traits.Foreseen(), func(l traits.Label) bool { return l.Name == label }) { // of other items
				near(t, label+" where none is foreseen", share(grades, passes), 1, 0)
				continue
			}
			switch impossible := map[string][]task{
				"case": {addTask}, "echo": {copyTask}, "not_reversed": {addTask, copyTask}, "chunk_reversed": {addTask, copyTask}, "converted": {sortTask},
			}; {
			case slices.Contains(impossible[label], kind):
				near(t, label+" where there is no room for it", share(grades, passes), 1, 0)
			case got < 0.9:
				t.Errorf("task %d, label %s: reached by %.2f; its spoiler is in internal/damage, or is missing there", kind, label, got)
			}
		}
	}
	grades, _, _ := ask(t, mustSim(t, "perfect", "error=1&label=case,cut_short&label=quoted"), copyTask, 24, 300)
	seen := map[string]int{}
	for _, g := range grades {
		seen[g.Label]++
	}
	if len(seen) != 3 || seen["case"] < 50 || seen["cut_short"] < 50 || seen["quoted"] < 50 {
		t.Errorf("three labels: %v", seen)
	}
}

func TestSimErrorRate(t *testing.T) {
	for _, c := range []struct {
		kind, query string
		length      int
		want        float64
	}{
		{"perfect", "", 1000, 0},
		{"perfect", "half=8", 0, 0},
		{"perfect", "half=8", 8, 0.5},
		{"perfect", "half=8", 32, 1 / (1 + math.Exp(-3))},
		{"perfect", "half=8", 2, 1 / (1 + math.Exp(3))},
		{"perfect", "half=8&slope=2", 16, 1 / (1 + math.Exp(-2))},
		{"perfect", "half=8&error=0", 16, 0},
		{"sloppy", "", 300, 0.5},
		{"sloppy", "copy=100", 100, 0.5}, // a knob goes before the kind
	} {
		knobs, _ := url.ParseQuery(c.query)
		m, err := New(c.kind, knobs)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.kind+"?"+c.query, m.(*model).errorRate(simItem(copyTask, c.length, 1)), c.want, 1e-12)
	}
}

func TestSimMix(t *testing.T) {
	for task := range taskCount {
		grades, _, _ := ask(t, mustSim(t, "perfect", "error=1"), task, 24, 600)
		seen := map[string]int{}
		for _, g := range grades {
			seen[g.Label]++
		}
		if len(seen) < 8 || seen["pass"] > 0 {
			t.Errorf("task %d: wrong answers are too much alike: %v", task, seen)
		}
	}
}

func TestSimShares(t *testing.T) {
	is := func(o verbatim.Outcome) func(verbatim.Grade) bool {
		return func(g verbatim.Grade) bool { return g.Outcome == o }
	}
	for task := range taskCount {
		grades, _, _ := ask(t, mustSim(t, "perfect", "wrap=0.3"), task, 20, 1000)
		near(t, "wrapped", share(grades, is(verbatim.Wrapped)), 0.3, 0.05)
		near(t, "right", share(grades, passes), 0.7, 0.05)
		grades, replies, _ := ask(t, mustSim(t, "perfect", "refuse=0.2"), task, 20, 1000)
		near(t, "refused", share(grades, is(verbatim.Refused)), 0.2, 0.05)
		spoken := 0
		for _, r := range replies {
			if r.Finish == verbatim.FinishRefusal {
				spoken++
			}
		}
		near(t, "refused with a finish reason that says so", float64(spoken)/1000, 0.1, 0.04)
	}
	grades, replies, _ := ask(t, mustSim(t, "perfect", "filter=0.2"), copyTask, 20, 1000)
	near(t, "withheld", share(grades, is(verbatim.Refused)), 0.2, 0.05)
	if !slices.ContainsFunc(replies, func(r verbatim.Reply) bool { return r.Finish == verbatim.FinishFilter && r.Text == "" }) {
		t.Error("no answer was withheld")
	}
	_, _, failures := ask(t, mustSim(t, "perfect", "down=0.3"), copyTask, 20, 1000)
	near(t, "down", float64(len(failures))/1000, 0.3, 0.05)
	classes := map[verbatim.Class]int{}
	for _, f := range failures {
		classes[f.Class]++
		if len(f.Attempts) != 1 || f.Attempts[0].Class != f.Class || f.Attempts[0].N != 1 || f.Who != "sim:perfect" || f.Hint == "" || f.Err == nil {
			t.Fatalf("%+v", f)
		}
	}
	if len(classes) != 3 || classes[verbatim.Transport] == 0 || classes[verbatim.Overload] == 0 || classes[verbatim.Rate] == 0 {
		t.Errorf("outages: %v", classes)
	}
	_, _, failures = ask(t, mustSim(t, "perfect", "cut=0.3"), copyTask, 20, 1000)
	near(t, "cut", float64(len(failures))/1000, 0.3, 0.05)
	for _, f := range failures {
		if f.Class != verbatim.Cut || len(f.Attempts) != 1 || len(f.Attempts[0].Partial) > 20 || f.Attempts[0].Bytes != int64(len(f.Attempts[0].Partial)) {
			t.Fatalf("%+v", f)
		}
	}
}

func TestSimKinds(t *testing.T) {
	right := map[string]float64{}
	for _, k := range Kinds() {
		if k.Doc == "" || strings.Contains(k.Doc, "\n") {
			t.Errorf("%s: %q is no line", k.Name, k.Doc)
		}
		grades, replies, failures := ask(t, mustSim(t, k.Name, ""), reverseTask, 24, 400)
		if k.Name == "down" {
			if len(failures) != 400 {
				t.Errorf("down answered %d times", len(grades))
			}
			continue
		}
		right[k.Name] = share(grades, passes)
		if k.Name == "echo" && (right["echo"] > 0 || !strings.HasPrefix(replies[0].Text, "Do this: ")) {
			t.Errorf("echo: %.2f right, spoken %q", right["echo"], replies[0].Text)
		}
		for _, r := range replies {
			if r.ServedModel != "sim:"+k.Name {
				t.Fatalf("served by %q", r.ServedModel)
			}
		}
	}
	if !(right["perfect"] == 1 && right["careful"] > 0.95 && right["careful"] < 1 && right["sloppy"] < 0.7 && right["sloppy"] > 0.3) {
		t.Error(right)
	}
	for _, k := range Knobs() {
		if k.Name == "" || k.Doc == "" || strings.Contains(k.Doc, "\n") {
			t.Errorf("%+v is no line", k)
		}
	}
	if len(Knobs()) < 15 {
		t.Error("few knobs:", Knobs())
	}
}

// What is answered depends on seed, item and trial alone; what fails also on the
// attempt.
func TestSimDraws(t *testing.T) {
	const query = "error=0.5&wrap=0.2&down=0.3&cut=0.1&think=20"
	a, b := mustSim(t, "perfect", query), mustSim(t, "perfect", query+"&seed=1")
	other := mustSim(t, "perfect", query+"&seed=2")
	texts := func(m verbatim.Model, trial, attempt int) (out []string, failed []bool) {
		for i := range 300 {
			r := simRequest(simItem(copyTask, 30, 299-i))
			r.Trial, r.Attempt = trial, attempt
			reply, err := recordtest.Ask(context.Background(), m, r)
			out, failed = append(out, reply.Text+"|"+reply.Reasoning), append(failed, err != nil)
		}
		return out, failed
	}
	first, failed := texts(a, 0, 1)
	if again, failedAgain := texts(b, 0, 1); !reflect.DeepEqual(first, again) || !reflect.DeepEqual(failed, failedAgain) {
		t.Error("a second model gives another answer")
	}
	retried, failedLater := texts(a, 0, 2)
	if reflect.DeepEqual(failed, failedLater) {
		t.Error("the second attempt fails where the first does")
	}
	both := 0
	for i := range first {
		if !failed[i] && !failedLater[i] {
			both++
			if first[i] != retried[i] {
				t.Errorf("attempt 1 says %q, attempt 2 %q", first[i], retried[i])
			}
		}
	}
	if both < 50 {
		t.Error("few items were answered in both attempts")
	}
	if trial, _ := texts(a, 1, 1); reflect.DeepEqual(first, trial) {
		t.Error("another trial says the same")
	}
	if seeded, _ := texts(other, 0, 1); reflect.DeepEqual(first, seeded) {
		t.Error("another seed says the same")
	}
}
