package task

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
)

// publishedName is the name of SortBench's published lists in plans, and publishedHash the hash of
// their items. Another release has other items under the same file names, so its items get other ids.
const (
	publishedName = "sortbench:v1.0"
	publishedHash = "10c61c1811db894de1cb5e9cffe3e74d4ab3b5d1893054e8d7e34d26de40024a"
)

// PublishedLists reads SortBench's published lists from a folder: a checkout of the published
// repository (benchmark_data/), a folder with lists/, or the files themselves, plain or compressed with
// gzip. Items are named as in "sortbench:v1.0/basic/Int-0:1000/16/list_3", and sorted by mode, task,
// length and number. The hash of the ItemFile is that of their content. If the lists are not exactly
// the 1,440 published ones, the ids have the start of that hash, as in "sortbench:v1.0-5f0c9d2e/basic/…".
func PublishedLists(dir string) (*verbatim.ItemFile, []verbatim.Item, error) {
	files, err := listFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	var items []verbatim.Item
	for _, f := range files {
		lists, err := f.read()
		if err != nil {
			return nil, nil, misuse("the files of lists are like the published ones: {\"list_1\": [2, 1], …}", "%s: %w", f.path, err)
		}
		for _, l := range lists {
			items = append(items, f.item(l))
		}
	}
	hash, err := hashItems(items)
	if err != nil {
		return nil, nil, err
	}
	if hash != publishedHash {
		for i := range items {
			release, rest, _ := strings.Cut(items[i].ID, "/")
			items[i].ID = release + "-" + hash[:8] + "/" + rest
		}
	}
	return &verbatim.ItemFile{Name: publishedName, SHA256: hash, N: len(items)}, items, nil
}

