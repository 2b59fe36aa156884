package task

import (
	"bytes"
	"compress/gzip"
	"context"
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
