package exchange_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/exhaustive"
)

// A log as Inspect writes it, cut down to what is read and some of what is not.
const (
	someHead = `"version": 2, "status": "success", "eval": {"eval_id": "e", "created": "2026-01-02T03:04:05+00:00", "task": "pkg/capitals", "model": "org/small",
		"task_version": 0, "dataset": {"name": "c", "samples": 6, "sample_ids": [1, "b/two", 3, 4, 5, 6]}, "config": {"epochs": 1}, "model_generate_config": {"temperature": 0.25},
		"scorers": [{"name": "match"}, {"name": "half"}], "metadata": {"mine": true}},
		"plan": {"name": "plan", "steps": [{"solver": "generate", "params": {"cache": false}}], "config": {"max_tokens": 50, "reasoning_effort": "low"}}, "stats": {"started_at": "2026-01-02T03:04:06Z", "completed_at": "2026-01-02T03:05:06+00:00"}`
	right = `{"id": 1, "epoch": 1, "input": "Capital of France?", "target": " Paris\n", "scores": {"half": {"value": NaN}, "match": {"value": "C", "history": []}},
		"messages": [{"id": "x", "role": "system", "content": "Be short."}, {"role": "user", "content": "Capital of France?"}, {"role": "assistant", "content": "Paris"}],
		"output": {"model": "small-0102", "choices": [{"message": {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "attachment://aa"}, {"type": "text", "text": "Paris"}]}, "stop_reason": "stop"}],
			"usage": {"input_tokens": 10, "output_tokens": 2, "total_tokens": 17, "input_tokens_cache_read": 5, "total_cost": 0.25}, "time": 1.5, "response_id": "r-1"},
		"metadata": {"family": "capital", "length": 5, "deep": {"x": 1}, "hard": true, "long": "` + "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789xx" + `"},
		"started_at": "2026-01-02T03:04:07.5+00:00", "attachments": {"aa": "Easy, NaN."}, "events": [{"x": -Infinity}]}`
	wordy   = `{"id": "b/two", "epoch": 1, "input": [{"role": "user", "content": [{"type": "text", "text": "See"}, {"type": "image", "image": "data:image/png;base64,AAEC"}, {"type": "audio", "audio": "x"}]}], "target": ["Berlin"], "scores": {"half": {"value": 0.5}}, "output": {"model": "", "choices": [{"message": {"content": "It is Berlin."}, "stop_reason": "max_tokens"}]}}`
	broken  = `{"id": 3, "epoch": 1, "input": "x", "target": "y", "scores": {}, "output": {"choices": [{"message": {"content": "half an"}, "stop_reason": "stop"}]}, "error": {"message": "down \u001b[31m", "traceback": ""}}`
	several = `{"id": 4, "epoch": 1, "input": "many", "target": ["one", "two"], "scores": {"match": {"value": "I"}}, "output": {"choices": [{"message": {"content": "no"}, "stop_reason": "content_filter"}]}}`
	silent  = `{"id": 5, "epoch": 1, "input": "q", "target": "a", "output": {"choices": []}, "limit": {"type": "time", "limit": 3}}`
	unheard = `{"id": 6, "epoch": 1, "input": "q", "target": "", "output": {"choices": [{"message": {"content": "no"}, "stop_reason": "stop"}]}}`
)

func inspectDocument(samples ...string) string {
	return `{` + someHead + `, "samples": [` + strings.Join(samples, ",\n") + `], "reductions": [NaN]}`
}

