package task

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/oracle"
)

func TestPublishedLists(t *testing.T) {
	file, items, err := PublishedLists(oracle.Path(t, "sortbench-v1.0"))
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 1440 || file.N != 1440 || file.SHA256 != publishedHash {
		t.Errorf("%d lists that hash to %s", len(items), file.SHA256)
	}
	ids := map[string]verbatim.Item{}
	for _, it := range items {
		ids[it.ID] = it
		if len(it.Want.List) != len(it.Source.List) || it.Grader != "sortbench-reference" {
			t.Errorf("%s wants %d of %d items, graded by %q", it.ID, len(it.Want.List), len(it.Source.List), it.Grader)
		}
		for i, v := range it.Want.List {
			if i > 0 && !inOrder(it.Want.List[i-1], v) {
				t.Errorf("%s: item %d is out of order", it.ID, i)
			}
		}
	}
	if len(ids) != 1440 || items[0].ID != "sortbench:v1.0/advanced/ASCII-Cased/2/list_1" || items[9].ID != "sortbench:v1.0/advanced/ASCII-Cased/2/list_10" {
		t.Errorf("%d ids, from %s", len(ids), items[0].ID)
	}
	it := ids["sortbench:v1.0/basic/Int-0:1000/2/list_3"]
	if asked(it) != "Sort the following list: [255, 61]" || it.Facts[verbatim.FactFamily] != "sort-int" || it.Facts[verbatim.FactList] != "list_3" {
		t.Errorf("list_3 is %+v", it)
	}
	p, err := Plan(Request{Lists: file, Suite: "sortbench", Edition: verbatim.Reference, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	if p.Suite != "sortbench" || p.Edition != "reference" || p.Count != 1440 {
		t.Errorf("the plan is %+v", p)
	}
}

// TestReleaseIsPublishedForm writes the published lists again and wants every
// published byte.
func TestReleaseIsPublishedForm(t *testing.T) {
	files, err := listFiles(oracle.Path(t, "sortbench-v1.0"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		lists, err := f.read()
		if err != nil {
			t.Fatal(err)
		}
		var plain [][]any
		for _, l := range lists {
			plain = append(plain, l.items)
		}
		want, err := readMaybeGzip(f.path)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		draw := func(i int) (verbatim.Item, error) {
			source := verbatim.ListAnswer(plain[i])
			return verbatim.Item{Source: &source}, nil
		}
		if err := writeLists(&got, len(plain), draw, verbatim.Reference); err != nil || got.String() != string(want) {
			t.Errorf("%s is written as %.80s, %v", f.path, got.String(), err)
		}
		if name := releaseName(f.family, "v1.0", f.length, "", "linux"); name != filepath.Base(f.path) {
			t.Errorf("%s would be named %s", f.path, name)
		}
	}
	if len(files) != 144 {
		t.Errorf("%d files of lists", len(files))
	}
}

// TestRelease writes a fresh release and reads it as lists of its own.
func TestRelease(t *testing.T) {
	perFile := exhaustive.Of(3, 10)
	for _, e := range verbatim.Editions() {
		if e == verbatim.Reference && !exhaustive.All() {
			continue // the two others differ in what is drawn and in where it is read
		}
		dir := filepath.Join(t.TempDir(), "lists")
		p := must(Plan(Request{Tasks: []string{"sort-*"}, Items: perFile, Seed: 2026, Edition: e}))
		if n, err := WriteSortBench(t.Context(), dir, p, "v1.0"); err != nil || n != 144 {
			t.Fatalf("%d files, %v", n, err)
		}
		root := dir
		if e == verbatim.Standard {
			root = filepath.Dir(dir) // which holds the folder lists
		}
		_, items, err := PublishedLists(root)
		if err != nil || len(items) != 144*perFile {
			t.Fatalf("%d items, %v", len(items), err)
		}
		if !strings.HasPrefix(items[0].ID, "sortbench:v1.0-") {
			t.Errorf("%s has the id of a published list", items[0].ID)
		}
		drawn := mustDraw(t, must(Find(items[0].Facts[verbatim.FactFamily])), parameters(2, e), 2026, 0)
		if got := string(must(json.Marshal(items[0].Source))); got != string(must(json.Marshal(drawn.Source))) {
			t.Errorf("%s: the first list is %s, drawn was %v", e, got, drawn.Source)
		}
		small, err := readMaybeGzip(filepath.Join(dir, releaseName(must(Find("sort-float-small")), "v1.0", 256, "", runtime.GOOS)))
		if plain := !strings.Contains(string(small), "e-"); err != nil || plain != (e == verbatim.Paper) {
			t.Errorf("%s: small floats in plain notation: %v, %v", e, plain, err)
		}
		if _, err := WriteSortBench(t.Context(), dir, p, "v1.0"); err == nil || !strings.Contains(err.Error(), "exists already") {
			t.Errorf("a release was written over another: %v", err)
		}
	}
}

// TestReleaseOfWindows reads names without colons, packed and not.
func TestReleaseOfWindows(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "benchmark_data"), 0o777); err != nil {
		t.Fatal(err)
	}
	name := releaseName(must(Find("sort-float-large")), "v1.0", 2, "", "windows")
	if name != "sortbench_advanced_v1.0_Float-10000000-10001000_002.json.gz" {
		t.Errorf("the name is %s", name)
	}
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	io.WriteString(z, `{"list_2": [2.5, 1.0], "list_1": [4.0, 3.0]}`)
	z.Close()
	write(t, filepath.Join(dir, "benchmark_data", name), packed.String())
	write(t, filepath.Join(dir, "README.md"), "not a list")
	file, items, err := PublishedLists(dir)
	if err != nil || file.N != 2 {
		t.Fatal(file, err)
	}
	id := "sortbench:v1.0-" + file.SHA256[:8] + "/advanced/Float-10000000:10001000/2/list_1"
	if items[0].ID != id || asked(items[0]) != "Sort the following list: [4.0, 3.0]" || items[0].Want.List[0] != 3.0 || items[0].Grader != "sortbench-reference" {
		t.Errorf("the first item is %+v", items[0])
	}
}

// TestReleaseOfHardTasks writes what is chosen, with the rule of each list.
func TestReleaseOfHardTasks(t *testing.T) {
	dir := t.TempDir()
	p := must(Plan(Request{Suite: "hard", Tasks: []string{"hard-columns", "hard-scripts"}, Lengths: []verbatim.Lengths{fixedLength(4)}, Items: 3, Seed: 5}))
	n, err := WriteSortBench(t.Context(), dir, p, "v2.0")
	if err != nil || n != 4 {
		t.Fatalf("%d files, %v", n, err)
	}
	read := func(name string, into any) {
		t.Helper()
		data, err := readMaybeGzip(filepath.Join(dir, name))
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(string(data), func(r rune) bool { return r > 0x7f }) && !strings.Contains(name, "rules") {
			t.Errorf("%s is not ASCII", name)
		}
	}
	for _, name := range []string{"hard-columns", "hard-scripts"} {
		f := must(Find(name))
		var lists map[string]verbatim.Answer
		var rules map[string]struct {
			Messages verbatim.Prompt
			Sorted   verbatim.Answer
		}
		read("sortbench_hard_v2.0_"+f.Task+"_004.json.gz", &lists)
		read("sortbench_hard_v2.0_"+f.Task+"_004_rules.json.gz", &rules)
		for i := range 3 {
			it, key := mustDraw(t, f, parameters(4, verbatim.Standard), 5, i), "list_"+strconv.Itoa(i+1)
			if !reflect.DeepEqual(lists[key], *it.Source) || !reflect.DeepEqual(rules[key].Sorted, it.Want) || !reflect.DeepEqual(rules[key].Messages, it.Prompt) {
				t.Errorf("%s %s: %v, %v", name, key, lists[key], rules[key])
			}
		}
		if len(lists) != 3 || len(rules) != 3 {
			t.Errorf("%s: %d lists, %d rules", name, len(lists), len(rules))
		}
	}
	for says, bad := range map[string]struct {
		tasks   []string
		release string
	}{"not items of copy": {[]string{"copy"}, "v1.0"}, `"2" is not the number of a release`: {[]string{"hard-*"}, "2"}} {
		if _, err := WriteSortBench(t.Context(), dir, must(Plan(Request{Tasks: bad.tasks, Items: 1})), bad.release); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, want %q", bad, err, says)
		}
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestPublishedListsErrors(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{dir, filepath.Join(dir, "none")} {
		if _, _, err := PublishedLists(folder); err == nil || !strings.Contains(err.Error(), filepath.Base(folder)) {
			t.Errorf("%s: %v", folder, err)
		}
	}
	path := filepath.Join(dir, "sortbench_basic_v1.0_English_002.json")
	for content, want := range map[string]string{
		`{"list_1": [1, "a"]}`: "another type", `{"list_1": [1`: "unexpected", `{"list_1": "x"}`: "not a list", `{"list_1": [[1], [2]]}`: "item 1",
		`{"list_1": [1]}`: "1 items", `{"first": [1, 2]}`: `"first"`, `{"list_01": [1, 2]}`: `"list_01"`, `[]`: "array",
	} {
		write(t, path, content)
		if _, _, err := PublishedLists(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "English_002") {
			t.Errorf("%s: %v", content, err)
		}
	}
	write(t, path, `{"list_1": ["b", "a"]}`)
	write(t, path+".gz", "no gzip")
	if _, _, err := PublishedLists(dir); err == nil || !strings.Contains(err.Error(), "same task") {
		t.Error(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := PublishedLists(dir); err == nil || !strings.Contains(err.Error(), "English_002.json.gz") {
		t.Error(err)
	}
	write(t, filepath.Join(dir, "sortbench_basic_v1.0_Esperanto_002.json"), "{}")
	if _, _, err := PublishedLists(dir); err == nil || !strings.Contains(err.Error(), "Esperanto") {
		t.Error(err)
	}
}

// A drawCounter is a writer that notes how many items were drawn when it was written to first, and
// most of what is waiting in memory between two of its writes.
type drawCounter struct {
	drawn, first, waiting, most int
}

func (c *drawCounter) Write(p []byte) (int, error) {
	if c.first == 0 {
		c.first = c.drawn
	}
	c.most = max(c.most, c.waiting)
	c.waiting = 0
	return len(p), nil
}

// draw draws items of a family and counts them.
func (c *drawCounter) draw(t *testing.T, name string) func(i int) (verbatim.Item, error) {
	f, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return func(i int) (verbatim.Item, error) {
		c.drawn++
		c.waiting++
		return drawItem(f, verbatim.Parameters{Length: verbatim.Lengths{Min: 16, Max: 16}}, 1, i)
	}
}

// TestReleaseIsStreamed: each list and each rule is written before the next one is drawn, so that
// memory does not grow with their number.
func TestReleaseIsStreamed(t *testing.T) {
	const n = 30
	var lists, rules drawCounter
	if err := writeLists(&lists, n, lists.draw(t, "sort-int"), verbatim.Standard); err != nil {
		t.Fatal(err)
	}
	if err := writeRules(&rules, n, rules.draw(t, "hard-columns")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]drawCounter{"lists": lists, "rules": rules} {
		if c.drawn != n || c.first != 1 || c.most != 1 {
			t.Errorf("%s: %d items drawn, want %d; %d before the first write and %d between two, want 1", name, c.drawn, n, c.first, c.most)
		}
	}
}

// TestRulesAreSorted: the keys of the rules are in the order of their texts.
func TestRulesAreSorted(t *testing.T) {
	var b strings.Builder
	if err := writeRules(&b, 12, new(drawCounter).draw(t, "hard-columns")); err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, key := range []string{"list_1", "list_10", "list_11", "list_12", "list_2", "list_9"} {
		at := strings.Index(b.String(), `"`+key+`":`)
		if at <= last {
			t.Errorf("%s is at byte %d, behind byte %d", key, at, last)
		}
		last = at
	}
}
