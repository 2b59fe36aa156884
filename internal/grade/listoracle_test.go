package grade

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/oracle"
	"verbatim/internal/pylit"
)

// A published output with what the reference scorer says of it.
type publishedOutput struct {
	row    map[string]string
	item   *verbatim.Item
	output string
}

// publishedOutputs reads all outputs of the oracle, those of one item one after
// the other.
func publishedOutputs(tb testing.TB) []publishedOutput {
	dir := oracle.Path(tb, "sortbench-v1.0")
	rows := map[[5]string]map[string]string{}
	var order [][5]string
	for _, row := range readCSV(tb, filepath.Join(dir, "reference_lists_1-5.csv.gz")) {
		k := [5]string{row["mode"], row["task"], row["length"], row["list"], row["model"]}
		if rows[k] != nil {
			tb.Fatalf("two rows for %v", k)
		}
		rows[k] = row
		order = append(order, k)
	}
	outputs := map[[5]string]publishedOutput{}
	for _, path := range glob(tb, filepath.Join(dir, "outputs", "*.json.gz")) {
		name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
		mode, rest, _ := strings.Cut(strings.TrimPrefix(name, "sortbench_"), "_v1.0_")
		task, length := rest[:len(rest)-4], strings.TrimLeft(rest[len(rest)-3:], "0")
		var file struct {
			Lists   map[string]verbatim.Answer `json:"unsorted_lists"`
			Results []struct {
				Model  string            `json:"model"`
				Sorted map[string]string `json:"sorted_lists"`
			} `json:"results"`
		}
		readJSON(tb, path, &file)
		items := map[string]*verbatim.Item{}
		for list, answer := range file.Lists {
			items[list] = sortItem(tb, mode, answer)
		}
		for _, result := range file.Results {
			for list, output := range result.Sorted {
				k := [5]string{mode, task, length, list, result.Model}
				outputs[k] = publishedOutput{rows[k], items[list], output}
			}
		}
	}
	var all []publishedOutput
	for _, k := range order {
		o, ok := outputs[k]
		if !ok || o.item == nil {
			tb.Fatalf("no output for %v", k)
		}
		all = append(all, o)
	}
	if len(all) != 5040 || len(outputs) != 5040 {
		tb.Fatalf("%d rows and %d outputs, want 5040", len(all), len(outputs))
	}
	return all
}

// sortItem returns the item of a published list.
func sortItem(tb testing.TB, mode string, source verbatim.Answer) *verbatim.Item {
	values, err := pylit.FromList(source.List)
	if err != nil {
		tb.Fatal(err)
	}
	want := make([]any, len(values))
	for i, v := range sorted(values) {
		want[i], _ = v.Any()
	}
	return &verbatim.Item{
		Want: verbatim.ListAnswer(want), Source: &source, Grader: "sortbench-reference",
		Facts: map[string]string{verbatim.FactMode: mode},
	}
}