// inspectArchive packs members, a name and its content each, by the method.
func inspectArchive(t testing.TB, method uint16, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for i := 0; i < len(members); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: members[i], Method: method})
		if err == nil {
			_, err = io.WriteString(w, members[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestInspect(t *testing.T) {
	members := []string{
		"_journal/start.json", `{` + someHead + `}`,
		"samples/6_epoch_1.json", unheard,
		"samples/b/two_epoch_1.json", wordy,
		"samples/1_epoch_1.json", strings.Replace(right, "Paris", "Lyon", 1), // logged again below
		"samples/3_epoch_1.json", broken,
		"samples/4_epoch_1.json", several,
		"samples/5_epoch_1.json", silent,
		"samples/1_epoch_1.json", right,
		"summaries.json", "[]",
	}
	for name, content := range map[string]string{
		"document": inspectDocument(right, broken, several, silent, unheard, wordy),
		"zstd":     inspectArchive(t, zstd.ZipMethodWinZip, append(members, "header.json", `{`+someHead+`}`)...),
		"deflate":  inspectArchive(t, zip.Deflate, append(members, "header.json", `{`+someHead+`}`)...),
		"crashed":  inspectArchive(t, zip.Deflate, members...),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tree(t, map[string]string{"log": content}), "log")
			runs, err := exchange.ReadInspect(path)
			if err != nil {
				t.Fatal(err)
			}
			run := runs[0]
			if run.Model != "org/small" || run.Origin != "inspect" || run.Plan.Suite != "inspect" || run.Plan.Count != 6 || run.Plan.Trials != 1 || run.Plan.Items.N != 6 ||
				*run.Params.Temperature != 0.25 || run.Params.Effort != "low" || !run.Started.Equal(time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)) || run.Ended.IsZero() {
				t.Errorf("run %+v", run.Run)
			}
			var got []string
			recs := collect(t, run)
			for _, rec := range recs {
				id := rec.Item.ID[:strings.LastIndexByte(rec.Item.ID, '/')]
				line := fmt.Sprintf("%d %s %q %s", rec.Seq, id, rec.Item.Want.Text, rec.Outcome)
				if rec.Reply != nil {
					line += fmt.Sprintf(" %q %s", rec.Reply.Text, rec.Reply.Finish)
				}
				if rec.Grade != nil {
					line += fmt.Sprintf(" %s %v", rec.Grade.Grader, rec.Grade.Exact)
				}
				if rec.Failure != nil {
					line += fmt.Sprintf(" %s", rec.Failure)
				}
				got = append(got, line)
			}
			want := []string{
				`0 inspect:capitals/1 "Paris"  "Paris" stop inspect-match true`,
				`1 inspect:capitals/3 "y" error transport: down ` + "\x1b[31m",
				`2 inspect:capitals/4 "one"  "no" content_filter inspect-match false`,
				`3 inspect:capitals/5 "a" error deadline: the log holds no output for this sample`,
				`4 inspect:capitals/6 "" skipped content: the log names no right answer, and has no score`,
				`5 inspect:capitals/b_two "Berlin"  "It is Berlin." length inspect-half false`,
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("records\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			first, last := recs[0], recs[5]
			if fmt.Sprint(first.Item.Facts) != "map[family:capital hard:true length:5]" || last.Item.Facts["family"] != "capitals" {
				t.Errorf("facts %v, %v", first.Item.Facts, last.Item.Facts)
			}
			if u := first.Reply.Usage; *u.Prompt != 15 || *u.Completion != 2 || *u.Cached != 5 || u.Reasoning != nil || first.Reply.Cost.Decimal() != "0.25" {
				t.Errorf("usage %+v", u)
			}
			if p := first.Reply; p.Times.Total != 1500*time.Millisecond || p.Reasoning != "Easy, NaN." || p.ServedModel != "small-0102" || p.RequestID != "r-1" || p.Times.Start.IsZero() || first.MaxTokens != 50 {
				t.Errorf("reply %+v", p)
			}
			if len(first.Prompt) != 2 || len(first.Item.Prompt) != 1 || first.Prompt[0].Content[0].Text != "Be short." {
				t.Errorf("sent %v of the item's %v", first.Prompt, first.Item.Prompt)
			}
			if several := recs[2].Item.Accept; len(several) != 1 || several[0].Text != "two" {
				t.Errorf("accepted %v", several)
			}
			if parts := last.Item.Prompt[0].Content; len(parts) != 3 || string(parts[1].Image.Bytes) != "\x00\x01\x02" || parts[2].Text != "[audio that the log does not hold]" {
				t.Errorf("parts %+v", parts)
			}
			if a := recs[1].Failure.Attempts; len(a) != 1 || a[0].Partial != "half an" {
				t.Errorf("attempts %+v", a)
			}
		})
	}
}

// A sample whose stop reason says that the server failed has no answer; a word that is
// in no table is saved.
func TestInspectStopReasons(t *testing.T) {
	for stop, want := range map[string]string{
		"network_error": "error  overload", "abort": "error  overload", "unknown": " ", "sensitive": " content_filter", "eos_x": " other", "tool_calls": " other",
	} {
		log := inspectDocument(strings.Replace(right, `"stop_reason": "stop"`, `"stop_reason": "`+stop+`"`, 1))
		runs, err := exchange.ReadInspect(filepath.Join(tree(t, map[string]string{"log": log}), "log"))
		if err != nil {
			t.Fatal(err)
		}
		rec := collect(t, runs[0])[0]
		got := string(rec.Outcome) + " "
		if rec.Reply != nil {
			got += string(rec.Reply.Finish)
		}
		if f := rec.Failure; f != nil {
			got += " " + string(f.Class)
			if len(f.Attempts) != 1 || f.Attempts[0].Partial != "Paris" {
				t.Errorf("%s: attempts %+v", stop, f.Attempts)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", stop, got, want)
		}
	}
}

// The same item has the same name in another run, whose messages have other ids.
func TestInspectNamesItemsByContent(t *testing.T) {
	id := func(sample string) string {
		path := filepath.Join(tree(t, map[string]string{"log": inspectDocument(sample)}), "log")
		runs, err := exchange.ReadInspect(path)
		if err != nil {
			t.Fatal(err)
		}
		return collect(t, runs[0])[0].Item.ID
	}
	one := id(wordy)
	if again := id(strings.Replace(wordy, `{"role": "user", "content"`, `{"id": "Qz", "role": "user", "content"`, 1)); again != one {
		t.Errorf("%s and %s", one, again)
	}
	if other := id(strings.Replace(wordy, "See", "Look", 1)); other == one {
		t.Errorf("another question has the name %s too", one)
	}
}

func TestBrokenInspect(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"other file":    {`[1]`, "neither an archive nor a JSON object"},
		"other object":  {`{"samples": []}`, `has no "eval" before its samples`},
		"cut":           {inspectDocument(right)[:1200], "samples[0]: unexpected EOF"},
		"cut after":     {strings.TrimSuffix(inspectDocument(right), "}"), "ends in the middle"},
		"old":           {strings.Replace(inspectDocument(right), `"version": 2`, `"version": 1`, 1), "version 1 of the format"},
		"no model":      {strings.Replace(inspectDocument(right), `"model": "org/small"`, `"model": ""`, 1), "has no model"},
		"empty":         {inspectDocument(), "has no samples"},
		"null":          {`{` + someHead + `, "samples": null}`, "has no samples"},
		"pointer":       {"version https://git-lfs.github.com/spec/v1\noid", "Git LFS pointer"},
		"no samples":    {`{` + someHead + `}`, "has no samples"},
		"epoch":         {inspectDocument(strings.Replace(right, `"epoch": 1`, `"epoch": 0`, 1)), "samples[0]: epoch 0: epochs count from 1"},
		"id":            {inspectDocument(strings.Replace(right, `"id": 1`, `"id": 1.5`, 1)), "samples[0]: id: want a text or a whole number, found a number"},
		"target":        {inspectDocument(right, strings.Replace(wordy, `["Berlin"]`, `7`, 1)), "samples[1]: target: want a text or a list of texts"},
		"input":         {inspectDocument(strings.Replace(right, `"Capital of France?", "target"`, `7, "target"`, 1)), "input: want a text or messages"},
		"tool":          {inspectDocument(strings.Replace(wordy, `"user"`, `"tool"`, 1)), `input: a message has the role "tool"`},
		"kind":          {inspectDocument(strings.Replace(right, `"epoch": 1`, `"epoch": "1"`, 1)), "samples[0]: epoch: want a number, found a JSON string"},
		"no archive":    {"PK\x03\x04 and no more", "not an archive that can be read"},
		"other archive": {inspectArchive(t, zip.Deflate, "a.txt", "x"), "has no header.json"},
		"pieces":        {inspectArchive(t, zip.Deflate, "header.json", `{`+someHead+`}`, "samples/1_epoch_1/sample.json", right), "samples are in several files"},
		"bad member":    {inspectArchive(t, zip.Deflate, "header.json", `{`+someHead+`}`, "samples/1_epoch_1.json", right[:90]), `"samples/1_epoch_1.json": line`},
		"bad name":      {inspectArchive(t, zip.Deflate, "header.json", `{`+someHead+`}`, "samples/\x1b[31m_epoch_1.json", "{"), `"samples/\x1b[31m_epoch_1.json": line 1`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tree(t, map[string]string{"r.log": c.content}), "r.log")
			_, err := exchange.ReadInspect(path)
			wantError(t, err, path, c.want)
		})
	}
	_, err := exchange.ReadInspect(t.TempDir())
	wantError(t, err, "neither the folder nor its folders have a file *.eval or *.json")
	_, err = exchange.ReadInspect(filepath.Join(t.TempDir(), "none.eval"))
	wantError(t, err, "none.eval")
}

