package page

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"html"
	"image"
	"image/png"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/testmain"
	"verbatim/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files again; read the difference before you commit it")

// golden compares got with a file of testdata, or writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; if the file is new, run with -update", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); if it should, run with -update:\n%s", path, diff)
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

// hostile is what nothing on a page may obey: markup, ends of elements, templates,
// attributes, bidirectional overrides, escapes of terminals, control characters and
// bytes that are no UTF-8.
const hostile = "</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)>{{.}}\" ' style=\"x\" \u202etfel\u2066 \x1b[31m\x00\xff ]]> &amp; \u200b\n<!-- --> "

// A fixedRun answers the same items always in the same way.
type fixedRun struct {
	name, model string
	// every says for each run that one answer in so many is wrong; 0: none.
	every map[int]int
	label string
	reply func(want string) string
}

func fixedRuns() []fixedRun {
	return []fixedRun{
		{"alpha-77ab01-1", "openai:alpha", map[int]int{16: 4, 32: 2}, "dropped_char", func(s string) string { return s[:3] + s[4:] }},
		{"beta-77ab01-1", "local:beta", map[int]int{8: 3, 16: 2, 32: 1}, "transposed", func(s string) string { return s[:1] + s[2:3] + s[1:2] + s[3:] }},
		{"gamma-77ab01-1", "local:" + hostile, map[int]int{8: 1, 16: 1, 32: 1}, "unrelated", func(string) string { return hostile }},
	}
}

const (
	fixedItems   = 12
	fixedLetters = "K9mX7BaQ2pL0sT4vW1cR8dZ6eY3fU5gH"
)

func fixedLengths() []int { return []int{4, 8, 16, 32} }

func (f fixedRun) run(n int64) verbatim.Run {
	start := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	return verbatim.Run{
		N: n, Name: f.name, Model: f.model, Started: start, Ended: start.Add(time.Minute), Tool: "0.1.0",
		Plan: verbatim.Plan{Hash: "77ab01", Suite: "small", Seed: 1, Edition: verbatim.Standard, Trials: 1},
	}
}

// record makes the record at a position: families and lengths in turn.
func (f fixedRun) record(place int) verbatim.Record {
	length := fixedLengths()[place%4]
	family := []string{"copy", "reverse"}[place/4%2]
	i := place / 8
	want := fixedLetters[:length]
	item := &verbatim.Item{
		ID: fmt.Sprintf("%s@1/len=%d/seed=1/%d", family, length, i), Want: verbatim.TextAnswer(want),
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Write this string: " + want}}}},
		Facts:  map[string]string{verbatim.FactFamily: family, verbatim.FactLength: fmt.Sprint(length)},
	}
	one, zero, first, tokens := 1.0, 0.0, 120*time.Millisecond, int64(length)
	g := &verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Exact: true, Extracted: true, Score: &one, Grader: "text/1"}
	reply := want
	if n := f.every[length]; n > 0 && i%n == 0 {
		*g = verbatim.Grade{Outcome: verbatim.Wrong, Label: f.label, Detail: "@3", Score: &zero, Grader: "text/1"}
		reply = f.reply(want)
		if length == 32 && i%5 == 0 { // a second way to fail
			g.Label, g.Detail, reply = "cut_short", "", "The result:\n"+want[:20]+" <done>"
			g.Rule, g.Span = "alone on a line", &verbatim.Span{Start: 12, End: 32}
		}
	}
	return verbatim.Record{
		Seq: int64(place), Item: item, Prompt: item.Prompt, Outcome: g.Outcome, Grade: g,
		Reply: &verbatim.Reply{Text: reply, Finish: verbatim.FinishStop, Usage: verbatim.Usage{Prompt: &tokens, Completion: &tokens},
			Times: verbatim.Times{FirstContent: &first, Total: 820 * time.Millisecond}, ServedModel: "small-1"},
	}
}

func (f fixedRun) records() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for place := range fixedItems * 8 {
			if !yield(f.record(place), nil) {
				return
			}
		}
	}
}

