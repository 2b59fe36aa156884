package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/recordview"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

// offered draws records of few families and labels, in planned order.
func offered(t *rapid.T) []verbatim.Record {
	var list []verbatim.Record
	for i := range rapid.IntRange(0, 60).Draw(t, "records") {
		label := rapid.SampledFrom([]string{"pass", "case", "empty", "looped"}).Draw(t, "label")
		family := rapid.SampledFrom([]string{"", "copy", "add"}).Draw(t, "family")
		rec := verbatim.Record{
			Seq: int64(i), Outcome: verbatim.Wrong, Reply: new(verbatim.Reply), Grade: &verbatim.Grade{Label: label, Exact: label == "pass"},
			Item: &verbatim.Item{ID: fmt.Sprint(i), Facts: map[string]string{verbatim.FactFamily: family}},
		}
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			rec.Outcome, rec.Reply, rec.Grade = verbatim.Errored, nil, nil
		case 1:
			rec.Grade.Grader = "published"
		}
		list = append(list, rec)
	}
	return list
}

func chosen(each int, records []verbatim.Record) *picks {
	p := newPicks(each)
	for i := range records {
		p.add(&records[i])
	}
	return &p
}

// The samples are the first ones in planned order, whatever the order in which the
// records come and however they are cut.
func TestPicksAreTheFirstOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, each := offered(t), rapid.IntRange(1, 3).Draw(t, "each")
		want := make(map[sampleKind][]int64)
		answered := int64(0)
		for _, r := range records {
			if r.Grade == nil {
				continue
			}
			answered++
			if r.Grade.Grader == "published" {
				continue
			}
			k, most := sampleKind{r.Item.Facts[verbatim.FactFamily], r.Grade.Label}, each
			if k.family == "" {
				k.family = "items"
			}
			if k.label == "pass" {
				most = 1
			}
			if len(want[k]) < most {
				want[k] = append(want[k], r.Seq)
			}
		}
		cut := rapid.IntRange(0, len(records)).Draw(t, "cut")
		mixed := rapid.Permutation(records).Draw(t, "order")
		parts := chosen(each, mixed[:cut])
		parts.merge(chosen(each, mixed[cut:]))
		for _, p := range []*picks{chosen(each, records), chosen(each, mixed), parts} {
			if diff := cmp.Diff(want, p.kinds); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
			if p.answered != answered {
				t.Fatalf("%d answers, want %d", p.answered, answered)
			}
		}
	})
}

// The first candidates show every label once; a right answer comes last.
func TestCandidatesShowEveryLabelFirst(t *testing.T) {
	p := newPicks(2)
	for i, k := range []sampleKind{{"copy", "pass"}, {"copy", "case"}, {"copy", "case"}, {"add", "case"}, {"add", "carry"}, {"add", "case"}, {"copy", "case"}} {
		p.offer(k, int64(i))
	}
	var got []int64
	for _, c := range p.candidates(0) {
		got = append(got, c.position)
	}
	if want := []int64{1, 4, 3, 2, 5, 0}; !slices.Equal(got, want) {
		t.Errorf("the candidates are %v, want %v", got, want)
	}
}

// Of very many kinds the same ones are selected, however their records are cut.
func TestPicksAreBounded(t *testing.T) {
	var list []verbatim.Record
	for i := range 90 {
		for j := range 90 {
			list = append(list, verbatim.Record{
				Seq: int64(90*i + j), Outcome: verbatim.Wrong, Reply: new(verbatim.Reply), Grade: &verbatim.Grade{Label: fmt.Sprint(j * 37 % 89)},
				Item: &verbatim.Item{Facts: map[string]string{verbatim.FactFamily: fmt.Sprint(i * 53 % 89)}},
			})
		}
	}
	all, parts := chosen(2, list), chosen(2, list[4000:])
	parts.merge(chosen(2, list[:4000]))
	if len(all.kinds) != maxKinds || len(all.sorted) != maxKinds {
		t.Errorf("%d kinds are selected, want %d", len(all.kinds), maxKinds)
	}
	if diff := cmp.Diff(all, parts, cmp.AllowUnexported(picks{}, sampleKind{})); diff != "" {
		t.Errorf("cut records, -whole +cut:\n%s", diff)
	}
}

// readable is a run that can be read again.
func readable(records []verbatim.Record) Input {
	return Input{
		Run: verbatim.Run{N: 1, Name: "r", Model: "m"},
		Records: func(yield func(verbatim.Record, error) bool) {
			for _, r := range records {
				if !yield(r, nil) {
					return
				}
			}
		},
		Record: func(position int64) (verbatim.Record, error) {
			for _, r := range records {
				if r.Seq == position {
					return r, nil
				}
			}
			return verbatim.Record{}, errors.New("it is gone")
		},
	}
}