// A note that contradicts itself is refused, and one of another program is not taken
// for ours.
func TestInspectNotes(t *testing.T) {
	run := someRun([]verbatim.Record{{Item: &verbatim.Item{ID: "a", Want: verbatim.TextAnswer("x")}, Outcome: verbatim.Skipped}})
	var b bytes.Buffer
	if err := exchange.WriteInspect(&b, &run, false); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"seq":     {`"seq":0`, `"seq":-1`, "no position in a plan"},
		"outcome": {`"outcome":"skipped","`, `"outcome":"fine","`, ""},
		"answer":  {`"outcome":"skipped"}`, `"outcome":"pass"}`, "does not go with the reply and the grade"},
		"format":  {"record-note/1", "record-note/2", "this version reads verbatim/record-note/1"},
		"item":    {`"item":{"id":"a"`, `"item":{"id":""`, "has no id"},
	} {
		content := strings.Replace(b.String(), c.from, c.to, 1)
		if content == b.String() && c.want != "" {
			t.Fatalf("%s: nothing was replaced in %s", name, content)
		}
		if c.want == "" {
			continue
		}
		path := filepath.Join(tree(t, map[string]string{"r.json": content}), "r.json")
		_, err := exchange.ReadInspect(path)
		wantError(t, err, path, c.want)
	}
	twice := strings.Replace(b.String(), "\n]}", ",\n"+between(b.String(), `"samples":[`, "\n]}")+"\n]}", 1)
	_, err := exchange.ReadInspect(filepath.Join(tree(t, map[string]string{"r.json": twice}), "r.json"))
	wantError(t, err, "two samples have the position 0 of the plan")
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return strings.TrimSpace(s)
}