// hashItems returns the hash of items in their order, in hex.
func hashItems(items []verbatim.Item) (string, error) {
	sum := sha256.New()
	for i := range items {
		if err := WriteItem(sum, &items[i]); err != nil {
			return "", fmt.Errorf("%s: %w", items[i].ID, err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// PartOfLists returns the published lists that have the suite, tasks and lengths of a request: the
// first ones of each task and length, as many as it has items. A request without these selects all. A
// part has its own name and hash; its items keep their ids.
func PartOfLists(file *verbatim.ItemFile, items []verbatim.Item, q Request) (*verbatim.ItemFile, []verbatim.Item, error) {
	suite, err := findSuite(cmp.Or(q.Suite, "sortbench"))
	if err != nil || !suite.published {
		return file, items, err // the plan refuses another suite
	}
	cells, err := suite.part(verbatim.Reference, q)
	if err != nil {
		return nil, nil, err
	}
	asked := map[string]int{} // by task and length
	part := slices.DeleteFunc(slices.Clone(items), func(it verbatim.Item) bool {
		name, length := it.Facts[verbatim.FactFamily], it.Facts[verbatim.FactLength]
		i := slices.IndexFunc(cells, func(c verbatim.Cell) bool { return c.Family == name && strconv.Itoa(c.Length.Min) == length })
		if i < 0 || q.Items > 0 && asked[name+" "+length] == q.Items {
			return true
		}
		asked[name+" "+length]++
		return false
	})
	if len(part) == len(items) {
		return file, items, nil
	}
	hash, err := hashItems(part)
	if err != nil {
		return nil, nil, err
	}
	return &verbatim.ItemFile{Name: file.Name + partOfSuite, SHA256: hash, N: len(part)}, part, nil
}

// item returns the item of a list, with the prompt of the published code.
func (f listFile) item(l publishedList) verbatim.Item {
	it := sortItem(l.items, listText(l.items, verbatim.Reference))
	it.ID = fmt.Sprintf("sortbench:%s/%s/%s/%d/list_%d", f.version, f.family.Mode, f.family.Task, f.length, l.n)
	it.Grader = "sortbench-reference"
	it.Facts = map[string]string{
		verbatim.FactFamily:  f.family.Name,
		verbatim.FactLength:  strconv.Itoa(f.length),
		verbatim.FactEdition: string(verbatim.Reference),
		verbatim.FactTask:    f.family.Task,
		verbatim.FactMode:    f.family.Mode,
		verbatim.FactList:    "list_" + strconv.Itoa(l.n),
	}
	return it
}

// SortBenchName returns SortBench's name of the task of a family; "" without one.
func SortBenchName(family string) string {
	f, err := Find(family)
	if err != nil {
		return ""
	}
	return f.Task
}

// OfSortBench returns the family of a task of SortBench, by the published spelling of its
// name; "" if it is unknown.
func OfSortBench(_, name string) string {
	f, err := Find(name)
	if err != nil {
		return ""
	}
	return f.Name
}

// A listFile is one of SortBench's files of lists, as its name describes it.
type listFile struct {
	path    string
	version string // "v1.0"
	family  verbatim.Family
	length  int
}

// A publishedList is a list of a file.
type publishedList struct {
	n     int // of its name list_n
	items []any
}

// listFiles returns the files of lists of a release, in the order of their items.
func listFiles(dir string) ([]listFile, error) {
	for _, sub := range []string{"benchmark_data", "lists", "."} {
		entries, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil && (sub == "." || !errors.Is(err, fs.ErrNotExist)) {
			return nil, misuse(acceptedFolders, "the published lists cannot be read: %w", err)
		}
		var files []listFile
		for _, e := range entries {
			f, err := parseListFile(filepath.Join(dir, sub, e.Name()))
			if err != nil {
				return nil, err
			}
			if f.length > 0 && !e.IsDir() {
				files = append(files, f)
			}
		}
		if len(files) > 0 {
			return files, sortListFiles(files)
		}
	}
	return nil, misuse(acceptedFolders, "%s holds no lists of SortBench", dir)
}

// sortListFiles orders files by mode, task and length. Two files of one task and length are an error.
func sortListFiles(files []listFile) error {
	slices.SortStableFunc(files, func(a, b listFile) int {
		return cmp.Or(strings.Compare(a.family.Mode, b.family.Mode), strings.Compare(a.family.Task, b.family.Task),
			cmp.Compare(a.length, b.length), strings.Compare(a.version, b.version))
	})
	for i := 1; i < len(files); i++ {
		a, b := files[i-1], files[i]
		if a.family.Name == b.family.Name && a.length == b.length {
			return misuse("name a folder with one release of lists", "%s and %s are the same task and length", a.path, b.path)
		}
	}
	return nil
}

// acceptedFolders is the hint for a folder without lists.
const acceptedFolders = "name a checkout of the published repository, which has the folder benchmark_data, or a folder with files such as sortbench_basic_v1.0_English_016.json"

// listFileName matches the names of files of lists. A release for file systems without colons has "-"
// in their place.
var listFileName = regexp.MustCompile(`^sortbench_(?:basic|advanced|debug)_(v[0-9.]+)_([^_]+)_(\d{1,6})\.json(?:\.gz)?$`)

// parseListFile reads the name of a file of lists. For other files it returns the length 0.
func parseListFile(path string) (listFile, error) {
	m := listFileName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return listFile{}, nil
	}
	f, err := Find(m[2])
	if err != nil {
		return listFile{}, fmt.Errorf("%s: %w", path, err)
	}
	length, err := strconv.Atoi(m[3])
	return listFile{path, m[1], f, length}, err
}

// read reads the lists of a file, in the order of their numbers.
func (f listFile) read() ([]publishedList, error) {
	data, err := readMaybeGzip(f.path)
	if err != nil {
		return nil, err
	}
	var answers map[string]verbatim.Answer
	if err := json.Unmarshal(data, &answers); err != nil {
		return nil, err
	}
	lists := make([]publishedList, 0, len(answers))
	for name, a := range answers {
		n, err := strconv.Atoi(strings.TrimPrefix(name, "list_"))
		if err != nil || name != "list_"+strconv.Itoa(n) {
			return nil, fmt.Errorf("%q is not a name such as list_1", name)
		}
		if err := f.check(a); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		lists = append(lists, publishedList{n, a.List})
	}
	slices.SortStableFunc(lists, func(a, b publishedList) int { return cmp.Compare(a.n, b.n) })
	return lists, nil
}

// check returns an error for a list whose length is not that of the file's name, and for items that
// Python cannot compare with each other.
func (f listFile) check(a verbatim.Answer) error {
	if !a.IsList() {
		return errors.New("it is not a list")
	}
	if len(a.List) != f.length {
		return fmt.Errorf("it has %d items, and the file's name says %d", len(a.List), f.length)
	}
	for i, v := range a.List {
		switch v.(type) {
		case int64, float64, string:
		default:
			return fmt.Errorf("item %d is neither a number nor a string", i+1)
		}
		if fmt.Sprintf("%T", v) != fmt.Sprintf("%T", a.List[0]) {
			return fmt.Errorf("item %d is of another type than the first", i+1)
		}
	}
	return nil
}

// mostUnpacked bounds the size of an unpacked file, in bytes.
const mostUnpacked = 256 << 20

// readMaybeGzip returns the content of a file. It unpacks files whose names end in .gz.
func readMaybeGzip(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return data, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, mostUnpacked+1))
	if err == nil && len(out) > mostUnpacked {
		err = fmt.Errorf("it unpacks to more than %d MiB", mostUnpacked>>20)
	}
	return out, err
}

// WriteSortBench writes the lists of a plan into dir as a release of SortBench, and returns the number
// of files. For each task and length it writes a file with the name, the layout and the compression of
// the published ones, which SortBench's own loader and PublishedLists read. On Windows, names have "-"
// in place of ":". Next to a file of the hard tasks is one whose name ends in "_rules": it has the rule
// of each list, the sorted list, the foreseen mistakes and the facts. It is an error if a file exists
// already, so that no release is mixed with another.
func WriteSortBench(ctx context.Context, dir string, p verbatim.Plan, release string) (n int, err error) {
	if err := releasable(p, release); err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, fmt.Errorf("write the lists: %w", err)
	}
	var written []string
	defer func() {
		if err != nil { // the rest of a release would be an error for the next attempt
			for _, path := range written {
				os.Remove(path)
			}
		}
	}()
	for _, c := range p.Cells {
		files, err := releaseFiles(p, c, release)
		if err := errors.Join(ctx.Err(), err); err != nil {
			return 0, err
		}
		for _, file := range files {
			path := filepath.Join(dir, file.name)
			if err := writeNew(path, file.write); err != nil {
				return 0, err
			}
			written = append(written, path)
		}
	}
	return len(written), nil
}

