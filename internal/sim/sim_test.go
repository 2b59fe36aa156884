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
	"time"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/grade/traits"
	"verbatim/internal/input"
	"verbatim/internal/recordtest"
	families "verbatim/internal/task"
	"verbatim/internal/testmain"
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

func TestMain(m *testing.M) { testmain.Main(m) }

func TestSimLimit(t *testing.T) {
	it := simItem(copyTask, 400, 1)
	for _, c := range []struct {
		query     string
		maxTokens int
		bytes     int
		finish    verbatim.Finish
	}{
		{"", 0, 400, verbatim.FinishStop},
		{"", 100, 400, verbatim.FinishStop},
		{"", 99, 396, verbatim.FinishLength},
		{"limit=50", 0, 200, verbatim.FinishLength},
		{"limit=50", 464, 200, verbatim.FinishLength},
		{"limit=50", 20, 80, verbatim.FinishLength},
		{"limit=500", 464, 400, verbatim.FinishStop},
	} {
		r := simRequest(it)
		r.MaxTokens = c.maxTokens
		reply, err := recordtest.Ask(context.Background(), mustSim(t, "perfect", c.query), r)
		if err != nil || len(reply.Text) != c.bytes || reply.Finish != c.finish {
			t.Errorf("%q, limit of %d tokens: %d bytes, finish %s, %v", c.query, c.maxTokens, len(reply.Text), reply.Finish, err)
		}
		if want := int64((c.bytes + 3) / 4); *reply.Usage.Completion != want || reply.Usage.Reasoning != nil {
			t.Errorf("%q: %d tokens, want %d", c.query, *reply.Usage.Completion, want)
		}
		if reply.Finish == verbatim.FinishLength {
			if g := grade.Of(it, reply.Text, reply.Finish); g.Outcome != verbatim.Truncated || g.Detail != "prefix" {
				t.Errorf("%q: %s %s", c.query, g.Outcome, g.Detail)
			}
		}
	}
	// Reasoning eats into the same budget, and characters stay whole.
	it.Want = verbatim.TextAnswer(strings.Repeat("é", 200))
	r := simRequest(it)
	r.MaxTokens = 10
	reply, _ := recordtest.Ask(context.Background(), mustSim(t, "perfect", "think=1000"), r)
	if reply.Text != "" || len(reply.Reasoning) != 40 || reply.Finish != verbatim.FinishLength || *reply.Usage.Reasoning != 10 || reply.Times.FirstContent != nil {
		t.Errorf("%+v", reply)
	}
	r.MaxTokens = 0
	reply, _ = recordtest.Ask(context.Background(), mustSim(t, "perfect", "think=100"), r)
	if reply.Text != it.Want.Text || reply.Reasoning == "" || reply.ReasoningField == "" || *reply.Usage.Completion != *reply.Usage.Reasoning+100 {
		t.Errorf("%+v", reply)
	}
	if got := prefix("aéé", 2); got != "a" {
		t.Errorf("a character was broken: %q", got)
	}
}

func TestSimTimes(t *testing.T) {
	it := simItem(copyTask, 400, 1)
	reply, err := recordtest.Ask(context.Background(), mustSim(t, "perfect", "latency=20ms&rate=5000&think=50"), simRequest(it))
	if err != nil {
		t.Fatal(err)
	}
	x := reply.Times
	if x.Start.IsZero() || *x.FirstByte < 20*time.Millisecond || *x.FirstReasoning != *x.FirstByte || *x.FirstContent <= *x.FirstByte || x.Total < *x.FirstContent+20*time.Millisecond {
		t.Errorf("%+v", x)
	}
	if len(reply.Attempts) != 1 || reply.Attempts[0].Total != x.Total || reply.Attempts[0].N != 1 {
		t.Errorf("%+v", reply.Attempts)
	}
	// A model that takes no time has no times, not even those of our own computation.
	if reply, err = recordtest.Ask(context.Background(), mustSim(t, "perfect", ""), simRequest(it)); err != nil {
		t.Fatal(err)
	}
	if x := reply.Times; x.Start.IsZero() || x.Total != 0 || x.FirstByte != nil || x.FirstContent != nil {
		t.Errorf("a model that takes no time has times %+v", x)
	}
	// The median of the drawn times is the latency, and spread spreads them.
	k := settings{latency: 50 * time.Millisecond, spread: 0.5}
	r := rand.New(rand.NewPCG(1, 1))
	drawn := make([]float64, 4000)
	for i := range drawn {
		drawn[i] = k.firstToken(r).Seconds()
	}
	slices.Sort(drawn)
	near(t, "median", drawn[2000], 0.05, 0.002)
	near(t, "84th percentile", drawn[3365], 0.05*math.Exp(0.5), 0.004)
}