// The metrics of a log are those that Inspect computes: the mean over items of their
// means over epochs, and its standard error.
func TestInspectMetrics(t *testing.T) {
	var recs []verbatim.Record
	for i, exact := range []bool{true, true, true, false, false, false} {
		grade := &verbatim.Grade{Outcome: verbatim.Wrong, Exact: exact, Extracted: true, Grader: "text/1"}
		recs = append(recs, verbatim.Record{Seq: int64(i), Trial: i % 2, Item: &verbatim.Item{ID: fmt.Sprint(i / 2)}, Outcome: verbatim.Wrong, Grade: grade})
	}
	recs = append(recs, verbatim.Record{Seq: 6, Item: &verbatim.Item{ID: "lost"}, Outcome: verbatim.Errored})
	run := someRun(recs)
	var b bytes.Buffer
	if err := exchange.WriteInspect(&b, &run, false); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Results struct {
			Total     int `json:"total_samples"`
			Completed int `json:"completed_samples"`
			Scores    []struct {
				Name     string
				Scored   int                                `json:"scored_samples"`
				Unscored int                                `json:"unscored_samples"`
				Metrics  map[string]struct{ Value float64 } `json:"metrics"`
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	// Items with means 1, 1/2 and 0: mean 1/2, variance 1/4, standard error sqrt(1/12).
	if got := fmt.Sprintf("%+v", log.Results); got != "{Total:7 Completed:6 Scores:[{Name:exact Scored:3 Unscored:1 Metrics:map[accuracy:{Value:0.5} stderr:{Value:0.28867513459481287}]} {Name:extracted Scored:3 Unscored:1 Metrics:map[accuracy:{Value:1} stderr:{Value:0}]} {Name:score Scored:0 Unscored:4 Metrics:map[]}]}" {
		t.Error(got)
	}
}

// Whatever a file holds, reading it ends, and what is accepted can be ranged over
// twice with the same result.
func FuzzInspect(f *testing.F) {
	f.Add([]byte(inspectDocument(right, broken)))
	f.Add([]byte(inspectArchive(f, zip.Store, "header.json", `{`+someHead+`}`, "samples/1_epoch_1.json", right)))
	run := someRun([]verbatim.Record{{Item: &verbatim.Item{ID: "a", Want: verbatim.TextAnswer("x")}, Outcome: verbatim.Pass,
		Reply: &verbatim.Reply{Text: "x", Reasoning: "y"}, Grade: &verbatim.Grade{Outcome: verbatim.Pass, Exact: true, Grader: "text/1"}}})
	var b bytes.Buffer
	if err := exchange.WriteInspect(&b, &run, false); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "r.eval")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		runs, err := exchange.ReadInspect(path)
		if err != nil {
			return
		}
		a, b := collect(t, runs[0]), collect(t, runs[0])
		if len(a) != len(b) || len(a) == 0 {
			t.Fatalf("%d, then %d records", len(a), len(b))
		}
		for i := range a {
			if d := same(a[i], b[i]); d != "" {
				t.Fatal(d)
			}
		}
	})
}

