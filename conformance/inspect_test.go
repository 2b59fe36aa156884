package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/exchange"
)

// inspect calls inspectlog.py. If Inspect is not installed, it skips the test, unless
// VERBATIM_INSPECT is "install" or "require": then it installs Inspect. If that is not
// possible, "require" fails the test.
func inspect(t *testing.T, args ...string) []byte {
	t.Helper()
	wish := os.Getenv("VERBATIM_INSPECT")
	if _, err := os.Stat(filepath.Join(".inspect", "requirements.txt")); err != nil && wish == "" {
		t.Skip("Inspect is not installed; VERBATIM_INSPECT=install installs it into conformance/.inspect")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var out, output bytes.Buffer
	cmd := exec.CommandContext(ctx, "./inspect.sh", args...)
	cmd.Stdout, cmd.Stderr = &out, &output
	cmd.Env = append(os.Environ(), "INSPECT_LOG_LEVEL=error")
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 3 && wish != "require" {
			t.Skipf("Inspect cannot be installed here: %s", output.String())
		}
		t.Fatalf("inspect.sh %v: %v\n%s", args, err, output.String())
	}
	return out.Bytes()
}

// A readSample is a sample as Inspect's own reader returns it.
type readSample struct {
	ID, Completion string
	Epoch          int
	Target         json.RawMessage
	Stop, Error    *string
	Outcome        *string
	Scores         map[string]any
	Input, Output  *int64
	Cached         *int64
	Reasoning      *int64
	Time           *float64
	Messages       []string
}

type readLog struct {
	Log, Status, Model string
	Scores             map[string]map[string]float64
	Samples, Summaries int
}

// readLogs returns logs as Inspect reads them.
func readLogs(t *testing.T, paths ...string) (logs []readLog, samples [][]readSample) {
	t.Helper()
	for line := range bytes.Lines(inspect(t, append([]string{"read"}, paths...)...)) {
		if bytes.HasPrefix(line, []byte(`{"log"`)) {
			var l readLog
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatal(err)
			}
			logs, samples = append(logs, l), append(samples, nil)
			continue
		}
		var s readSample
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		samples[len(samples)-1] = append(samples[len(samples)-1], s)
	}
	return logs, samples
}

// exported returns records of every kind, with hostile texts in prompts and replies.
func exported() []verbatim.Record {
	var recs []verbatim.Record
	count := func(n int64) *int64 { return &n }
	hostile := []string{"plain", "", "</script><img src=x>", "\x1b[31mred\x1b[0m", "\u202eright to left", "line\r\nline\u2028\u2029", "NaN", "attachment://0123456789abcdef0123456789abcdef", strings.Repeat("long ", 5000), "\x00\x7f\ufeff"}
	for i, text := range hostile {
		it := &verbatim.Item{ID: fmt.Sprintf("reverse@1/len=8/seed=1/%d", i/2), Want: verbatim.TextAnswer("w" + fmt.Sprint(i/2)),
			Prompt: verbatim.Prompt{{Role: "system", Content: []verbatim.Part{{Text: "s"}}}, {Role: "user", Content: []verbatim.Part{{Text: text + "?"}}}},
			Facts:  map[string]string{verbatim.FactFamily: "reverse", verbatim.FactLength: "8"}}
		score := float64(i%2) / 2
		rec := verbatim.Record{Seq: int64(i), Item: it, Trial: i % 2, Prompt: it.Prompt, MaxTokens: 80, Outcome: verbatim.Wrong,
			Grade: &verbatim.Grade{Outcome: verbatim.Wrong, Label: "case", Exact: i%3 == 0, Extracted: true, Score: &score, Grader: "text/1"},
			Reply: &verbatim.Reply{Text: text, Finish: verbatim.FinishLength, Usage: verbatim.Usage{Prompt: count(10), Cached: count(4), Completion: count(3), Reasoning: count(1)},
				Times: verbatim.Times{Start: time.Unix(1e9, 0).UTC(), Total: 1500 * time.Millisecond}, ServedModel: "served"}}
		if i == 1 {
			rec.Reply.Reasoning = "thought"
		}
		recs = append(recs, rec)
	}
	lost := &verbatim.Item{ID: "../lost", Want: verbatim.ListAnswer([]any{int64(1), "x"}), Prompt: recs[0].Item.Prompt}
	return append(recs,
		verbatim.Record{Seq: 20, Item: lost, Prompt: lost.Prompt, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Class: verbatim.Overload, Status: 503, Err: errors.New("down \x1b[31m")}},
		verbatim.Record{Seq: 21, Item: lost, Trial: 1, Outcome: verbatim.Skipped})
}

