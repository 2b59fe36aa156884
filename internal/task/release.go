package task

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/question"
	"verbatim/internal/rawjson"
	"verbatim/internal/task/hard"
)

// WriteSortBench writes the lists of a plan into dir as a release of SortBench: for each task and
// length a file that is named, laid out and packed as the published ones, which SortBench's own
// loader and PublishedLists read. Where file names cannot hold ":" it is written as "-". Next to
// a file of the hard tasks is one whose name ends in "_rules": what each list is to be sorted by,
// the sorted list, the wrong answers that are foreseen, and the facts. A file that exists already is an error, so that no release is mixed with
// another. It returns the number of files.
func WriteSortBench(ctx context.Context, dir string, p verbatim.Plan, release string) (n int, err error) {
	if err := releasable(p, release); err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, fmt.Errorf("write the lists: %w", err)
	}
	var written []string
	defer func() {
		if err != nil { // a part of a release would be in the way of the next try
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
		for _, name := range slices.Sorted(maps.Keys(files)) {
			path := filepath.Join(dir, name)
			if err := writeNew(path, packed(files[name])); err != nil {
				return 0, err
			}
			written = append(written, path)
		}
	}
	return len(written), nil
}

var releaseNumber = regexp.MustCompile(`^v[0-9]+(\.[0-9]+)*$`)

// releasable refuses plans that SortBench's files cannot hold.
func releasable(p verbatim.Plan, release string) error {
	if !releaseNumber.MatchString(release) {
		return question.Misuse("write v2.0", "%q is no number of a release", release)
	}
	if p.Items != nil {
		return question.Misuse("draw them with --suite or --task", "items that exist already are no new release")
	}
	for _, c := range p.Cells {
		if f, err := Find(c.Family); err != nil || f.Task == "" {
			return question.Misuse("name tasks that sort, such as 'sort-*' or 'hard-*'", "SortBench's files hold lists to be sorted, not items of %s", c.Family)
		}
	}
	return nil
}

// releaseFiles returns the files of a task and length, by name.
func releaseFiles(p verbatim.Plan, c verbatim.Cell, release string) (map[string][]byte, error) {
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
	lists, rules := make([][]any, c.N), map[string]any{}
	for i := range lists {
		index := i
		if indexes != nil {
			index = indexes[i]
		}
		it, err := drawItem(f, verbatim.Parameters{Length: c.Length, Edition: p.Edition}, p.Seed, index)
		if err != nil {
			return nil, err
		}
		lists[i] = it.Source.List
		rules["list_"+strconv.Itoa(i+1)] = map[string]any{"messages": it.Prompt, "sorted": it.Want, "mistakes": it.Mistakes, "facts": it.Facts}
	}
	files := map[string][]byte{releaseName(f, release, c.Length.Min, "", runtime.GOOS): releaseFile(lists, p.Edition)}
	if f.Mode == hard.Mode {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(rules); err != nil {
			return nil, fmt.Errorf("write the rules: %w", err)
		}
		files[releaseName(f, release, c.Length.Min, "_rules", runtime.GOOS)] = b.Bytes()
	}
	return files, nil
}

func releaseName(f verbatim.Family, release string, length int, end, system string) string {
	name := fmt.Sprintf("sortbench_%s_%s_%s_%03d%s.json.gz", f.Mode, release, f.Task, length, end)
	if system == "windows" {
		name = strings.ReplaceAll(name, ":", "-")
	}
	return name
}

// packed compresses data with gzip, without a time or a name.
func packed(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data) // into memory: there is no error
	z.Close()
	return b.Bytes()
}

func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return question.Misuse("name a new or empty folder", "%s exists already", path)
	}
	if err != nil {
		return fmt.Errorf("write the lists: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
		return fmt.Errorf("write the lists: %w", err)
	}
	return nil
}

// releaseFile returns the lists as Python's json.dump writes them, numbers as the
// edition's prompts show them.
func releaseFile(lists [][]any, edition verbatim.Edition) []byte {
	b := []byte("{")
	for i, list := range lists {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, `"list_`+strconv.Itoa(i+1)+`": [`...)
		for j, v := range list {
			if j > 0 {
				b = append(b, ", "...)
			}
			b = appendReleased(b, v, edition)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

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