// An archive that unpacks to more than can be a sample is refused before it fills
// the memory, and so is a document with a piece of that size.
func TestHugeInspect(t *testing.T) {
	const short, long = 1 << 20, 65 << 20
	head := `{` + someHead + `}`
	padded := strings.Repeat(" ", short-len(right)) + right
	for name, content := range map[string]string{
		"untrue":   saying(inspectArchive(t, zstd.ZipMethodWinZip, "header.json", head, "samples/1_epoch_1.json", padded), short, 100),
		"true":     saying(inspectArchive(t, zip.Deflate, "header.json", head, "samples/1_epoch_1.json", padded), short, long),
		"document": `{` + someHead + `, "samples": [` + strings.Repeat(" ", long) + right + `]}`,
	} {
		if name == "document" && !exhaustive.All() {
			continue // it is as long as the other one, and not compressed
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := exchange.ReadInspect(path)
		want := "more than 64 MB"
		if name == "untrue" {
			want = "not a valid zip file" // the archive's reader stops at the size that the archive states
		}
		wantError(t, err, name, want)
	}
}

// saying is an archive that says of a member of one size that it has another.
func saying(archive string, size, message uint32) string {
	var is, says [4]byte
	binary.LittleEndian.PutUint32(is[:], size)
	binary.LittleEndian.PutUint32(says[:], message)
	return strings.ReplaceAll(archive, string(is[:]), string(says[:]))
}

// Names in an archive never lead out of the folder that it is unpacked into.
func TestInspectNamesOfMembers(t *testing.T) {
	var recs []verbatim.Record
	for i, id := range []string{"../../etc/x", "/root", `a\..\b`, "a//b", "reverse@1/len=8/seed=1/0", "simpe:reversal/ab", "x\x00"} {
		recs = append(recs, verbatim.Record{Seq: int64(i), Item: &verbatim.Item{ID: id}, Outcome: verbatim.Skipped})
	}
	run := someRun(recs)
	var b bytes.Buffer
	if err := exchange.WriteInspect(&b, &run, true); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for _, f := range z.File {
		if !filepath.IsLocal(f.Name) || strings.ContainsAny(f.Name, "\\\x00") {
			t.Errorf("the archive has a member %q", f.Name)
		}
		if strings.HasPrefix(f.Name, "samples/reverse@1/len=8/seed=1/0_") || strings.HasPrefix(f.Name, "samples/simpe:reversal/ab_") {
			whole++
		}
	}
	if whole != 2 || len(z.File) != len(recs)+3 {
		t.Errorf("%d members, %d with the name of their item", len(z.File), whole)
	}
	path := filepath.Join(tree(t, map[string]string{"r.eval": b.String()}), "r.eval")
	back, err := exchange.ReadInspect(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, rec := range collect(t, back[0]) {
		if rec.Item.ID != recs[i].Item.ID {
			t.Errorf("item %q came back as %q", recs[i].Item.ID, rec.Item.ID)
		}
	}
}

// A note that names an impossible plan is not taken for ours.
func TestInspectNoteOfARun(t *testing.T) {
	run := someRun([]verbatim.Record{{Item: &verbatim.Item{ID: "a", Want: verbatim.TextAnswer("x")}, Outcome: verbatim.Skipped}})
	for _, count := range []int64{1, -1, 1 << 33} {
		run.Plan.Count = count
		var b bytes.Buffer
		if err := exchange.WriteInspect(&b, &run, false); err != nil {
			t.Fatal(err)
		}
		got, err := exchange.ReadInspect(filepath.Join(tree(t, map[string]string{"r.json": b.String()}), "r.json"))
		if err != nil {
			t.Fatal(err)
		}
		if ours := got[0].Plan.Suite == "quick"; ours != (count == 1) || got[0].Plan.Count > 4 || got[0].Plan.Count < 1 {
			t.Errorf("%d requests: plan %+v", count, got[0].Plan)
		}
	}
}

// The plan of another program's log is what the evaluation was to answer: not the data set of which it
// took a part.
func TestInspectPlans(t *testing.T) {
	log := func(status, dataset, config string) string {
		return fmt.Sprintf(`{"version": 2, "status": %q, "eval": {"task": "t", "model": "m", "dataset": {%s}, "config": {%s}}, "samples": [%s, %s]}`, status, dataset, config, right, silent)
	}
	for _, c := range []struct {
		name, content string
		count, left   int64
	}{
		{"finished", log("success", `"samples": 2376`, `"limit": 5`), 2, 0},
		{"of another size", log("success", `"samples": 2376`, ``), 2, 0},
		{"ids", log("error", `"samples": 2376, "sample_ids": [1, 5, 7]`, `"limit": 900`), 3, 0},
		{"limit", log("started", `"samples": 2376`, `"limit": 5, "epochs": 2`), 10, 0},
		{"range", log("cancelled", `"samples": 2376`, `"limit": [10, 14]`), 4, 0},
		{"end of the range", log("error", `"samples": 12`, `"limit": [10, 90]`), 2, 0},
		{"small data set", log("error", `"samples": 3`, `"limit": 900`), 3, 0},
		{"no limit", log("error", `"samples": 9`, `"limit": null`), 9, 0},
		{"other limit", log("error", `"samples": 9`, `"limit": "x"`), 9, 0},
		{"hostile", log("error", `"samples": 9`, `"limit": [], "epochs": 9223372036854775807`), 2, 0},
		{"invalidated", strings.Replace(log("error", `"samples": 9`, `"limit": 6`), `"id": 5,`, `"id": 5, "invalidation": {"author": "me", "reason": "typo"},`, 1), 5, 1},
	} {
		runs, err := exchange.ReadInspect(filepath.Join(tree(t, map[string]string{"a.json": c.content}), "a.json"))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if run := runs[0]; run.Plan.Count != c.count || run.Left != c.left || int64(len(collect(t, run))) != 2-c.left {
			t.Errorf("%s: %d planned, %d left out, want %d and %d", c.name, run.Plan.Count, run.Left, c.count, c.left)
		}
	}
}

// A file that cannot be read is named, and the others of its folder are read.
func TestOneBadFile(t *testing.T) {
	dir := tree(t, map[string]string{
		"i/a/good.json": inspectDocument(right), "i/bad.eval": "PK\x03\x04", "i/z.eval": inspectArchive(t, zip.Deflate, "header.json", `{`+someHead+`}`, "samples/1_epoch_1.json", right),
		"i/logs.json": "{}", "i/notes.txt": "x", "i/half.json": inspectDocument(right, `{"id": 9, "epoch": 0}`),
		"l/m/samples_good.json": "[\n" + lmRight + "\n]", "l/m/samples_bad.json": `[{"doc_id": 1}]`, "l/m/" + lmFile: strings.Replace(lmRight, `{"gen_args_0": {"arg_0": "Q\nA:", "arg_1": {"until": [], "max_gen_toks": 16}}}`, `[["Q\nA:", {"max_gen_toks": 16}]]`, 1),
		"s/result_m_2026-01-02_03-04-05.json": someResults, "s/result_x.json": `{"string_reversal": {"tries": 2, "results": [{"string": "ab", "response": "ba", "model": "x"}, {"string": "ab", "model": "x"}]}}`,
	})
	for _, c := range []struct {
		path string
		read func(...string) ([]exchange.Run, error)
		bad  []string
		runs int
	}{
		{"i", exchange.ReadInspect, []string{"bad.eval: not an archive", "half.json: samples[1]: epoch 0"}, 2},
		{"l", exchange.ReadLMEval, []string{"samples_bad.json: sample 1: this is no sample"}, 2},
		{"s", func(paths ...string) ([]exchange.Run, error) { return exchange.ReadSimpE(nil, paths...) }, []string{"result_x.json: string_reversal.results[1].response"}, 2},
	} {
		runs, err := c.read(filepath.Join(dir, c.path))
		wantError(t, err, c.bad...)
		if len(runs) != c.runs {
			t.Errorf("%s: %d runs, want %d", c.path, len(runs), c.runs)
		}
		for _, run := range runs {
			if recs := collect(t, run); len(recs) == 0 || run.Model == "x" {
				t.Errorf("%s: %d records of %s", c.path, len(recs), run.Model)
			} else if c.path == "l" && (recs[0].Prompt[0].Content[0].Text != "Q\nA:" || recs[0].MaxTokens != 16 || recs[0].Grade == nil) {
				t.Errorf("%+v", recs[0])
			}
		}
	}
}

// Inspect opens a model by API/NAME, and reads messages with ids; what comes back has our name.
func TestInspectNames(t *testing.T) {
	for ours, theirs := range map[string]string{"openai:gpt-4o": "openai/gpt-4o", "gemini:gemini-2.5": "google/gemini-2.5", "sim:sloppy": "mockllm/sim:sloppy",
		"http://127.0.0.1:1/v1#m": "mockllm/http://127.0.0.1:1/v1#m", "org/m": "mockllm/org/m", "openai:": "mockllm/openai:", "vllm:x": "mockllm/vllm:x"} {
		run := someRun([]verbatim.Record{{Item: &verbatim.Item{ID: "a", Want: verbatim.TextAnswer("x"), Accept: []verbatim.Answer{verbatim.TextAnswer("y")}, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}},
			Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "x", Usage: verbatim.Usage{Prompt: new(int64(1)), Completion: new(int64(1))}}, Grade: &verbatim.Grade{Outcome: verbatim.Pass, Exact: true, Grader: "text/1"}}})
		run.Model = ours
		var b bytes.Buffer
		if err := exchange.WriteInspect(&b, &run, false); err != nil {
			t.Fatal(err)
		}
		var log struct {
			Eval    struct{ Model string }
			Samples []struct {
				Target   []string
				Messages []struct{ ID string }
				Usage    map[string]any `json:"model_usage"`
			}
		}
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		s := log.Samples[0]
		if log.Eval.Model != theirs || s.Usage[theirs] == nil || len(s.Target) != 2 || len(s.Messages) != 2 || s.Messages[0].ID == "" || s.Messages[0].ID == s.Messages[1].ID {
			t.Errorf("%s: %+v, want %s", ours, log, theirs)
		}
		back, err := exchange.ReadInspect(filepath.Join(tree(t, map[string]string{"r.json": b.String()}), "r.json"))
		if err != nil || back[0].Model != ours {
			t.Errorf("%s comes back as %+v, %v", ours, back, err)
		}
	}
}
