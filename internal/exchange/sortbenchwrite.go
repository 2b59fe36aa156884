package exchange

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// WriteSortBench writes the runs into a folder like a checkout of the published repository: benchmark_data
// has the lists, and benchmark_results has the lists and the outputs of every model, which
// SortBench's scorer reads. Read reads the folder. A file of hard lists, which Python's sorted does
// not sort, has a file of their rules next to it.
//
// Lists of the published benchmark keep their version and number. Those that this program drew have
// the version seedN, such as seed1, and the number of their item. Further trials and further runs
// are further results of their model. The format has no place for requests without an answer: left
// is their number. Tokens, times and reasoning are left out too. Bytes that are not UTF-8 become
// U+FFFD.
//
// published returns SortBench's name for the task of a family; for "" the name is the family. All
// texts are in memory until the files are written.
func WriteSortBench(dir Folder, published func(family string) string, runs ...Run) (files []string, left int64, err error) {
	w := writer{published: published, files: map[string]*outFile{}}
	for i := range runs {
		if err := w.add(&runs[i]); err != nil {
			return nil, 0, fmt.Errorf("run %s: %w", runs[i].Name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		f := w.files[name]
		rules, err := f.rules()
		if err != nil {
			return nil, 0, err
		}
		for _, out := range []struct {
			folder, name string
			data         []byte
		}{{"benchmark_data", name, f.lists()}, {"benchmark_data", strings.TrimSuffix(name, ".json.gz") + "_rules.json.gz", rules}, {"benchmark_results", name, f.results()}} {
			if out.data == nil {
				continue
			}
			path := filepath.Join(out.folder, out.name)
			if err := writePacked(&dir, out.folder, path, out.data); err != nil {
				return nil, 0, err
			}
			files = append(files, filepath.Join(dir.Path, path))
		}
	}
	return files, w.left, nil
}

// A writer collects the contents of the files.
type writer struct {
	published func(family string) string
	files     map[string]*outFile // by name
	left      int64
}

// An outFile is the lists of one task and length, and the outputs for them.
type outFile struct {
	unsorted map[string][]byte // as JSON, by the list's name
	ruled    map[string]rule   // of hard lists, by the list's name
	models   []*trialOutputs
}

// trialOutputs are the outputs of one trial of one run.
type trialOutputs struct {
	run   *Run
	trial int
	texts map[string]string // by the list's name
}

// add collects the records of a run.
func (w *writer) add(run *Run) error {
	if run.Model == "" {
		return errors.New("the run has no model")
	}
	for rec, err := range run.Records {
		if err != nil {
			return err
		}
		if err := w.record(run, &rec); err != nil {
			return fmt.Errorf("item %s: %w", rec.Item.ID, err)
		}
	}
	return nil
}

func (w *writer) record(run *Run, rec *verbatim.Record) error {
	it := rec.Item
	mode := it.Facts[verbatim.FactMode]
	if mode == "" || it.Source == nil || !it.Source.IsList() {
		return errors.New("SortBench's files hold lists to be sorted, and this item has none")
	}
	length, err := strconv.Atoi(it.Facts[verbatim.FactLength])
	if err != nil {
		return fmt.Errorf("its length %q is no number", it.Facts[verbatim.FactLength])
	}
	list, err := json.Marshal(it.Source)
	if err != nil {
		return err
	}
	task := it.Facts[verbatim.FactTask]
	if task == "" {
		family := it.Facts[verbatim.FactFamily]
		task = cmp.Or(w.published(family), family)
	}
	name := fmt.Sprintf("sortbench_%s_%s_%s_%03d.json.gz", namePart(mode), namePart(versionOf(run, it)), namePart(task), length)
	f := w.files[name]
	if f == nil {
		f = &outFile{unsorted: map[string][]byte{}, ruled: map[string]rule{}}
		w.files[name] = f
	}
	listName := listName(it)
	if other, ok := f.unsorted[listName]; ok && !bytes.Equal(other, list) {
		return fmt.Errorf("%s has another %s already: export the runs into two folders", name, listName)
	}
	f.unsorted[listName] = list
	if mode == hardMode {
		f.ruled[listName] = rule{it.Prompt, it.Want, it.Mistakes, it.Facts}
	}
	if rec.Reply == nil {
		w.left++
		return nil
	}
	f.outputs(run, rec.Trial).texts[listName] = rec.Reply.Text
	return nil
}

// outputs returns the outputs of a trial of a run, new ones if necessary.
func (f *outFile) outputs(run *Run, trial int) *trialOutputs {
	for _, o := range f.models {
		if o.run == run && o.trial == trial {
			return o
		}
	}
	o := &trialOutputs{run, trial, map[string]string{}}
	f.models = append(f.models, o)
	return o
}

// versionOf returns the version of the benchmark that an item belongs to.
func versionOf(run *Run, it *verbatim.Item) string {
	if id, ok := strings.CutPrefix(it.ID, "sortbench:"); ok {
		version, _, _ := strings.Cut(id, "/")
		version, _, _ = strings.Cut(version, "-") // a digest of the contents follows
		return version
	}
	return "seed" + strconv.FormatUint(run.Plan.Seed, 10)
}

// listName returns the name of an item's list.
func listName(it *verbatim.Item) string {
	if name := it.Facts[verbatim.FactList]; name != "" {
		return name
	}
	n, err := strconv.Atoi(it.ID[strings.LastIndexByte(it.ID, '/')+1:])
	if err != nil {
		return "list_" + it.ID
	}
	return "list_" + strconv.Itoa(n+1)
}

// namePart returns a text as the part of a file name between two underscores. On Windows it has no
// colon.
func namePart(s string) string {
	word := Word(s)
	if runtime.GOOS == "windows" {
		word = fileWord(s)
	}
	return strings.ReplaceAll(word, "_", "-")
}

// lists returns the contents of the file of lists.
func (f *outFile) lists() []byte {
	b := []byte("{")
	for i, name := range f.names() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(rawjson.AppendASCII(b, name), ": "...), f.unsorted[name]...)
	}
	return append(b, '}')
}

// names returns the names of the lists in the order of their numbers.
func (f *outFile) names() []string {
	return slices.SortedFunc(maps.Keys(f.unsorted), compareLists)
}

// results returns the contents of the file of results.
func (f *outFile) results() []byte {
	b := append([]byte(`{"unsorted_lists": `), f.lists()...)
	b = append(b, `, "results": [`...)
	for i, o := range f.models {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(rawjson.AppendASCII(append(b, `{"model": `...), o.run.Model), `, "sorted_lists": {`...)
		for j, name := range slices.SortedFunc(maps.Keys(o.texts), compareLists) {
			if j > 0 {
				b = append(b, ", "...)
			}
			b = rawjson.AppendASCII(append(rawjson.AppendASCII(b, name), ": "...), o.texts[name])
		}
		b = append(b, "}}"...)
	}
	return append(b, "]}"...)
}

// writePacked writes a gzip file in the folder, without a time or a name in its header.
func writePacked(dir *Folder, folder, path string, data []byte) error {
	if err := dir.makeFolder(folder); err != nil {
		return err
	}
	f, err := dir.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	z := gzip.NewWriter(f)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Commit()
}

// rules returns the contents of the file of rules; nil without hard lists.
func (f *outFile) rules() ([]byte, error) {
	if len(f.ruled) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(f.ruled); err != nil {
		return nil, fmt.Errorf("write the rules: %w", err)
	}
	return b.Bytes(), nil
}
