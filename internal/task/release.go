package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// WriteSortBench writes a fresh release of SortBench's lists into dir: 144 files
// of ten lists, named and laid out byte for byte as the published ones, that
// PublishedLists reads. Where file names cannot hold ":" it is written as "-". A
// file that exists already is an error, so that no release is mixed with another.
func WriteSortBench(dir string, seed uint64, edition verbatim.Edition) (err error) {
	p, err := Plan(Request{Tasks: []string{"sort-*"}, Items: 10, Seed: seed, Edition: edition})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("write the lists: %w", err)
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
		f, err := Find(c.Family)
		if err != nil {
			return err
		}
		lists := make([][]any, c.N)
		for i := range lists {
			it, err := drawItem(f, verbatim.Parameters{Length: c.Length, Edition: p.Edition}, seed, i)
			if err != nil {
				return err
			}
			lists[i] = it.Source.List
		}
		path := filepath.Join(dir, releaseName(f, c.Length.Min, runtime.GOOS))
		if err := writeNew(path, releaseFile(lists, p.Edition)); err != nil {
			return err
		}
		written = append(written, path)
	}
	return nil
}

func releaseName(f verbatim.Family, length int, system string) string {
	name := fmt.Sprintf("sortbench_%s_v1.0_%s_%03d.json", f.Mode, f.Task, length)
	if system == "windows" {
		name = strings.ReplaceAll(name, ":", "-")
	}
	return name
}

func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return misuse("name a new or empty folder", "%s exists already", path)
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
		// The words and letters that lists are drawn from are ASCII without
		// anything that JSON escapes.
		quoted, err := json.Marshal(v)
		if err != nil {
			panic("a string that JSON cannot hold: " + err.Error())
		}
		return append(b, quoted...)
	case float64:
		if edition == verbatim.Paper {
			return append(b, plainDecimal(v, 64)...)
		}
	}
	return pylit.Append(b, v)
}
