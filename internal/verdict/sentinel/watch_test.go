package sentinel

import (
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/oracle"
	"verbatim/internal/stats/change"
)

// An endpoint answers words. Its two most probable tokens lie between 0 and 1 nats apart.
type endpoint struct {
	random   *rand.Rand
	deviates float64 // share of calls with the second answer
	changed  bool    // every answer is another one
	silent   bool    // no log probabilities
	down     bool
	tokens   int64
	calls    int
}

func (e *endpoint) reply(r verbatim.Request) verbatim.Record {
	e.calls++
	if e.down {
		return verbatim.Record{Seq: r.Seq, Item: r.Item, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Class: verbatim.Overload}}
	}
	h := fnv.New32a()
	h.Write([]byte(r.Prompt[0].Content[0].Text))
	gap := float64(h.Sum32()%1000) / 1000
	answer := fmt.Sprint(h.Sum32() % 7)
	if e.changed || e.random.Float64() < e.deviates {
		answer += "x"
	}
	n := e.tokens
	reply := &verbatim.Reply{Text: answer, Usage: verbatim.Usage{Prompt: &n}, ServedModel: "m"}
	if !e.silent && r.Params.Logprobs > 0 {
		reply.Tokens = []verbatim.Token{{Text: answer, Logprob: -1, Top: []verbatim.Token{{Text: answer, Logprob: -1}, {Text: "y", Logprob: -1 - gap}}}}
	}
	return verbatim.Record{Seq: r.Seq, Item: r.Item, Outcome: verbatim.Wrong, Reply: reply}
}

// play sends all requests of a source.
func (e *endpoint) play(t *testing.T, s verbatim.Source) {
	t.Helper()
	var done []verbatim.Record
	for {
		requests, err := s.Next(done)
		if err != nil {
			t.Fatal(err)
		}
		if requests == nil {
			return
		}
		if len(requests) != 1 {
			t.Fatalf("%d requests at once", len(requests))
		}
		done = []verbatim.Record{e.reply(requests[0])}
	}
}

func enrol(t *testing.T, e *endpoint, seed uint64) *Enrolment {
	t.Helper()
	enrolment := NewEnrolment(EnrolmentConfig{Seed: seed, Tolerance: 0.05, Limit: 1, Params: verbatim.Params{Logprobs: 20}})
	e.play(t, enrolment)
	return enrolment
}