// releaseNumber matches the number of a release, such as v1.0.
var releaseNumber = regexp.MustCompile(`^v[0-9]+(\.[0-9]+)*$`)

// releasable refuses plans that cannot be written as SortBench's files.
func releasable(p verbatim.Plan, release string) error {
	if !releaseNumber.MatchString(release) {
		return misuse("write v2.0", "%q is not the number of a release", release)
	}
	if p.Items != nil {
		return misuse("draw them with --suite or --task", "items that exist already are no new release")
	}
	for _, c := range p.Cells {
		if f, err := Find(c.Family); err != nil || f.Task == "" {
			return misuse("name tasks that sort, such as 'sort-*' or 'hard-*'", "SortBench's files hold lists to be sorted, not items of %s", c.Family)
		}
	}
	return nil
}

// A releaseFile is a file of a release. It is written while its lists are drawn, so that memory does
// not grow with their number.
type releaseFile struct {
	name  string
	write func(w io.Writer) error
}

// releaseFiles returns the files of a task and length, by name.
func releaseFiles(p verbatim.Plan, c verbatim.Cell, release string) ([]releaseFile, error) {
	f, err := Find(c.Family)
	if err != nil {
		return nil, err
	}
	var indexes []int
	if c.Distinct {
		if indexes, err = distinctIndexes(f, c, p.Edition, p.Seed); err != nil {
			return nil, err
		}
	}
	draw := func(i int) (verbatim.Item, error) {
		if indexes != nil {
			i = indexes[i]
		}
		return drawItem(f, verbatim.Parameters{Length: c.Length, Edition: p.Edition}, p.Seed, i)
	}
	files := []releaseFile{{releaseName(f, release, c.Length.Min, "", runtime.GOOS), func(w io.Writer) error { return writeLists(w, c.N, draw, p.Edition) }}}
	if f.Mode == hardMode {
		files = append(files, releaseFile{releaseName(f, release, c.Length.Min, "_rules", runtime.GOOS), func(w io.Writer) error { return writeRules(w, c.N, draw) }})
	}
	return files, nil
}

// writeRules writes the rule of each list, as one JSON object in the order of its keys.
func writeRules(w io.Writer, n int, draw func(i int) (verbatim.Item, error)) error {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(listKey(a), listKey(b)) })
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for place, i := range order {
		it, err := draw(i)
		if err != nil {
			return err
		}
		if place > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + listKey(i) + `":`)
		if err := enc.Encode(map[string]any{"messages": it.Prompt, "sorted": it.Want, "mistakes": it.Mistakes, "facts": it.Facts}); err != nil {
			return fmt.Errorf("write the rules: %w", err)
		}
		b.Truncate(b.Len() - 1) // its newline
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
		b.Reset()
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// listKey returns the name of a list in its file.
func listKey(i int) string { return "list_" + strconv.Itoa(i+1) }

// releaseName returns the name of a file of lists for an operating system.
func releaseName(f verbatim.Family, release string, length int, end, system string) string {
	name := fmt.Sprintf("sortbench_%s_%s_%s_%03d%s.json.gz", f.Mode, release, f.Task, length, end)
	if system == "windows" {
		name = strings.ReplaceAll(name, ":", "-")
	}
	return name
}

// writeNew writes a new file, compressed with gzip without a time or a name.
func writeNew(path string, write func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return misuse("name a new or empty folder", "%s exists already", path)
	}
	if err != nil {
		return fmt.Errorf("write the lists: %w", err)
	}
	z := gzip.NewWriter(f)
	err = write(z)
	if err = errors.Join(err, z.Close(), f.Close()); err != nil {
		os.Remove(path)
		return fmt.Errorf("write the lists: %w", err)
	}
	return nil
}

// writeLists writes the lists in the form of Python's json.dump. Numbers are as in the prompts of the
// edition.
func writeLists(w io.Writer, n int, draw func(i int) (verbatim.Item, error), edition verbatim.Edition) error {
	b := []byte("{")
	for i := range n {
		it, err := draw(i)
		if err != nil {
			return err
		}
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, `"`+listKey(i)+`": `...)
		b = appendReleased(b, it.Source.List, edition)
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err := w.Write(append(b, '}'))
	return err
}

// appendReleased appends a list or one of its items.
func appendReleased(b []byte, v any, edition verbatim.Edition) []byte {
	switch v := v.(type) {
	case string:
		return rawjson.AppendASCII(b, v)
	case []any:
		b = append(b, '[')
		for i, x := range v {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendReleased(b, x, edition)
		}
		return append(b, ']')
	case float64:
		if edition == verbatim.Paper {
			return append(b, plainDecimal(v, 64)...)
		}
	}
	return pylit.Append(b, v)
}