// TestInspectReadsOurs: Inspect's own reader returns the texts, scores, counts and
// errors of our log, and the summaries for its viewer.
func TestInspectReadsOurs(t *testing.T) {
	recs := exported()
	run := exchange.Run{
		Run: verbatim.Run{Name: "m-1", Model: "org/m", Started: time.Unix(1e9, 0).UTC(), Ended: time.Unix(1e9+60, 0).UTC(), Plan: verbatim.Plan{Hash: "00ff", Suite: "quick", Trials: 2}},
		Records: func(yield func(verbatim.Record, error) bool) {
			for _, rec := range recs {
				if !yield(rec, nil) {
					return
				}
			}
		},
	}
	temperature := 0.5
	run.Params = verbatim.Params{Temperature: &temperature, Effort: "an effort that Inspect does not know"}
	var paths []string
	for _, name := range []string{"run.eval", "run.json"} {
		path := filepath.Join(t.TempDir(), name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(exchange.WriteInspect(f, &run, name == "run.eval"), f.Close()); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	logs, samples := readLogs(t, paths...)
	if len(logs) != 2 {
		t.Fatalf("%d logs", len(logs))
	}
	for i, l := range logs {
		if l.Status != "success" || l.Model != "mockllm/org/m" || l.Samples != len(recs) || l.Summaries != len(recs) || len(samples[i]) != len(recs) {
			t.Errorf("log %+v with %d samples", l, len(samples[i]))
		}
		// Of items 0 to 4 the trials are right: 0 of 0, 3 of 1, 6 of 3, 9 of 4.
		if got := l.Scores["exact"]["accuracy"]; got != 0.4 {
			t.Errorf("accuracy %v", got)
		}
		for _, rec := range recs {
			compareSample(t, &rec, samples[i])
		}
	}
}

func compareSample(t *testing.T, rec *verbatim.Record, list []readSample) {
	t.Helper()
	want := rec.Item.ID
	at := slices.IndexFunc(list, func(s readSample) bool {
		return s.Epoch == rec.Trial+1 && (s.ID == want || strings.HasPrefix(want, "..") && strings.HasPrefix(s.ID, "item-"))
	})
	if at < 0 {
		t.Errorf("sample %s, epoch %d, is not there", want, rec.Trial+1)
		return
	}
	s := list[at]
	if rec.Reply == nil {
		if s.Error == nil || len(s.Scores) != 0 || s.Stop != nil || rec.Failure != nil && *s.Error != rec.Failure.Error() {
			t.Errorf("an outage is %+v", s)
		}
		return
	}
	exact := map[bool]string{true: "C", false: "I"}[rec.Grade.Exact]
	switch {
	case s.Completion != rec.Reply.Text:
		t.Errorf("%s: %q is read as %q", want, rec.Reply.Text, s.Completion)
	case s.Error != nil, s.Scores["exact"] != exact, s.Scores["extracted"] != "C", s.Scores["score"] != *rec.Grade.Score, *s.Stop != "max_tokens", *s.Outcome != "wrong":
		t.Errorf("%s: %+v", want, s)
	case *s.Input != 6, *s.Cached != 4, *s.Output != 3, *s.Reasoning != 1, *s.Time != 1.5, strings.Join(s.Messages, " ") != "system user assistant":
		t.Errorf("%s: counts %+v", want, s)
	}
}

// TestOursReadsInspect: logs that Inspect writes are imported with the texts, counts
// and errors that its own reader finds in them.
func TestOursReadsInspect(t *testing.T) {
	dir := t.TempDir()
	inspect(t, "write", dir)
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(paths) != 2 {
		t.Fatalf("%v: Inspect wrote %v", err, paths)
	}
	_, samples := readLogs(t, paths...)
	var ids [2][]string
	for i, path := range paths {
		runs, err := exchange.ReadInspect(path)
		if err != nil {
			t.Fatal(err)
		}
		run := runs[0]
		if run.Model != "mockllm/model" || run.Plan.Trials != 2 || run.Plan.Count != 8 || *run.Params.Temperature != 0.5 || run.Started.IsZero() || run.Ended.IsZero() {
			t.Errorf("run %+v", run.Run)
		}
		outages, replies := 0, 0
		for rec, err := range run.Records {
			if err != nil {
				t.Fatal(err)
			}
			ids[i] = append(ids[i], rec.Item.ID)
			id := strings.Split(rec.Item.ID, "/")[1]
			at := slices.IndexFunc(samples[i], func(s readSample) bool {
				return strings.ReplaceAll(s.ID, "/", "_") == id && s.Epoch == rec.Trial+1
			})
			if at < 0 {
				t.Fatalf("Inspect has no sample %s", id)
			}
			s := samples[i][at]
			switch {
			case s.Error != nil:
				outages++
				if rec.Outcome != verbatim.Errored || rec.Failure.Err.Error() != *s.Error {
					t.Errorf("%s: %+v, and Inspect has the error %q", id, rec, *s.Error)
				}
			default:
				replies++
				if several := len(rec.Item.Accept) > 0; several != (id == "4") {
					t.Errorf("%s accepts %v", id, rec.Item.Accept)
				}
				p := rec.Reply
				if p.Text != s.Completion || p.FinishRaw != *s.Stop || *p.Usage.Prompt != *s.Input+*s.Cached || *p.Usage.Completion != *s.Output || rec.MaxTokens != 50 {
					t.Errorf("%s: %+v, and Inspect reads %+v", id, p, s)
				}
				if rec.Grade.Grader != "inspect-match" || rec.Grade.Exact != (s.Scores["match"] == "C") || len(rec.Prompt) != 2 || len(rec.Item.Prompt) != 1 {
					t.Errorf("%s: grade %+v, sent %d messages", id, rec.Grade, len(rec.Prompt))
				}
			}
		}
		if outages != 1 || replies != 7 {
			t.Errorf("%s: %d outages, %d replies", path, outages, replies)
		}
	}
	if !slices.Equal(ids[0], ids[1]) {
		t.Errorf("the same task has other items in the other log:\n%v\n%v", ids[0], ids[1])
	}
}
