package exchange_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/exchange"
)

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
