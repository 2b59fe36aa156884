package grade

import (
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