func TestSamples(t *testing.T) {
	var records []verbatim.Record
	for i, n := range []recordtest.Named{{Rec: recordtest.TextRecord("abc", "abd", "substituted_char", "")}, {Rec: recordtest.TextRecord("abc", "ab", "dropped_char", "")}, {Rec: recordtest.TextRecord("abc", "", "empty", "")}, {Rec: recordtest.TextRecord("abc", " ", "empty", "")}} {
		n.Rec.Seq = int64(i)
		records = append(records, n.Rec)
	}
	right := recordtest.TextRecord("abc", "abc", "pass", "")
	right.Seq, right.Outcome, right.Grade.Exact, right.Grade.Outcome = -1, verbatim.Pass, true, verbatim.Pass
	records = append(records, right)
	r, err := Of(Options{Samples: 1}, readable(records), readable(records[:2]))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Samples.List {
		got = append(got, fmt.Sprintf("%d %d %s", s.Run, s.Seq, s.Verdict.Label))
	}
	if want := []string{"0 -1 pass", "0 0 substituted_char", "0 1 dropped_char", "0 2 empty", "1 0 substituted_char", "1 1 dropped_char"}; !slices.Equal(got, want) {
		t.Errorf("the samples are %q, want %q", got, want)
	}
	if r.Samples.Of != 7 || r.Samples.Each != 1 {
		t.Errorf("they are said to be %d of %d", r.Samples.Each, r.Samples.Of)
	}
	for name, o := range map[string]Options{"none asked for": {}, "none can be read": {Samples: 1}} {
		in := readable(records)
		if name == "none can be read" {
			in.Record = nil
		}
		if r, err := Of(o, in); err != nil || r.Samples != nil {
			t.Errorf("%s: samples %v, error %v", name, r.Samples, err)
		}
	}
	gone := readable(records)
	gone.Record = func(int64) (verbatim.Record, error) { return verbatim.Record{}, errors.New("it is gone") }
	if _, err := Of(Options{Samples: 1}, gone); err == nil || !strings.Contains(err.Error(), "run r: the record at position 0,") {
		t.Errorf("a record that is gone: %v", err)
	}
}

// Samples are small, whatever answers hold, and say what is left out.
func TestSamplesAreBounded(t *testing.T) {
	long := strings.Repeat("0123456789", 200_000)
	var list []any
	for i := range 30_000 {
		list = append(list, int64(i))
	}
	var records []verbatim.Record
	for i := range 2000 {
		rec := recordtest.TextRecord("abc", "abd", fmt.Sprint("label ", i%50), "")
		switch {
		case i == 0:
			rec = recordtest.TextRecord(long, long[:1_000_000]+"x\xff"+long[1_000_000:], "inserted_char", long)
			rec.Reply.Reasoning, rec.Item.ID = long, long
		case i == 1:
			rec = recordtest.ListRecord(list, strings.Replace(fmt.Sprint(list), " ", ", ", -1), "altered", "")
		case i == 2:
			rec = recordtest.ListRecord([]any{long, long}, long, "unparsed", "")
		case i == 3:
			rec = recordtest.TextRecord(long, strings.Repeat("x", 2_000_000), "unrelated", "")
		}
		facts := map[string]string{verbatim.FactFamily: fmt.Sprint("family ", i%100)}
		if i == 0 {
			for j := range 100 {
				facts[fmt.Sprint(j, long)] = long
			}
		}
		rec.Seq, rec.Item.Facts = int64(i), facts
		records = append(records, rec)
	}
	r, err := Of(Options{Samples: 10}, readable(records))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Samples.List); n == 0 || n > maxSamples {
		t.Errorf("%d samples, want at most %d", n, maxSamples)
	}
	bytes, heaviest := 0, 0
	for i := range r.Samples.List {
		n := r.Samples.List[i].Size()
		bytes, heaviest = bytes+n, max(heaviest, n)
	}
	if bytes > maxSampleBytes {
		t.Errorf("the samples have %d bytes, want at most %d", bytes, maxSampleBytes)
	}
	if heaviest > maxSampleBytes/10 {
		t.Errorf("one sample has %d bytes", heaviest)
	}
	text, err := json.Marshal(r.Samples)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 2_000_000 {
		t.Errorf("the samples are %d bytes", len(text))
	}
	cut := r.Samples.List[0].Cut
	for _, field := range []string{"item", "facts", "messages", "want", "verdict", "reply.text", "reply.reasoning"} {
		if !slices.Contains(cut, field) {
			t.Errorf("%s is not said to be cut: %q", field, cut)
		}
	}
	if last := r.Samples.List[len(r.Samples.List)-1]; len(last.Cut) > 0 {
		t.Errorf("a short sample is said to be cut: %q", last.Cut)
	}
	var out strings.Builder
	for i := range r.Samples.List {
		if err := recordview.WriteText(&out, r.Samples.List[i].View, terminal.Style{}); err != nil {
			t.Fatal(err)
		}
	}
	if bad := terminaltest.Unsafe(out.String()); bad != "" {
		t.Errorf("a sample lets %s through", bad)
	}
}