func readCSV(tb testing.TB, path string) []map[string]string {
	records, err := csv.NewReader(strings.NewReader(readGzip(tb, path))).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func readJSON(tb testing.TB, path string, into any) {
	if err := json.Unmarshal([]byte(readGzip(tb, path)), into); err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
}

func readJSONFile(tb testing.TB, path string, into any) {
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
}

func readGzip(tb testing.TB, path string) string {
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func glob(tb testing.TB, pattern string) []string {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no files %s: %v", pattern, err)
	}
	return paths
}

// TestListPublished compares the verdict, the counts and the scores of every output
// with the reference scorer's.
func TestListPublished(t *testing.T) {
	scratch := new(Scratch)
	for _, o := range publishedOutputs(t) {
		j, err := newListJudge(o.item)
		if err != nil {
			t.Fatal(err)
		}
		for column, got := range referenceColumns(j.SortBench(o.output, scratch), o.row["mode"]) {
			if !sameCell(got, o.row[column]) {
				t.Errorf("%s %s %s %s %s: %s is %q, want %q", o.row["mode"], o.row["task"], o.row["length"],
					o.row["list"], o.row["model"], column, got, o.row[column])
			}
		}
	}
}

// referenceColumns returns what the reference file says, by its columns.
func referenceColumns(s SortBench, mode string) map[string]string {
	title := func(b bool) string { return map[bool]string{true: "True", false: "False"}[b] }
	row := map[string]string{
		"parsed": title(s.Parsed), "error_type": s.ErrorType, "is_list": title(s.IsList),
		"has_ellipsis": title(s.HasEllipsis), "required_cast": title(s.RequiredCast),
	}
	m := s.measures(mode)
	for _, column := range []string{"unordered_pairs", "unordered_neighbors", "missing", "additional", "output_items",
		"validity", "sorting", "faithfulness", "sortbench", "sorting_published", "sortbench_published"} {
		row[column] = ""
		if x, ok := m[column]; ok {
			row[column] = strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return row
}

// sameCell compares texts exactly and numbers to 1e-12.
func sameCell(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return a == b
	}
	return math.Abs(x-y) <= 1e-12
}

func sorted(values []pylit.Value) []pylit.Value {
	values = slices.Clone(values)
	slices.SortStableFunc(values, func(a, b pylit.Value) int {
		return bytes.Compare(pylit.AppendKey(nil, a), pylit.AppendKey(nil, b))
	})
	return values
}

// A judgedOutput is a line of ../extract/testdata/published.jsonl: where the answer of a
// published output begins, as a reader judged before the grader saw it.
type judgedOutput struct {
	Mode   string `json:"mode"`
	Task   string `json:"task"`
	Length string `json:"length"`
	List   string `json:"list"`
	Model  string `json:"model"`
	At     int    `json:"at"` // where the answer, a list, begins; -1 without one
}

// TestJudgedPublished compares the grades of published outputs with what a reader said of
// them before.
func TestJudgedPublished(t *testing.T) {
	outputs := map[judgedOutput]publishedOutput{}
	for _, o := range publishedOutputs(t) {
		outputs[judgedOutput{Mode: o.row["mode"], Task: o.row["task"], Length: o.row["length"], List: o.row["list"], Model: o.row["model"]}] = o
	}
	file, err := os.Open(filepath.Join("extract", "testdata", "published.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	replies, given := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); replies++ {
		var j judgedOutput
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			t.Fatal(err)
		}
		at := j.At
		j.At = 0
		o, ok := outputs[j]
		if !ok {
			t.Fatalf("no output for %+v", j)
		}
		right := false
		if at >= 0 {
			given++
			answer, _, ok := new(pylit.Parser).Prefix(o.output[at:])
			want, err := pylit.FromList(o.item.Want.List)
			if !ok || err != nil {
				t.Fatalf("%+v: no list at %d: %v", j, at, err)
			}
			right = pylit.Equal(answer, pylit.MakeList(want))
		}
		item := *o.item
		item.Grader = "list"
		if g := gradeOf(&item, o.output, verbatim.FinishStop); g.Extracted != right {
			t.Errorf("%+v: reader %v, grader %v (%s, rule %q): %.300q", j, right, g.Extracted, g.Label, g.Rule, o.output[max(0, len(o.output)-300):])
		}
	}
	if replies < 60 || given < 50 {
		t.Errorf("%d outputs, %d with an answer", replies, given)
	}
}

// A readingCase is a reply and what the published parser reads in it.
type readingCase struct {
	reply string
	kind  pylit.Kind // of the items that were given
	list  string     // as Python prints it; none when nothing is parsed
	// errorType may stand without a list: the repair found something else.
	errorType string
	flags     string // l: it was a list, e: it had an ellipsis, c: a cast was needed
}

// readingCases are the odd paths of the published parser: indices of -1 that are
// used as they are, exceptions that are swallowed after a value was kept, and
// repairs that find unintended lists.
var readingCases = []readingCase{
	// Literals, tuples, ellipses, casts, reasoning.
	{"[3, 1, 2]", pylit.Int, "[3, 1, 2]", "", "l"},
	{"[]", pylit.Int, "[]", "", "l"},
	{" \t[1]\n", pylit.Int, "[1]", "", "l"},
	{"[1]\n ", pylit.Int, "[1]", "Invalid newlines in list", "l"},
	{"[1, 2]  # sorted", pylit.Int, "[1, 2]", "", "l"},
	{"([1, 2])", pylit.Int, "[1, 2]", "", "l"},
	{"[1, '2', 3.9, True]", pylit.Int, "[1, 2, 3, 1]", "", "lc"},
	{"[1, 'x']", pylit.Int, "", "", "c"},
	{"[1, None]", pylit.Int, "", "", "c"},
	{"['1', 2]", pylit.Str, "['1', '2']", "", "lc"},
	{"[1.5, [2], ('a',)]", pylit.Str, "['1.5', '[2]', \"('a',)\"]", "", "lc"},
	{"[1, ..., 2]", pylit.Int, "[1, 2]", "", "le"},
	{"[...]", pylit.Int, "[]", "", "le"},
	{"...", pylit.Int, "", "", ""},
	{"1", pylit.Int, "", "", ""},
	{"None", pylit.Int, "", "", ""},
	{"'[1, 2]'", pylit.Int, "", "", ""},
	{"{1, 2}", pylit.Int, "", "", ""},
	{"('a', 'b')", pylit.Str, "['a', 'b']", "", ""},
	{"(1, 2)", pylit.Int, "", "", ""},
	{"([1, 2], [3])", pylit.Int, "[1, 2]", "", ""},
	{"[1, 2], [3, 4],", pylit.Int, "[1, 2]", "", ""},
	{"[1, 2], 3", pylit.Int, "", "", ""},
	{"(1, [2],", pylit.Int, "[2]", "Content after last closing bracket", "l"},
	{"[1], [2]", pylit.Int, "", "", ""},
	{"()", pylit.Int, "", "", ""},
	{"input()[1, 2]", pylit.Int, "[1, 2]", "", "l"},
	{"[1, input()2]", pylit.Int, "[1, 2]", "", "l"},
	{"in[1, 2]put()", pylit.Int, "[1, 2]", "Content after last closing bracket", "l"},
	{"<think>[9]</think>\n\nHere: [1, 2]", pylit.Int, "[1, 2]", "", "l"},
	{"<think></think>[1, 2]\n ", pylit.Int, "[1, 2]", "", "l"},
	{"<think>[1, 2]", pylit.Int, "[1, 2]", "", "l"},
	{"<think></think>**[1, 2]**", pylit.Int, "[1, 2]", "", "l"},
	{"<think>a</think>b</think>[1, 2]", pylit.Int, "[1, 2]", "", "l"},
	{"x<think>a</think>[1, 2]", pylit.Int, "[1, 2]", "Content after last closing bracket", "l"},
	{"<think>a</think>none", pylit.Int, "", "", ""},
	// Repairs of texts with brackets.
	{"[1, 2, 3", pylit.Int, "[1, 2]", "Missing closing bracket", "l"},
	{"[1, 2]\nThe list is sorted.", pylit.Int, "[1]", "Missing closing bracket", "l"},
	{"[1]\nThe list is sorted.", pylit.Int, "[1]", "Content after last closing bracket", "l"},
	{"[1", pylit.Int, "[]", "Content before list without closing bracket", "l"},
	{"[1, 2..., ...]", pylit.Int, "[1, 2]", "Incomplete list items at the end", "l"},
	{"[579.15..., 2.0]", pylit.Float, "[579.15, 2.0]", "Incomplete list items at the end", "l"},
	{"[1..., ...] ", pylit.Int, "", "", "c"},
	{"['a', 'b, 'c', 'd", pylit.Str, "['a', 'b', 'c']", "Missing closing bracket and broken quotes", "l"},
	{"[a, b, c", pylit.Str, "['a', 'b']", "Missing closing bracket and broken quotes", "l"},
	{"[AJUg, AwuOy, ẞgWam]", pylit.Str, "['AJUg', 'AwuOy']", "Missing closing bracket and broken quotes", "l"},
	{"[a, b]", pylit.Int, "", "", "c"},
	{"['a', 'b\nb', 'c']", pylit.Str, "['a', 'b b', 'c']", "Invalid newlines in list", "l"},
	{"['a', 'it's', 'c']", pylit.Str, "['a', 'its']", "Missing closing bracket and broken quotes", "l"},
	{"['a', 'it's\nb', 'c']", pylit.Str, "['a', 'its b', 'c']", "Broken quotes and invalid newlines", "l"},
	{"['it's\n']", pylit.Str, "", "", ""},
	{"[1, 2] [3, 4]", pylit.Int, "[3, 4]", "Content after last closing bracket", "l"},
	{"Here's the sorted list:\n\n['a', 'b']", pylit.Str, "['a', 'b']", "Content after last closing bracket", "l"},
	{"Sorted: [1, 2] done [3]", pylit.Int, "[3]", "Content after last closing bracket", "l"},
	{"text ] more", pylit.Int, "", "", ""},
	{"['it's]", pylit.Str, "['its']", "Broken quotes", "l"},
	{"[1, 2]], [3, 4]] x", pylit.Int, "[1, 2]", "Multiple closing brackets, valid list before first closing bracket", "l"},
	{"x ]\n[[1], [2]]", pylit.Str, "['[1]', '[2]']", "Content before list", "lc"},
	{"][", pylit.Int, "", "String list without quotes", ""},
	{"a [b", pylit.Int, "", "", ""},
	{"[1, 2, 3]]] rest", pylit.Int, "[1, 2]", "Missing closing bracket", "l"},
	{"[1, 2] and ]", pylit.Int, "[1]", "Missing closing bracket", "l"},
	{"['', 'a'] x]", pylit.Str, "['']", "Missing closing bracket", "l"},
	{"[1] and ]", pylit.Int, "", "", ""},
	{"5] x]", pylit.Int, "", "", ""},
	{"7 ]", pylit.Int, "", "", ""},
	{"The list: \n[1, 2\nand more", pylit.Int, "", "", ""},
	{"Some talk\n[1, 2]", pylit.Int, "[1, 2]", "Content after last closing bracket", "l"},
	{"So, this\n[ 1, 2, x ] y\n[1, 2]", pylit.Int, "[1, 2]", "Content after last closing bracket", "l"},
	{"a ]\n[1, 2", pylit.Int, "[1]", "Content before list without closing bracket", "l"},
	{"a\n[1", pylit.Int, "[]", "Content before list without closing bracket", "l"},
	{"é]\n[é", pylit.Str, "[]", "Content before list without closing bracket", "l"},
	{"a\n[1, 2, 3\\]", pylit.Int, "[1, 2]", "Content before list without closing bracket", "l"},
	{"a\n1, 2, 3\n\\]", pylit.Int, "[1, 2, 3]", "List as latex", "l"},
	{"\\[\n\\boxed{[1, 2]}\n\\]", pylit.Int, "[1, 2]", "List as latex", "l"},
	{"\\[\n\\boxed{1, 2}\n\\]", pylit.Int, "[1, 2]", "List as latex", "l"},
	{"\\[1, 2\\]", pylit.Int, "", "", ""},
	{"\\[12, 12\\]", pylit.Int, "", "", ""},
	{"[\n1, 2\n\\]\nmore", pylit.Int, "[1]", "Missing closing bracket", "l"},
	{"[\n\\boxed{1, 2\n\\]\nmore", pylit.Int, "[1, 2]", "List as latex with additional content after list", "l"},
	{"x ]\n\\[\n1, 2\n\\]", pylit.Int, "[1, 2]", "List as latex with additional content before list", "l"},
	{"x\ny ]\n\\[1, 2\\]", pylit.Int, "[1, 2]", "List as latex with additional content before list", "l"},
	{"x\n\\[1, 2\\]", pylit.Int, "", "", ""},
	{"x\n\n\\[1\\]", pylit.Int, "[1]", "List as latex with additional content before list", "l"},
	{"x\n5\n\\]", pylit.Int, "", "", ""},
	{"[5\n]#", pylit.Int, "[5]", "", "l"},
	{"[1, 2]\r\n", pylit.Int, "[1, 2]", "", "l"},
	{"[\r\n1,\r\n2\r\n", pylit.Int, "[1]", "Missing closing bracket", "l"},
	{"[1,\n# and so on\n]", pylit.Int, "[1]", "", "l"},
	// Repairs of texts without brackets.
	{"1. a\n2. b", pylit.Str, "['a', 'b']", "Numbered, line-wise list", "l"},
	{"1. **a**  \n2. b c\n\nDone.", pylit.Str, "['**a**', 'b']", "Numbered, line-wise list", "l"},
	{"1. a\nx\n2. b\nx\nx\nx", pylit.Str, "['b']", "Numbered, line-wise list", "l"},
	{"1. a\nx\nx\nx\nx", pylit.Str, "", "", ""},
	{"  1. a\n 2. b", pylit.Str, "['', '2.']", "Numbered, line-wise list", "l"},
	{"\t1. a", pylit.Str, "['a']", "Numbered, line-wise list", "l"},
	{"١. a", pylit.Str, "['a']", "Numbered, line-wise list", "l"},
	{"\u00b2. a", pylit.Str, "", "", ""},
	{"1.a\n2.b", pylit.Str, "", "", ""},
	{"1. 5\n2. 7", pylit.Int, "[5, 7]", "Numbered, line-wise list", "lc"},
	{"x\n3. y", pylit.Str, "['y']", "Numbered, line-wise list", "l"},
	{"```\na\nb\n```", pylit.Str, "['a', 'b']", "List in backticks", "l"},
	{"```python\na\n```", pylit.Str, "['python', 'a']", "List in backticks", "l"},
	{"```plaintext\n a \n b\n```", pylit.Str, "['a', 'b']", "List in backticks", "l"},
	{"a ``` b ``` c ``` d", pylit.Str, "['b ``` c']", "List in backticks", "l"},
	{"`````", pylit.Str, "", "", ""},
	{"``````", pylit.Str, "['']", "List in backticks", "l"},
	{"```plaintext```", pylit.Str, "['']", "List in backticks", "l"},
	{"````", pylit.Str, "", "", ""},
	{"\\boxed{1, 2}", pylit.Int, "", "", ""},
	{"\\boxed{a, b, c, d, e, f}", pylit.Str, "['a', 'b', 'c', 'd', 'e', 'f']", "Multi-line output with comma-separated list in last line", "l"},
	{"The sorted list is:\na,\nb,,\n\n c", pylit.Str, "['a', 'b,', 'c']", "Line-wise list with content berfore list", "l"},
	{"The sorted list\na", pylit.Str, "", "", ""},
	{" The sorted list:\n1\n2\n", pylit.Int, "[1, 2]", "Line-wise list with content berfore list", "lc"},
	{"x\n1, 2, 3, 4, 5, 6", pylit.Int, "[1, 2, 3, 4, 5, 6]", "Multi-line output with comma-separated list in last line", "lc"},
	{"1,2,3,4,5", pylit.Int, "", "", ""},
	{"1,2,3,4,5,6", pylit.Int, "", "", ""},
	{"a, b, c, d, e}, \\boxed{f", pylit.Str, "['a', 'b', 'c', 'd', 'e', 'f']", "Multi-line output with comma-separated list in last line", "l"},
	{"", pylit.Int, "", "", ""},
	{"   ", pylit.Int, "", "", ""},
	{"no list", pylit.Int, "", "", ""},
	{"7", pylit.Int, "", "", ""},
	{"'a'", pylit.Str, "", "", ""},
	{"1, 2", pylit.Int, "", "", ""},
	{"1, 2, 3, 4, 5, x", pylit.Int, "", "", "c"},
	// What has no length passes the checks of length; then odds and ends.
	{"No'ne #[", pylit.Int, "", "", ""},
	{"() #],", pylit.Int, "", "", ""}, // the published parser crashes
	{"x\\]", pylit.Int, "", "", ""},   // here too
	{"-'\n5 #[", pylit.Int, "", "Broken quotes and invalid newlines", ""},
	{"-\n5 #[", pylit.Int, "", "Invalid newlines in list", ""},
	{"\\\n5 #]\nfoo", pylit.Int, "", "Multiple closing brackets, valid list before first closing bracket", ""},
	{"\\\n'ab' #]\nfoo", pylit.Str, "", "Multiple closing brackets, valid list before first closing bracket", ""},
	{"\\\n'a' #]\nfoo", pylit.Str, "", "", ""},
	{"\\\n{'': 1, 'b': 2} #]\nfoo", pylit.Str, "", "", ""},
	{"\\\n{'a': '', 'b': ''} #]\nfoo", pylit.Str, "", "Multiple closing brackets, valid list before first closing bracket", ""},
	{"\\\n{1, 2} #]\nfoo", pylit.Str, "", "Multiple closing brackets, valid list before first closing bracket", ""},
	{"\\\n['a', ''] foo", pylit.Str, "['a']", "Missing closing bracket", "l"},
	{"\\\n['a', 'b'] foo]", pylit.Str, "['a']", "Missing closing bracket", "l"},
	{"-'\n'5', #[", pylit.Int, "", "", ""},
	{"x\n[1], [2, 3]\nx\\]", pylit.Int, "", "List as latex", ""},
	{"x #]\n7\n\\]", pylit.Int, "", "", ""},
	{"\\[\n7, 8\n\\]\nx", pylit.Int, "", "", ""},
	{"y ]\n\\[1, 2\\] \\[3\\]", pylit.Int, "", "", ""},
	{"[1, 2,\n[", pylit.Int, "[1, 2]", "Missing closing bracket", "l"},
	{"[0x10, 1_0, '12_3', ' 4 ', b'5']", pylit.Int, "[16, 10, 123, 4, 5]", "", "lc"},
	{"['1e3', 'nan', '-inf', '1_0.5', 7, True]", pylit.Float, "[1000.0, nan, -inf, 10.5, 7.0, 1.0]", "", "lc"},
	{"[1e400]", pylit.Int, "", "", "c"},
	{"['']", pylit.Int, "", "", "c"},
	{"[[]]", pylit.Float, "", "", "c"},
	{"1. x\r\n2. y\r\n", pylit.Str, "['x', 'y']", "Numbered, line-wise list", "l"},
	{"1. x\u001c\n2.\u00a0y", pylit.Str, "['x']", "Numbered, line-wise list", "l"},
	{"[1, 2]\u001c", pylit.Int, "[1]", "Missing closing bracket", "l"},
	{"\u00a0[1, 2]", pylit.Int, "[1, 2]", "Content after last closing bracket", "l"},
	{"[1,\u00a02]", pylit.Int, "[1]", "Missing closing bracket", "l"},
	{"[1\u20102, 3]", pylit.Int, "", "", "c"},
	{"[[1, 2], [3]]", pylit.Int, "", "", "c"},
	{"['a' 'b', 'c']", pylit.Str, "['ab', 'c']", "", "l"},
	{"[1, 2][0]", pylit.Int, "[1]", "Missing closing bracket", "l"},
	{"[x for x in range(10) if x % 2 == 0]", pylit.Str, "['x for x in range(10) if x % 2 == 0']", "String list without quotes", "l"},
	{"[-5595, -1539]\n\nThe list is already sorted in ascending order.", pylit.Int, "[-5595]", "Missing closing bracket", "l"},
	{"[5, 6, 'a'...]", pylit.Int, "[5, 6]", "Missing closing bracket", "l"},
	{"<think>\n[1\n</think>\n[ 1 , 2 ]", pylit.Int, "[1, 2]", "", "l"},
}

func TestListReading(t *testing.T) {
	reader := new(listReader)
	reached := map[string]bool{}
	for _, c := range readingCases {
		r := reader.read(c.reply, c.kind, true)
		list, flags := "", ""
		if r.parsed {
			list = pylit.MakeList(r.items).String()
			reached[r.repair.name] = true
		} else if r.trouble == "" {
			t.Errorf("%q is not parsed, without a reason", c.reply)
		}
		for flag, is := range map[string]bool{"l": r.isList, "e": r.ellipsis, "c": r.cast} {
			if is {
				flags += flag
			}
		}
		if list != c.list || r.repair.name != c.errorType || len(flags) != len(c.flags) || strings.Trim(flags, c.flags) != "" {
			t.Errorf("%q as %s:\n got %q %q %q\nwant %q %q %q", c.reply, c.kind, list, r.repair.name, flags, c.list, c.errorType, c.flags)
		}
	}
	for _, brackets := range []bool{true, false} {
		for _, repair := range repairs(brackets) {
			if !reached[repair.name] {
				t.Errorf("no case is repaired by %q", repair.name)
			}
		}
	}
}

// TestListReadingOfHugeInts: Python does not print ints of more than 4,300 digits.
func TestListReadingOfHugeInts(t *testing.T) {
	r := new(listReader).read("[0x"+strings.Repeat("f", 3600)+"]", pylit.Str, true)
	if r.parsed || !r.cast {
		t.Errorf("%+v", r)
	}
}
