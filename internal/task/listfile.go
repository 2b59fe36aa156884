package task

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

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
