package exchange_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/exchange"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/oracle"
	"verbatim/internal/task"
)

func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func collect(t *testing.T, r exchange.Run) []verbatim.Record {
	t.Helper()
	var out []verbatim.Record
	for rec, err := range r.Records {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rec)
	}
	return out
}

func TestSortBenchOfTheOracle(t *testing.T) {
	root := oracle.Path(t, "sortbench-v1.0")
	runs, err := exchange.ReadSortBench(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	var models []string
	for _, r := range runs {
		models = append(models, r.Model)
	}
	if got := strings.Join(models, " "); got != "claude-3-5-haiku-20241022 claude-3-5-sonnet-20241022 deepseekr1 gpt-4o gpt-4o-mini llama3.1 o3-mini" {
		t.Fatalf("models %s", got)
	}
	for i, r := range runs {
		p := r.Plan
		if p.Hash != runs[0].Plan.Hash || p.Suite != "sortbench" || p.Edition != verbatim.Reference || p.Count != 720 || p.Items.N != 720 || p.Trials != 1 || r.Origin != "sortbench" {
			t.Errorf("%s: plan %+v, origin %q", r.Model, p, r.Origin)
		}
		if i > 0 && !exhaustive.All() {
			continue // the records of all are read alike
		}
		recs := collect(t, r)
		if len(recs) != 720 {
			t.Errorf("%s: %d records", r.Model, len(recs))
		}
		for i, rec := range recs {
			if rec.Seq != int64(i) || rec.Reply == nil || rec.Failure != nil || rec.Grade != nil || rec.Outcome != "" {
				t.Fatalf("%s: record %d: %+v", r.Model, i, rec)
			}
		}
	}
	rec := collect(t, runs[3])[3]
	if rec.Item.ID != "sortbench:v1.0/advanced/ASCII-Cased/2/list_4" {
		t.Errorf("the fourth item is %s", rec.Item.ID)
	}
	if got := rec.Item.Facts; got["family"] != "ASCII-Cased" || got["length"] != "2" || got["edition"] != "reference" || got["task"] != "ASCII-Cased" || got["mode"] != "advanced" || got["list"] != "list_4" {
		t.Errorf("facts %v", got)
	}
}

// What is imported must be, character by character, what the files hold.
func TestSortBenchIsVerbatim(t *testing.T) {
	exhaustive.Only(t)
	root := oracle.Path(t, "sortbench-v1.0")
	runs, err := exchange.ReadSortBench(root, func(mode, task string) string { return mode + " " + task })
	if err != nil {
		t.Fatal(err)
	}
	type results struct {
		Results []struct {
			Model  string
			Sorted map[string]string `json:"sorted_lists"`
		}
	}
	files := make(map[string]results)
	n := 0
	for _, r := range runs {
		for rec, err := range r.Records {
			if err != nil {
				t.Fatal(err)
			}
			f := rec.Item.Facts
			length, _ := strconv.Atoi(f["length"])
			name := "sortbench_" + f["mode"] + "_v1.0_" + f["task"] + "_" + strings.Repeat("0", 3-len(f["length"])) + strconv.Itoa(length) + ".json.gz"
			data, ok := files[name]
			if !ok {
				if err := json.Unmarshal(unpacked(t, filepath.Join(root, "outputs", name)), &data); err != nil {
					t.Fatal(err)
				}
				files[name] = data
			}
			i := slices.IndexFunc(data.Results, func(x struct {
				Model  string
				Sorted map[string]string `json:"sorted_lists"`
			}) bool {
				return x.Model == r.Model
			})
			if rec.Reply.Text != data.Results[i].Sorted[f["list"]] {
				t.Fatalf("%s of %s is not what the file says", rec.Item.ID, r.Model)
			}
			if f["family"] != f["mode"]+" "+f["task"] {
				t.Fatalf("family %q was not named by the namer", f["family"])
			}
			if len(rec.Item.Want.List) != length || len(rec.Item.Source.List) != length {
				t.Fatalf("%s has %d and %d elements", rec.Item.ID, len(rec.Item.Want.List), len(rec.Item.Source.List))
			}
			n++
		}
	}
	if n != 5040 {
		t.Errorf("%d records", n)
	}
}

// The same data in the other layout, unpacked, with the names that Windows can
// hold, is the same plan with the same answers.
func TestSortBenchLayouts(t *testing.T) {
	exhaustive.Only(t)
	root := oracle.Path(t, "sortbench-v1.0")
	dir := t.TempDir()
	for from, to := range map[string]string{"lists": "benchmark_data", "outputs": "benchmark_results"} {
		if err := os.Mkdir(filepath.Join(dir, to), 0o755); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(root, from, "*.json.gz"))
		if err != nil || len(files) != 144 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for i, f := range files {
			data, name := unpacked(t, f), strings.TrimSuffix(filepath.Base(f), ".gz")
			if i%2 == 0 {
				name = strings.ReplaceAll(name, ":", "-")
			}
			if err := os.WriteFile(filepath.Join(dir, to, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, err := exchange.ReadSortBench(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := exchange.ReadSortBench(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a[0].Plan.Hash != b[0].Plan.Hash || len(a) != len(b) {
		t.Errorf("plans %s and %s, %d and %d runs", a[0].Plan.Hash, b[0].Plan.Hash, len(a), len(b))
	}
	x, y := collect(t, a[6]), collect(t, b[6])
	for i := range x {
		if x[i].Item.ID != y[i].Item.ID || x[i].Reply.Text != y[i].Reply.Text {
			t.Fatalf("record %d: %s and %s", i, x[i].Item.ID, y[i].Item.ID)
		}
	}
	n := 0
	lists, err := exchange.ReadSortBenchLists(filepath.Join(dir, "benchmark_data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for it, err := range lists {
		if err != nil {
			t.Fatal(err)
		}
		if n++; len(it.Want.List) == 0 {
			t.Errorf("%s is empty", it.ID)
		}
	}
	if n != 1440 {
		t.Errorf("%d published lists", n)
	}
}

// The published scores, as imported, give the published Table 1: the mean of each
// length weighted by the length.
func TestScoresOfTheOracle(t *testing.T) {
	exhaustive.Only(t)
	root := oracle.Path(t, "sortbench-v1.0")
	runs, err := exchange.ReadSortBenchScores([]string{filepath.Join(root, "published_scores.csv.gz")}, root, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := aggregate(t)
	for _, r := range runs {
		sums, counts := make(map[int]float64), make(map[int]float64)
		recs := collect(t, r)
		if len(recs) != 1440 || r.Plan.Count != 1440 {
			t.Errorf("%s: %d records of %d", r.Model, len(recs), r.Plan.Count)
		}
		for i, rec := range recs {
			if rec.Reply != nil || rec.Grade.Grader != exchange.Published || rec.Item.Want.List == nil || rec.Seq != int64(i) {
				t.Fatalf("%s: %+v", rec.Item.ID, rec)
			}
			length, _ := strconv.Atoi(rec.Item.Facts["length"])
			if rec.Grade.Score != nil {
				sums[length] += *rec.Grade.Score
				counts[length]++
			}
		}
		got := 0.0
		for length, sum := range sums {
			got += float64(length) * sum / counts[length] / 510
		}
		if math.Abs(got-want[r.Model]) > 5e-7 {
			t.Errorf("%s: %.7f, published %.6f", r.Model, got, want[r.Model])
		}
	}
	if len(runs) != 7 || len(want) != 7 {
		t.Errorf("%d runs, %d published means", len(runs), len(want))
	}
	bare, err := exchange.ReadSortBenchScores([]string{filepath.Join(root, "published_scores.csv.gz")}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if rec := collect(t, bare[0])[0]; rec.Item.Prompt != nil || rec.Item.ID != "sortbench:v1.0/advanced/ASCII-Cased/2/list_1" {
		t.Errorf("a score without lists: %+v", rec.Item)
	}
}

// aggregate reads the published weighted means of all tasks together.
func aggregate(t *testing.T) map[string]float64 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(oracle.Path(t, "stats"), "aggregate.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := table(t, data)
	names := map[string]string{
		"o3-mini": "o3-mini", "GPT-4o": "gpt-4o", "GPT-4o-mini": "gpt-4o-mini", "Claude-3.5-Sonnet": "claude-3-5-sonnet-20241022",
		"Claude-3.5-Haiku": "claude-3-5-haiku-20241022", "Llama-3.1": "llama3.1", "DeepSeek-r1": "deepseekr1",
	}
	out := make(map[string]float64)
	for _, row := range rows[1:] {
		if row[0] == "all" {
			if out[names[row[1]]], err = strconv.ParseFloat(row[2], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// tree writes files below a new folder and returns it.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func packed(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

const (
	someLists   = `{"list_1": [3, 1, 2], "list_2": [1, 1.5], "list_10": [10, 9]}`
	someOutputs = `{"unsorted_lists": {"list_2": [1, 1.5], "list_1": [3, 1, 2]},
 "results": [{"model": "b", "sorted_lists": {"list_1": "[1, 2, 3]", "list_2": null}},
             {"model": "a", "sorted_lists": {"list_1": " [1]\n\ud800 \ud83e\udd80"}},
             {"model": "b", "sorted_lists": {"list_1": "again", "list_2": "[]"}}]}`
)

// sources is a small benchmark with one thing changed.
func sources(t testing.TB, change map[string]string) string {
	files := map[string]string{
		"lists/sortbench_basic_v1.0_Int-0:1000_003.json":      someLists,
		"outputs/sortbench_basic_v1.0_Int-0-1000_003.json.gz": packed(someOutputs),
		"outputs/README.md": "not a file of results",
	}
	for name, content := range change {
		if content == "" {
			delete(files, name)
			continue
		}
		files[name] = content
	}
	return tree(t, files)
}

func TestSortBenchOfASmallOne(t *testing.T) {
	runs, err := exchange.ReadSortBench(sources(t, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		for _, rec := range collect(t, r) {
			line := r.Model + " " + rec.Item.ID + " " + string(rune('0'+rec.Seq)) + string(rune('0'+rec.Trial)) + " "
			if rec.Failure != nil {
				line += string(rec.Outcome) + " " + rec.Failure.Error()
			} else {
				line += rec.Reply.Text
			}
			got = append(got, line)
		}
	}
	want := []string{
		"a sortbench:v1.0/basic/Int-0:1000/3/list_1 00  [1]\n\xed\xa0\x80 🦀",
		"a sortbench:v1.0/basic/Int-0:1000/3/list_2 10 error content: the file holds no output of this model for this list",
		"b sortbench:v1.0/basic/Int-0:1000/3/list_1 00 [1, 2, 3]",
		"b sortbench:v1.0/basic/Int-0:1000/3/list_2 10 error content: the file holds no output of this model for this list",
		"b sortbench:v1.0/basic/Int-0:1000/3/list_1 21 again",
		"b sortbench:v1.0/basic/Int-0:1000/3/list_2 31 []",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("records\n%q\nwant\n%q", got, want)
	}
	it := collect(t, runs[0])[0].Item
	if prompt := it.Prompt[1].Content[0].Text; prompt != "Sort the following list: [3, 1, 2]" || it.Grader != "sortbench-reference" {
		t.Errorf("prompt %q, grader %s", prompt, it.Grader)
	}
}

// A broken source is refused, and the error says which file, where and what.
func TestBrokenSortBench(t *testing.T) {
	const lists, outputs = "lists/sortbench_basic_v1.0_Int-0:1000_003.json", "outputs/sortbench_basic_v1.0_Int-0-1000_003.json.gz"
	cut := packed(someOutputs)
	for name, c := range map[string]struct {
		change map[string]string
		want   []string
	}{
		"no outputs":        {map[string]string{outputs: "", "outputs/README.md": ""}, []string{"has lists but no outputs", "benchmark_results"}},
		"no lists":          {map[string]string{lists: ""}, []string{"has outputs but no lists"}},
		"empty folder":      {map[string]string{outputs: ""}, []string{"outputs holds no files named sortbench_MODE_VERSION_TASK_LENGTH.json"}},
		"lists of another":  {map[string]string{lists: "", "lists/sortbench_basic_v1.0_Int-0:1000_004.json": someLists}, []string{"Int-0-1000_003", "there are no lists for it"}},
		"twice":             {map[string]string{"lists/sortbench_basic_v1.0_Int-0-1000_003.json": someLists}, []string{"are the same lists"}},
		"cut gzip":          {map[string]string{outputs: cut[:len(cut)/2]}, []string{"Int-0-1000_003.json.gz", "ends in the middle"}},
		"damaged gzip":      {map[string]string{outputs: cut[:30] + "xxxx" + cut[34:]}, []string{"Int-0-1000_003.json.gz"}},
		"not gzip":          {map[string]string{outputs: "\x1f\x8bno"}, []string{"Int-0-1000_003.json.gz"}},
		"empty":             {map[string]string{outputs: " "}, []string{"Int-0-1000_003.json.gz: line 1: unexpected end"}},
		"not JSON":          {map[string]string{outputs: "{\n\n  NaN}"}, []string{"line 3", "invalid character 'N'"}},
		"an array":          {map[string]string{outputs: "[]"}, []string{"want an object, found a JSON array"}},
		"no unsorted_lists": {map[string]string{outputs: `{"results": []}`}, []string{"unsorted_lists is missing"}},
		"no results":        {map[string]string{outputs: `{"unsorted_lists": {"list_1": [3, 1, 2]}}`}, []string{"no results of any model"}},
		"no model":          {map[string]string{outputs: `{"unsorted_lists": {"list_1": [3, 1, 2]}, "results": [{"sorted_lists": {}}]}`}, []string{"results[0]: the model is missing"}},
		"model is a number": {map[string]string{outputs: `{"unsorted_lists": {}, "results": [{"model": 4}]}`}, []string{"results.model: want a string, found a JSON number"}},
		"output is a list":  {map[string]string{outputs: `{"unsorted_lists": {"list_1": [3, 1, 2]}, "results": [{"model": "a", "sorted_lists": {"list_1": [1, 2, 3]}}]}`}, []string{"model a: list_1: want text, found an array"}},
		"unknown output":    {map[string]string{outputs: `{"unsorted_lists": {}, "results": [{"model": "a", "sorted_lists": {"list_9": ""}}]}`}, []string{"results[0] (a): list_9 is not one of its unsorted_lists"}},
		"other list":        {map[string]string{outputs: `{"unsorted_lists": {"list_1": [3, 1, 4]}, "results": []}`}, []string{"list_1 is not the list of that name in"}},
		"unpublished list":  {map[string]string{outputs: `{"unsorted_lists": {"list_3": [3, 1, 4]}, "results": []}`}, []string{"list_3 is not in"}},
		"list is a text":    {map[string]string{lists: `{"list_1": "[1]"}`, outputs: `{"unsorted_lists": {"list_1": "[1]"}, "results": []}`}, []string{"list_1: want a list, found text"}},
		"mixed list":        {map[string]string{lists: `{"list_1": [1, "a"]}`, outputs: `{"unsorted_lists": {"list_1": [1, "a"]}, "results": []}`}, []string{"list_1: element 1: numbers and texts"}},
		"nested list":       {map[string]string{lists: `{"list_1": [[1]]}`, outputs: `{"unsorted_lists": {"list_1": [[1]]}, "results": []}`}, []string{"list_1: element 0: want a number or text, found [1]"}},
		"huge number":       {map[string]string{lists: `{"list_1": [1e999]}`, outputs: `{"unsorted_lists": {"list_1": [1e999]}, "results": []}`}, []string{"1e999 is not a float64"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := exchange.ReadSortBench(sources(t, c.change), nil)
			wantError(t, err, c.want...)
		})
	}
	dir := sources(t, nil)
	for path, want := range map[string]string{
		filepath.Join(dir, "nowhere"):            "does not exist",
		filepath.Join(dir, lists):                "is a file: want a checkout",
		filepath.Join(dir, "lists"):              "is one of two folders: name the folder that has both",
		filepath.Dir(filepath.Dir(os.TempDir())): "holds no SortBench results",
	} {
		_, err := exchange.ReadSortBench(path, nil)
		wantError(t, err, want)
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	for _, want := range parts {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
}

// A gzip bomb is refused before it fills the memory.
func TestHugeFiles(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	chunk := bytes.Repeat([]byte(" "), 1<<20)
	for range 65 {
		z.Write(chunk)
	}
	z.Close()
	dir := tree(t, map[string]string{"bomb.json": b.String()})
	_, err := exchange.ReadSimpE(nil, filepath.Join(dir, "bomb.json"))
	wantError(t, err, "bomb.json: more than 64 MB after unpacking")
}

func TestScoresInBothSpellings(t *testing.T) {
	dir := tree(t, map[string]string{
		"ours.csv":  "mode,model,task,length,list,validity,sorting_published,faithfulness,sortbench_published\nbasic,m,Int-0-1000,3,list_10,1.0,1.0,1.0,1.0\nbasic,m,Int-0:1000,3,list_2,0.75,,0.75,\nbasic,a,Int-0:1000,3,list_1,1,-1.7,1,-0.35\n",
		"their.csv": "Benchmark,Mode,Version,Model,Type,Size,List Name,Parsed,HasError,ErrorType,Validity Score,Sorting Score,Faithfulness Score,SortBench Score\nsortbench,basic,v1.0,m,Int-0:1000,3,list_1,True,True,Content after last closing bracket,0.5,1.0,1.0,0.5\n",
	})
	runs, err := exchange.ReadSortBenchScores([]string{filepath.Join(dir, "ours.csv")}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 2 || runs[0].Model != "a" || *collect(t, runs[0])[0].Grade.Score != -0.35 {
		t.Fatalf("%d runs", len(runs))
	}
	recs := collect(t, runs[1])
	if recs[0].Item.Facts["list"] != "list_2" || recs[0].Grade.Score != nil || recs[0].Grade.Label != exchange.ScoreOnly || recs[0].Grade.Measures["validity"] != 0.75 {
		t.Errorf("an undefined score: %+v", recs[0].Grade)
	}
	if _, ok := recs[0].Grade.Measures["sorting_published"]; ok {
		t.Error("an empty cell became a number")
	}
	if g := recs[1].Grade; !g.Exact || g.Outcome != "pass" || g.Label != "pass" {
		t.Errorf("a full score: %+v", g)
	}
	runs, err = exchange.ReadSortBenchScores([]string{filepath.Join(dir, "their.csv")}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if g := collect(t, runs[0])[0].Grade; *g.Score != 0.5 || g.Exact || g.Outcome != "wrong" || g.Repair != "Content after last closing bracket" || g.Measures["parsed"] != 1 {
		t.Errorf("a score in the repository's spelling: %+v", g)
	}
}

func TestBrokenScores(t *testing.T) {
	const head = "mode,model,task,length,list,sortbench_published\n"
	for name, c := range map[string]struct{ content, want string }{
		"empty":          {"", "the file is empty"},
		"no column":      {"mode,model,task,length,list\n", "line 1: there is no column sortbench_published (or SortBench Score)"},
		"column twice":   {"mode,Mode,model\n", "there are two columns"},
		"no rows":        {head, "the file has no scores"},
		"length":         {head + "basic,m,English,x,list_1,1\n", `line 2: length: want a whole number above 0, found "x"`},
		"no model":       {head + "basic,,English,2,list_1,1\n", "line 2: model is empty"},
		"number":         {head + "basic,m,English,2,list_1,good\n", `line 2: sortbench_published: want a number, found "good"`},
		"infinite":       {head + "basic,m,English,2,list_1,inf\n", `want a number, found "inf"`},
		"twice":          {head + "basic,m,English,2,list_1,1\nbasic,m,English,2,list_1,1\n", "line 3: a second score of m for v1.0/basic/English/2/list_1"},
		"few cells":      {head + "basic,m\n", "wrong number of fields"},
		"quotes":         {head + "basic,\"m,English,2,list_1,1\n", `extraneous or missing " in quoted-field`},
		"cut":            {packed(head + strings.Repeat("basic,m,English,2,list_1,1\n", 9))[:40], "ends in the middle"},
		"other versions": {"Version," + head + "v1.0,basic,m,English,2,list_1,1\nv2.0,basic,m,English,2,list_1,1\n", "line 3: a score of version v2.0, but those before are of v1.0"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"s.csv": c.content})
			_, err := exchange.ReadSortBenchScores([]string{filepath.Join(dir, "s.csv")}, "", nil)
			wantError(t, err, filepath.Join(dir, "s.csv"), c.want)
		})
	}
	dir := sources(t, map[string]string{"s.csv": head + "basic,m,English,2,list_1,1\n"})
	_, err := exchange.ReadSortBenchScores([]string{filepath.Join(dir, "s.csv")}, dir, nil)
	wantError(t, err, "line 2: sortbench:v1.0/basic/English/2/list_1 is not one of the published lists")
}

// TestScoresOfSeveralFiles: the published repository has a file of scores for each mode;
// together they are one run for each model.
func TestScoresOfSeveralFiles(t *testing.T) {
	const head = "mode,model,task,length,list,sortbench_published\n"
	dir := tree(t, map[string]string{
		"advanced.csv": head + "advanced,m,ASCII,2,list_1,1\n",
		"basic.csv":    head + "basic,m,English,2,list_1,1\nbasic,n,English,2,list_1,0.5\n",
		"empty.csv":    head,
		"again.csv":    head + "basic,m,English,2,list_1,1\n",
	})
	files := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	runs, err := exchange.ReadSortBenchScores(files("advanced.csv", "basic.csv"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 2 || runs[0].Plan.Count != 2 || runs[1].Plan.Count != 1 {
		t.Fatalf("%d runs: %+v", len(runs), runs)
	}
	swapped, err := exchange.ReadSortBenchScores(files("basic.csv", "advanced.csv"), "", nil)
	if err != nil || swapped[0].Plan.Hash != runs[0].Plan.Hash {
		t.Errorf("in another order: %v, %v", swapped, err)
	}
	_, err = exchange.ReadSortBenchScores(files("basic.csv", "again.csv"), "", nil)
	wantError(t, err, "again.csv: line 2: a second score of m for v1.0/basic/English/2/list_1")
	_, err = exchange.ReadSortBenchScores(files("basic.csv", "empty.csv"), "", nil)
	wantError(t, err, "empty.csv: the file has no scores")
}

func TestErrorsAreCounted(t *testing.T) {
	rows := "mode,model,task,length,list,sortbench_published\n" + strings.Repeat("basic,,English,2,list_1,1\n", 50)
	dir := tree(t, map[string]string{"s.csv": rows})
	_, err := exchange.ReadSortBenchScores([]string{filepath.Join(dir, "s.csv")}, "", nil)
	wantError(t, err, "line 21:", "and 30 more errors")
	if strings.Contains(err.Error(), "line 22:") {
		t.Error("more than twenty errors are told")
	}
}

// repliesOf returns a record for the right reply to the item and for each way to spoil it, each
// with an item of a number of its own.
func repliesOf(t *testing.T, it verbatim.Item, first int) (records []verbatim.Record) {
	t.Helper()
	stem := it.ID[:strings.LastIndexByte(it.ID, '/')+1]
	add := func(reply string) {
		own := it
		own.ID, own.Facts = fmt.Sprint(stem, first+len(records)), maps.Clone(it.Facts)
		records = append(records, verbatim.Record{Item: &own, Reply: &verbatim.Reply{Text: reply, Finish: verbatim.FinishStop}})
	}
	right := damage.Right(&it)
	for _, reply := range []string{right, "`" + right + "`", "```\n" + right + "\n```", "Here it is:\n" + right, right + "\nSorted.", "**" + right + "**", right + ",", right[:len(right)-1]} {
		add(reply)
	}
	for _, s := range damage.Spoilers(damage.Grader(&it)) {
		if reply, ok := s.Spoil(rand.New(rand.NewPCG(1, 2)), &it); ok {
			add(reply)
		}
	}
	return records
}

// TestSortBenchReplies writes right, wrapped and wrong replies to items of all tasks that SortBench's
// files hold, as the suites grade them, and reads them again: no outcome changes. The labels of the
// hard tasks do not either, foreseen ones included.
func TestSortBenchReplies(t *testing.T) {
	read, foreseen := 0, map[string]int{}
	for _, f := range task.Families() {
		if f.Mode == "" {
			continue
		}
		for _, n := range []int{8, 2} {
			if n == 2 && !exhaustive.All() {
				continue // scripts/check has both lengths
			}
			p, err := task.Plan(task.Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{{Min: n, Max: n}}, Items: 1, Seed: 9})
			if err != nil {
				t.Fatal(err)
			}
			records := repliesOf(t, firstItem(t, p), 0)
			for i := range records {
				if f.Mode != "hard" {
					records[i].Item.Grader = "sortbench" // as the suite has it
				}
			}
			for i, got := range throughSortBench(t, p, records) {
				was, now := gradeRecord(&records[i]), gradeRecord(&got)
				if was.Outcome != now.Outcome {
					t.Errorf("%s: %s (%s), and %s (%s) when it is read again: %q", records[i].Item.ID, was.Outcome, was.Label, now.Outcome, now.Label, got.Reply.Text)
				}
				if f.Mode == "hard" && (was.Label != now.Label || was.Detail != now.Detail) {
					t.Errorf("%s: %s (%s), and %s (%s) when it is read again: %q", records[i].Item.ID, was.Label, was.Detail, now.Label, now.Detail, got.Reply.Text)
				}
				read++
				foreseen[was.Label]++
			}
		}
	}
	for _, label := range []string{"wrong_direction", "tie_broken", "explained", "fenced", "quoted", "pass"} {
		if foreseen[label] == 0 {
			t.Errorf("of %d replies none is %s", read, label)
		}
	}
}

func firstItem(t *testing.T, p verbatim.Plan) verbatim.Item {
	t.Helper()
	deck, err := task.Open(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	position, _ := deck.Next()
	it, err := deck.Item(position)
	if err != nil {
		t.Fatal(err)
	}
	return *it
}

// throughSortBench writes the records as a run of the plan and reads them.
func throughSortBench(t *testing.T, p verbatim.Plan, records []verbatim.Record) (out []verbatim.Record) {
	t.Helper()
	run := exchange.Run{Run: verbatim.Run{Name: "r", Model: "m", Plan: p}, Records: func(yield func(verbatim.Record, error) bool) {
		for _, rec := range records {
			if !yield(rec, nil) {
				return
			}
		}
	}}
	dir := t.TempDir()
	if _, _, err := exchange.WriteSortBench(exchange.Folder{Path: dir}, func(family string) string {
		f, _ := task.Find(family)
		return f.Task
	}, run); err != nil {
		t.Fatal(err)
	}
	runs, err := exchange.ReadSortBench(dir, nil)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	for rec, err := range runs[0].Records {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rec)
	}
	if len(out) != len(records) {
		t.Fatalf("%d records of %d", len(out), len(records))
	}
	return out
}

func gradeRecord(rec *verbatim.Record) verbatim.Grade {
	return grade.Of(rec.Item, rec.Reply.Text, verbatim.FinishStop)
}