func date(day int) string {
	return time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

func fresh(seed uint64) *endpoint {
	return &endpoint{random: rand.New(rand.NewPCG(seed, 1)), tokens: 9}
}

func TestEnrolment(t *testing.T) {
	e := fresh(1)
	r := enrol(t, e, 1).Result()
	if len(r.Items) != 24 || r.Refusal != "" || !r.Finished || r.Calls > candidates+rounds*enrolled || e.calls != r.Calls || r.Tolerance != 0.05 || r.UpperBound > 0.024 {
		t.Errorf("%+v", r)
	}
	for seed, c := range map[uint64]struct {
		change func(*endpoint)
		want   string
	}{
		2: {func(e *endpoint) { e.deviates = 0.02 }, ""},
		3: {func(e *endpoint) { e.deviates = 0.5 }, "refused"},
		4: {func(e *endpoint) { e.down = true }, "refused"},
		5: {func(e *endpoint) { e.silent = true }, ""},
	} {
		e := fresh(seed)
		c.change(e)
		enrolment := enrol(t, e, seed)
		r := enrolment.Result()
		if (r.Refusal != "") != (c.want != "") || r.Logprobs != (!e.silent && !e.down) {
			t.Errorf("endpoint %d: %+v", seed, r)
		}
	}
}

// TestWatchDays watches an endpoint that changes on the 21st day.
func TestWatchDays(t *testing.T) {
	e := fresh(1)
	w, err := NewWatch(enrol(t, e, 1).Result(), 0.01, 60, 1, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for day := range 40 {
		e.changed, e.down = day >= 20, day == 5
		before := e.calls
		today, err := w.Today(date(day), 0, verbatim.Params{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		e.play(t, today)
		_, alarm := w.Alarm()
		want := Quiet
		switch {
		case day == 5:
			want = TooFew
		case day >= 20:
			want = Alarm
		}
		if today.Verdict() != want || alarm != (day >= 20) {
			t.Fatalf("day %d: %s, capital %v", day, today.Verdict(), w.Capital())
		}
		if calls := e.calls - before; calls != Usual {
			t.Errorf("day %d: %d calls", day, calls)
		}
	}
	if day, _ := w.Alarm(); day.Date != date(20) || day.Alarm != "the answers deviate" {
		t.Errorf("the alarm is of %+v", day)
	}
	for day := 40; ; day++ {
		if _, err := w.Today(date(day), 0, verbatim.Params{}, 1); err != nil {
			if day != 60 {
				t.Errorf("the watch ends after %d days: %v", day, err)
			}
			break
		}
	}
}

// TestWatchBurst makes more calls where the answers look changed, and stops at an alarm.
func TestWatchBurst(t *testing.T) {
	e := fresh(3)
	w, err := NewWatch(enrol(t, e, 3).Result(), 0.01, 365, 3, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	e.deviates = 0.3
	most := 0
	for day := 0; day < 60; day++ {
		before := e.calls
		today, err := w.Today(date(day), 0, verbatim.Params{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		e.play(t, today)
		most = max(most, e.calls-before)
		if _, alarm := w.Alarm(); alarm {
			break
		}
	}
	if _, alarm := w.Alarm(); !alarm || most <= Usual || most > 180 {
		t.Errorf("alarm %t, at most %d calls a day", alarm, most)
	}
}

// TestWatchTokens raises an alarm where the same prompts have another number of tokens.
func TestWatchTokens(t *testing.T) {
	e := fresh(1)
	w, err := NewWatch(enrol(t, e, 1).Result(), 0.01, 365, 1, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	e.tokens = 12
	today, err := w.Today(date(0), 0, verbatim.Params{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	e.play(t, today)
	if day, alarm := w.Alarm(); !alarm || day.Alarm != "the same prompts have another number of tokens" {
		t.Errorf("%+v", day)
	}
}

// TestWatchRate watches unchanged endpoints that deviate as often as the tolerance allows, for half
// a year each: false alarms are as rare as stated.
func TestWatchRate(t *testing.T) {
	exhaustive.Only(t)
	const watches, days = 200, 180
	alarms := 0
	for seed := range uint64(watches) {
		result := &EnrolmentResult{Tolerance: 0.05}
		for i := range 24 {
			h := fnv.New32a()
			word := fmt.Sprint("word", i)
			h.Write([]byte(word))
			result.Items = append(result.Items, Item{Word: word, Answer: fmt.Sprint(h.Sum32() % 7)})
		}
		e := fresh(seed)
		e.deviates = 0.05
		w, err := NewWatch(result, 0.05, days, seed, Rules{})
		if err != nil {
			t.Fatal(err)
		}
		for day := range days {
			today, err := w.Today(date(day), 0, verbatim.Params{}, 1)
			if err != nil {
				t.Fatal(err)
			}
			e.play(t, today)
		}
		if _, alarm := w.Alarm(); alarm {
			alarms++
		}
	}
	if alarms > watches/20 {
		t.Errorf("%d of %d watches have a false alarm, at most %d are stated", alarms, watches, watches/20)
	}
}

// TestWatchAgain adds the records of earlier days: the state is the same as without a break.
func TestWatchAgain(t *testing.T) {
	e := fresh(1)
	enrolled := enrol(t, e, 1).Result()
	whole, err := NewWatch(enrolled, 0.01, 60, 1, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	e.deviates = 0.1
	var saved [][]verbatim.Record
	for day := range 10 {
		today, err := whole.Today(date(day/2), day%2, verbatim.Params{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		var done, all []verbatim.Record
		for {
			requests, err := today.Next(done)
			if err != nil {
				t.Fatal(err)
			}
			if requests == nil {
				break
			}
			done = []verbatim.Record{e.reply(requests[0])}
			all = append(all, done...)
		}
		saved = append(saved, all)
	}
	again, err := NewWatch(enrolled, 0.01, 60, 1, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for day, records := range saved {
		today, err := again.Today(date(day/2), day%2, verbatim.Params{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			today.Add(&records[i])
		}
	}
	if again.Capital() != whole.Capital() || fmt.Sprint(again.Days()) != fmt.Sprint(whole.Days()) || len(again.Days()) != 5 {
		t.Errorf("%v with capital %v, want %v with %v", again.Days(), again.Capital(), whole.Days(), whole.Capital())
	}
}

// TestDamagedStates restores states that no run of the watch has left. Each is an error, and changes
// nothing.
func TestDamagedStates(t *testing.T) {
	e := fresh(1)
	enrolment := enrol(t, e, 1)
	w, err := NewWatch(enrolment.Result(), 0.01, 60, 1, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	states := map[int]string{}
	for day := range 3 {
		today, err := w.Today(date(day), 0, verbatim.Params{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if today.State() != "" {
			t.Error("a run that has sent nothing has a state")
		}
		e.play(t, today)
		states[day] = today.State()
	}
	before := fmt.Sprintf("%+v %v", w.Days(), w.Capital())
	good := states[2]
	for name, bad := range map[string]string{
		"none":              "",
		"no JSON":           good[1:],
		"another format":    strings.Replace(good, "sentinel-state/1", "sentinel-state/0", 1),
		"an earlier day":    states[1],
		"too many days":     strings.Replace(good, `"days":3`, `"days":4`, 1),
		"an alarm to come":  strings.Replace(good, `"first":-1`, `"first":3`, 1),
		"too few items":     strings.Replace(good, `"streaks":[0,`, `"streaks":[`, 1),
		"an impossible day": strings.Replace(good, `"capital":{"day":3`, `"capital":{"day":61`, 1),
	} {
		if err := w.Restore(date(2), bad); err == nil || bad == good {
			t.Errorf("%s: restored %s", name, bad)
		}
	}
	if after := fmt.Sprintf("%+v %v", w.Days(), w.Capital()); after != before {
		t.Errorf("changed to %s\nfrom %s", after, before)
	}
	if err := w.Restore(date(2), good); err != nil || fmt.Sprintf("%+v %v", w.Days(), w.Capital()) != before {
		t.Errorf("the same run again: %+v, %v", w.Days(), err)
	}
	state := enrolment.State()
	for name, bad := range map[string]string{
		"none":           "",
		"another format": strings.Replace(state, "sentinel-state/1", "sentinel-state/0", 1),
		"no items":       `{"format":"sentinel-state/1"}`,
		"not finished":   strings.Replace(state, `"finished":true`, `"finished":false`, 1),
		"too few lists":  strings.Replace(state, `"lists":[null,`, `"lists":[`, 1),
		"no list":        strings.Replace(state, `"prompt_tokens":9`, `"prompt_tokens":9,"radius":1`, 1),
	} {
		if r, err := ReadEnrolment(bad); err == nil || bad == state {
			t.Errorf("%s: %+v is read", name, r)
		}
	}
	if r, err := ReadEnrolment(state); err != nil || !reflect.DeepEqual(r, enrolment.Result()) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestBandOfBuilds watches the first tokens of real builds, at the words whose first two tokens
// lie in the band on the shipped one. Numerics move few of them, and raise no alarm in a year. Most
// changes of weights, cache and prompt move many, and raise one within days.
func TestBandOfBuilds(t *testing.T) {
	f, err := os.Open(oracle.Path(t, "verify", "first_tokens.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string]int{}
	for i, name := range rows[0] {
		columns[name] = i
	}
	var band [][]string
	for _, row := range rows[1:] {
		gap, err := strconv.ParseFloat(row[columns["gap_nats_on_base"]], 64)
		if err == nil && gap >= leastGap && gap <= mostGap { // without a gap, the reply has no second token
			band = append(band, row)
		}
	}
	if len(band) != 37 {
		t.Fatalf("%d words of 200 in the band, want 37", len(band))
	}
	for build, want := range map[string]struct{ flips, days int }{ // days until an alarm; 0: none in a year
		"aa_base2": {0, 0}, "f32": {1, 0}, "f16": {1, 0}, "n1e-3": {1, 0}, "q8_0": {0, 0}, "kv_q8_0": {0, 0}, "fa_off": {0, 0}, "rope": {0, 0}, "rep1.1": {0, 0},
		"kv_q4_0": {10, 4}, "q4_0": {10, 4}, "sys": {19, 2}, "q5_1": {25, 1}, "nosys": {35, 1}, "space": {37, 1},
	} {
		flips := 0
		for _, row := range band {
			if row[columns[build]] != row[columns["base"]] {
				flips++
			}
		}
		if flips != want.flips {
			t.Errorf("%s: %d of %d words flip, want %d", build, flips, len(band), want.flips)
		}
		if day := alarmDay(t, band, columns["base"], columns[build]); day > want.days || (day == 0) != (want.days == 0) {
			t.Errorf("%s: an alarm on day %d, want by day %d; 0 without an alarm", build, day, want.days)
		}
	}
}

// alarmDay returns the day of the first alarm of a watch of a year, with 12 calls a day to one
// word after the other; 0 without an alarm.
func alarmDay(t *testing.T, band [][]string, base, build int) int {
	t.Helper()
	const days, calls = 365, 12
	w, err := change.NewWatch(.05, days)
	if err != nil {
		t.Fatal(err)
	}
	for day := range days {
		if err := w.NextDay(); err != nil {
			t.Fatal(err)
		}
		for call := range calls {
			row := band[(day*calls+call)%len(band)]
			if w.Add(row[build] != row[base]); w.Value() >= 100 {
				return day + 1
			}
		}
	}
	return 0
}