func TestSimStops(t *testing.T) {
	for _, query := range []string{"latency=1h", "rate=0.001", "think=1000&rate=0.001", "latency=1h&down=1"} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		_, err := recordtest.Ask(ctx, mustSim(t, "perfect", query), simRequest(simItem(copyTask, 100, 1)))
		cancel()
		var f *verbatim.Failure
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &f) || f.Class != verbatim.Deadline || len(f.Attempts) != 1 {
			t.Errorf("%s: %v", query, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := recordtest.Ask(ctx, mustSim(t, "perfect", ""), simRequest(simItem(copyTask, 10, 1))); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestSimNames(t *testing.T) {
	for _, c := range []struct{ kind, query, says string }{
		{"carefull", "", "did you mean careful?"},
		{"xyzzy", "", "no simulated model"},
		{"", "", "no simulated model"},
		{"sloppy", "wrpa=1", `no knob "wrpa" (did you mean wrap?)`},
		{"sloppy", "wrap=2", "knob wrap: want a number from 0 to 1"},
		{"sloppy", "wrap=x", "knob wrap: want a number"},
		{"sloppy", "wrap=NaN", "knob wrap: want a number"},
		{"sloppy", "wrap=", "knob wrap: want a number"},
		{"sloppy", "half=-1", "knob half"},
		{"sloppy", "label=caes", "did you mean case?"},
		{"sloppy", "label=", "no failure is labelled"},
		{"sloppy", "latency=50", "want a duration"},
		{"sloppy", "latency=-1s", "want a duration"},
		{"sloppy", "seed=-1", "whole number"},
		{"sloppy", "say=nothing", "answer or question"},
		{"sloppy", "limit=-3", "knob limit"},
	} {
		knobs, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(c.kind, knobs)
		var n *input.NameError
		if !errors.As(err, &n) || !strings.Contains(err.Error(), c.says) || n.Advice == "" {
			t.Errorf("sim:%s?%s: %v, want %q", c.kind, c.query, err, c.says)
		}
	}
}

// Each task of the hard and exact suites becomes harder for a simulated model with
// its length, so that a curve over lengths shows something.
func TestDifficultyGrows(t *testing.T) {
	items := exhaustive.Of(8, 20)
	sloppy := mustSim(t, "sloppy", "facts=0").(*model) // few items have all values of the facts
	for _, suite := range []string{"exact", "hard"} {
		plan, err := families.Plan(families.Request{Suite: suite, Items: items, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		deck, err := families.Open(plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		rates := map[string]map[int]float64{}
		for position, ok := deck.Next(); ok; position, ok = deck.Next() {
			it, err := deck.Item(position)
			if err != nil {
				t.Fatal(err)
			}
			family := it.Facts[verbatim.FactFamily]
			length, err := strconv.Atoi(it.Facts[verbatim.FactLength])
			if err != nil {
				t.Fatal(err)
			}
			if rates[family] == nil {
				rates[family] = map[int]float64{}
			}
			rates[family][length] += sloppy.errorRate(it) / float64(items)
		}
		for _, f := range families.Families() {
			last := 0.0
			for _, length := range f.DefaultLengths {
				rate, asked := rates[f.Name][length]
				if asked && rate <= last {
					t.Errorf("%s: %.4f wrong at length %d, %.4f at the one before", f.Name, rate, length, last)
				}
				last = max(last, rate)
			}
		}
		for _, c := range plan.Cells {
			if rates[c.Family] == nil {
				t.Errorf("suite %s: nothing of %s", suite, c.Family)
			}
		}
	}
}

// Exact answers become rarer with each fact that a family declares to make items harder, at
// one length: from each of its values to the next.
func TestDifficultyByKnobs(t *testing.T) {
	m := mustSim(t, "sloppy", "down=0&wrap=0&refuse=0").(*model)
	for _, f := range families.Families() {
		if len(f.Knobs) == 0 {
			continue
		}
		n := f.DefaultLengths[len(f.DefaultLengths)/2]
		plan, err := families.Plan(families.Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{{Min: n, Max: n}}, Items: 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		deck, err := families.Open(plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		position, _ := deck.Next()
		it, err := deck.Item(position)
		if err != nil {
			t.Fatal(err)
		}
		for _, knob := range f.Knobs {
			last := 0.0
			drawn := it.Facts[knob.Fact]
			for _, value := range knob.Values {
				it.Facts[knob.Fact] = value
				rate := m.errorRate(it)
				if rate <= last {
					t.Errorf("%s: %.4f wrong with %s %s, %.4f with the value before it", f.Name, rate, knob.Fact, value, last)
				}
				last = rate
			}
			it.Facts[knob.Fact] = drawn
		}
	}
}
