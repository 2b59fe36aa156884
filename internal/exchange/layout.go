package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A listFile is a file of lists or of results, named
// sortbench_{mode}_{version}_{task}_{length}.json, with or without .gz.
type listFile struct {
	path    string
	mode    string // "basic", "advanced" or "debug"
	version string // "v1.0"
	task    string // in the published spelling
	length  int
}

// layouts returns the two layouts of a benchmark with its results: the names of the folders of
// lists and of outputs.
func layouts() [][2]string {
	return [][2]string{{"benchmark_data", "benchmark_results"}, {"lists", "outputs"}}
}

const accepted = "a checkout of the published repository (with benchmark_data and benchmark_results), or a folder with lists and outputs"

// findLayout returns the folders of lists and of outputs in path. If there are chats, outputs may
// be missing: then it is "".
func findLayout(path string, chats bool) (lists, outputs string, err error) {
	for _, l := range layouts() {
		lists, outputs = filepath.Join(path, l[0]), filepath.Join(path, l[1])
		noLists, noOutputs := isFolder(lists), isFolder(outputs)
		switch {
		case noLists == nil && noOutputs == nil:
			return lists, outputs, nil
		case noLists == nil && chats:
			return lists, "", nil
		case noLists == nil:
			return "", "", fmt.Errorf("%s has %s but no %s: want %s", path, l[0], l[1], accepted)
		case noOutputs == nil:
			return "", "", fmt.Errorf("%s has %s but no %s: want %s", path, l[1], l[0], accepted)
		}
	}
	if base := filepath.Base(path); slices.ContainsFunc(layouts(), func(l [2]string) bool { return base == l[0] || base == l[1] }) {
		return "", "", fmt.Errorf("%s is one of two folders: name the folder that has both, %s", path, filepath.Dir(path))
	}
	return "", "", fmt.Errorf("%s holds no SortBench results: want %s", path, accepted)
}

// findLists returns the folder of lists in path, or path itself if it has none.
func findLists(path string) (string, error) {
	if err := isFolder(path); err != nil {
		return "", err
	}
	for _, l := range layouts() {
		if dir := filepath.Join(path, l[0]); isFolder(dir) == nil {
			return dir, nil
		}
	}
	return path, nil
}

// isFolder returns an error unless path is a folder.
func isFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", path)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file: want %s", path, accepted)
	}
	return nil
}

// listFiles returns the list files of a folder in the order of version, mode, task and length. It
// ignores other files.
func listFiles(dir string) ([]listFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []listFile
	seen := make(map[string]string)
	for _, e := range entries {
		f, ok := parseName(fileName, e.Name())
		if !ok || e.IsDir() {
			continue
		}
		f.path = filepath.Join(dir, e.Name())
		if other, twice := seen[f.key()]; twice {
			return nil, fmt.Errorf("%s: %s and %s are the same lists", dir, other, e.Name())
		}
		seen[f.key()] = e.Name()
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no files named sortbench_MODE_VERSION_TASK_LENGTH.json or .json.gz", dir)
	}
	slices.SortStableFunc(files, func(a, b listFile) int {
		return strings.Compare(a.order(), b.order())
	})
	return files, nil
}

var fileName = regexp.MustCompile(`^sortbench_([a-z]+)_([^_]+)_([^_]+)_(\d{1,9})\.json(?:\.gz)?$`)

// parseName returns the listFile of a file name that a pattern, fileName or chatName, matches.
func parseName(pattern *regexp.Regexp, name string) (listFile, bool) {
	m := pattern.FindStringSubmatch(name)
	if m == nil {
		return listFile{}, false
	}
	n, err := strconv.Atoi(m[4])
	return listFile{mode: m[1], version: m[2], task: published(m[3]), length: n}, err == nil
}

// key identifies the lists of a file, and begins the ids of their items.
func (f listFile) key() string {
	return f.version + "/" + f.mode + "/" + f.task + "/" + strconv.Itoa(f.length)
}

// order is the key by which list files are sorted.
func (f listFile) order() string {
	return fmt.Sprintf("%s/%s/%s/%09d", f.version, f.mode, f.task, f.length)
}

// published returns the published spelling of a task's name. In a file name, a hyphen may replace
// a colon, which Windows does not allow there.
func published(task string) string {
	for _, t := range []string{
		"Int-0:1000", "Float-0:1000", "Float-0:0.0001", "Float-10000000:10001000", "Int-n1000:1000", "Integers-10000000:10001000",
	} { // all published names with a colon; Float-n1000-1000 has none
		if task == strings.ReplaceAll(t, ":", "-") {
			return t
		}
	}
	return task
}
