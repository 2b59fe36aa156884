package task

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// WriteSortBench writes a fresh release of SortBench's lists into dir: 144 files
// of ten lists, named and laid out as the published ones, that PublishedLists
// reads. Where file names cannot hold ":" it is written as "-".
func WriteSortBench(dir string, seed uint64, edition verbatim.Edition) error {
	p, err := Plan(Request{Tasks: []string{"sort-*"}, Items: 10, Seed: seed, Edition: edition})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("write the lists: %w", err)
	}
	for _, c := range p.Cells {
		f, err := Find(c.Family)
		if err != nil {
			return err
		}
		text, err := releaseFile(f, c, seed, p.Edition)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("sortbench_%s_v1.0_%s_%03d.json", f.Mode, f.Task, c.Length.Min)
		if runtime.GOOS == "windows" {
			name = strings.ReplaceAll(name, ":", "-")
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return fmt.Errorf("write the lists: %w", err)
		}
	}
	return nil
}

// releaseFile writes the lists of a cell as Python's json.dump does.
func releaseFile(f verbatim.Family, c verbatim.Cell, seed uint64, edition verbatim.Edition) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{")
	for i := range c.N {
		it, err := drawItem(f, verbatim.Knobs{Length: c.Length, Edition: edition}, seed, i)
		if err != nil {
			return nil, err
		}
		text, err := releaseList(it.Source.List, edition)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q: %s", fmt.Sprintf("list_%d", i+1), text)
	}
	b.WriteString("}")
	return b.Bytes(), nil
}

// releaseList writes a list as JSON. Its numbers are as the prompt shows them.
func releaseList(list []any, edition verbatim.Edition) (string, error) {
	if len(list) > 0 {
		if _, text := list[0].(string); !text {
			return listText(list, edition), nil
		}
	}
	for _, v := range list {
		if strings.ContainsAny(v.(string), `"\'`) {
			return "", fmt.Errorf("%q cannot be written plainly", v)
		}
	}
	return strings.ReplaceAll(pylit.Format(list), "'", `"`), nil
}