// fixture is a report with everything that is drawn, always the same.
func fixture(t testing.TB) *report.Report {
	t.Helper()
	var in []report.Input
	var sides []verdict.Side
	for i, f := range fixedRuns() {
		run := f.run(int64(i + 1))
		in = append(in, report.Input{Run: run, Records: f.records(), Record: func(place int64) (verbatim.Record, error) { return f.record(int(place)), nil }})
		sides = append(sides, verdict.Side{Run: run, Ref: fmt.Sprint(run.N), Records: f.records()})
	}
	r, err := report.Of(report.Options{Samples: 2}, in...)
	if err != nil {
		t.Fatal(err)
	}
	o := verdict.Defaults("exact", report.MetricExact.Score)
	o.Flips, o.Resamples = 3, 50
	for i := range sides[1:] {
		c, err := verdict.Compare(sides[0], sides[i+1], o)
		if err != nil {
			t.Fatal(err)
		}
		r.Comparisons = append(r.Comparisons, c)
	}
	r.Leaderboard = boardOf(r)
	return r
}

// boardOf makes a leaderboard by hand, in the order of the mean scores.
func boardOf(r *report.Report) *verdict.Leaderboard {
	b := &verdict.Leaderboard{Metric: "exact", Confidence: 0.95, Paired: true, Items: 96}
	n := len(r.Runs)
	for i := range r.Runs {
		h, mean := &r.Runs[i].Head, 0.5
		if v := r.Runs[i].Total.Score.Value; v != nil {
			mean = *v
		}
		b.Places = append(b.Places, verdict.RankPlace{RunInfo: verdict.RunInfo{N: h.N, Name: h.Name, Model: h.Model}, Items: 96, Mean: mean, Range: verdict.Range{Low: mean - 0.05, High: mean + 0.04}})
	}
	slices.SortStableFunc(b.Places, func(x, y verdict.RankPlace) int {
		switch {
		case x.Mean > y.Mean:
			return -1
		case x.Mean < y.Mean:
			return 1
		}
		return 0
	})
	for i := range b.Places {
		p := &b.Places[i]
		p.Rank, p.RankLow, p.RankHigh, p.RankProbabilities = i+1, max(1, i), min(n, i+2), make([]float64, n)
		for j := range p.RankProbabilities {
			p.RankProbabilities[j] = [3]float64{0.8, 0.09, 0.02}[min(max(i-j, j-i), 2)]
		}
		if i > 0 {
			p.Indistinguishable = []int{i - 1}
		}
	}
	return b
}

// pictured returns a record whose prompt has a picture of 600 × 300 pixels, and one that is
// no picture but an attack. So are the other texts.
func pictured(t *testing.T) *recordview.View {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 600, 300))); err != nil {
		t.Fatal(err)
	}
	return recordview.New(verbatim.Run{N: 3, Name: "a run" + attack, Model: "m" + attack}, verbatim.Record{
		Item: &verbatim.Item{ID: "hard-image-size@1/len=2/seed=1/0" + attack, Want: verbatim.Answer{Text: "B"}, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{
			{Text: "Sort." + attack},
			{Image: &verbatim.Image{Media: "image/png", Bytes: file.Bytes()}},
			{Image: &verbatim.Image{Path: attack, Media: "image/svg+xml", Bytes: []byte(attack)}},
		}}}},
		Outcome: verbatim.Wrong, Grade: &verbatim.Grade{Label: "wrong"}, Reply: &verbatim.Reply{Text: attack},
	})
}

// wantPicture wants one picture on a page, of that size, and nothing that could harm.
func wantPicture(t *testing.T, page string, wide, high int) {
	t.Helper()
	harmless(t, page)
	pictures := regexp.MustCompile(`<img [^>]*src="data:image/png;base64,([^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(pictures) != 1 {
		t.Fatalf("the page has %d pictures", len(pictures))
	}
	data, err := base64.StdEncoding.DecodeString(html.UnescapeString(pictures[0][1]))
	if err != nil {
		t.Fatal(err)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || size.Width != wide || size.Height != high {
		t.Errorf("the picture is %d × %d, %v", size.Width, size.Height, err)
	}
}

func TestRecord(t *testing.T) {
	var page strings.Builder
	if err := Record(&page, pictured(t), ""); err != nil {
		t.Fatal(err)
	}
	wantPicture(t, page.String(), 600, 300)
	if !strings.Contains(page.String(), `<details class="vb-asked" open>`) {
		t.Error("the prompt is folded")
	}
}

// TestThumbnails wants a thumbnail of a sample in a report.
func TestThumbnails(t *testing.T) {
	r := *small()
	r.Samples = &report.Samples{Each: 1, Of: 1, List: []report.Sample{{View: pictured(t)}}}
	wantPicture(t, rendered(t, &r), 256, 128)
}
