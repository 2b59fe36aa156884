package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// ReadSortBench reads a checkout of the published repository (benchmark_data with the lists and
// benchmark_results with the outputs of models), or a folder with the same files in lists and
// outputs, with or without gzip. It returns a Run for each model of each version of the benchmark,
// in the order of their names.
//
// All models of a version have the same plan: the lists in the results files, in the order of mode,
// task, length and number. The items are of edition reference, with ids such as
// sortbench:v1.0/basic/Int-0:1000/16/list_3. If a file has no results of a model, the model has no
// records of its lists. A missing or null output is a Failure. Further results of a model in a file
// are further trials.
//
// Answers that were copied from the page of a chat, in folders such as
// benchmark_results_o3-mini-Web, are a Run for each folder, with the reasoning that the page
// showed. A checkout with such a folder needs no benchmark_results.
//
// ReadSortBench reads all files, and a Run reads them again one by one, so they are never all in memory. The
// error joins those of all files, up to 20.
func ReadSortBench(path string, namer sortBenchNamer) ([]Run, error) {
	if err := isFolder(path); err != nil {
		return nil, err
	}
	chats, err := chatFolders(path)
	if err != nil {
		return nil, err
	}
	lists, outputs, err := findLayout(path, len(chats) > 0)
	if err != nil {
		return nil, err
	}
	sources, err := listFiles(lists)
	if err != nil {
		return nil, err
	}
	var answered []listFile
	if outputs != "" {
		if answered, err = listFiles(outputs); err != nil {
			return nil, err
		}
	}
	published := make(map[string]listFile, len(sources))
	for _, f := range sources {
		published[f.key()] = f
	}
	var wrong problems
	var versions []*release
	for _, f := range answered {
		source, ok := published[f.key()]
		if !ok {
			wrong.Add(fmt.Errorf("%s: there are no lists for it in %s", f.path, lists))
			continue
		}
		if len(versions) == 0 || versions[len(versions)-1].version != f.version {
			versions = append(versions, &release{version: f.version, namer: namer, hash: newItemsHash(), trials: make(map[string]int)})
		}
		wrong.Add(versions[len(versions)-1].scan(results{lists: source, outputs: f}))
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	var runs []Run
	for _, r := range versions {
		runs = append(runs, r.runs()...)
	}
	for _, f := range chats {
		more, err := f.runs(published, namer)
		wrong.Add(err)
		runs = append(runs, more...)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s: the files hold no results of any model", path)
	}
	return runs, nil
}

// ReadSortBenchLists returns lists as items of edition reference, in the order of version, mode, task,
// length and number. path is a checkout of the published repository, a folder with a folder of
// lists, or a folder of files of lists.
func ReadSortBenchLists(path string, namer sortBenchNamer) (iter.Seq2[verbatim.Item, error], error) {
	dir, err := findLists(path)
	if err != nil {
		return nil, err
	}
	files, err := listFiles(dir)
	if err != nil {
		return nil, err
	}
	return func(yield func(verbatim.Item, error) bool) {
		for _, f := range files {
			lists, err := f.read()
			var items []*verbatim.Item
			if err == nil {
				items, err = f.items(f.path, lists, namer)
			}
			for _, it := range items {
				if !yield(*it, nil) {
					return
				}
			}
			if err != nil && !yield(verbatim.Item{}, err) {
				return
			}
		}
	}, nil
}

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

// A Namer returns the family of a SortBench task, from the published spellings of its mode and its
// name ("basic", "Int-0:1000"). If a Namer is nil or returns "", the family is the task.
type sortBenchNamer func(mode, task string) string

func (n sortBenchNamer) family(mode, task string) string {
	if n != nil {
		if name := n(mode, task); name != "" {
			return name
		}
	}
	return task
}

// system and user are the published prompts; the list follows user.
const (
	system = "Your task is to sort a list according to the common sorting of the used data type in Python. The output must only contain the sorted list and nothing else. The format of the list must stay the same."
	user   = "Sort the following list: "
)

// item returns the item of a list. rules has the rules of hard lists by the list's name.
func (f listFile) item(name string, list []any, rules map[string]rule, namer sortBenchNamer) (*verbatim.Item, error) {
	it := f.bareItem(name, namer)
	if r, ok := rules[name]; ok || f.mode == hardMode {
		return it, r.apply(it, list)
	}
	sorted, err := sortedAsPython(list)
	if err != nil {
		return nil, err
	}
	it.Prompt = verbatim.Prompt{
		{Role: "system", Content: []verbatim.Part{{Text: system}}},
		{Role: "user", Content: []verbatim.Part{{Text: user + pylit.Format(list)}}},
	}
	it.Want, it.Source = verbatim.ListAnswer(sorted), new(verbatim.ListAnswer(list))
	return it, nil
}

// items returns the items of lists that a file at path has. After an error it returns the items
// before it.
func (f listFile) items(path string, lists []namedList, namer sortBenchNamer) (items []*verbatim.Item, err error) {
	rules, err := f.rules()
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		it, err := f.item(l.name, l.list, rules, namer)
		if err != nil {
			return items, fmt.Errorf("%s: %s: %w", path, l.name, err)
		}
		items = append(items, it)
	}
	return items, nil
}

// bareItem returns an item without its texts, by the name of its list.
func (f listFile) bareItem(name string, namer sortBenchNamer) *verbatim.Item {
	return &verbatim.Item{
		ID: "sortbench:" + f.key() + "/" + name,
		Facts: map[string]string{
			verbatim.FactFamily:  namer.family(f.mode, f.task),
			verbatim.FactLength:  strconv.Itoa(f.length),
			verbatim.FactEdition: string(verbatim.Reference),
			verbatim.FactTask:    f.task,
			verbatim.FactMode:    f.mode,
			verbatim.FactList:    name,
		},
		Grader: "sortbench-reference",
	}
}

// lists returns the lists of {"list_1": [...], ...} in the order of their numbers.
func (f listFile) lists(data map[string]json.RawMessage) ([]namedList, error) {
	out := make([]namedList, 0, len(data))
	for name, raw := range data {
		var a verbatim.Answer
		if err := a.UnmarshalJSON(raw); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", f.path, name, err)
		}
		if !a.IsList() {
			return nil, fmt.Errorf("%s: %s: want a list, found text", f.path, name)
		}
		out = append(out, namedList{name, a.List})
	}
	slices.SortStableFunc(out, func(a, b namedList) int {
		return compareLists(a.name, b.name)
	})
	return out, nil
}

// compareLists orders lists by the numbers in their names.
func compareLists(a, b string) int {
	return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a, b))
}

type namedList struct {
	name string
	list []any
}

// number returns the number at the end of a list's name; a high one without any, so that such lists
// come last.
func number(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '_')+1:])
	if err != nil {
		return 1 << 30
	}
	return n
}

// sortedAsPython returns the list in the order of Python's sorted: texts by code points, numbers by
// their values. A list with both is an error, as in Python.
func sortedAsPython(list []any) ([]any, error) {
	out := slices.Clone(list)
	for i, x := range out {
		if rank(x) == 0 {
			return nil, fmt.Errorf("element %d: want a number or text, found %s", i, pylit.Format(x))
		}
		if rank(x) != rank(out[0]) {
			return nil, fmt.Errorf("element %d: numbers and texts in one list have no order", i)
		}
	}
	slices.SortStableFunc(out, compare)
	return out, nil
}

// rank returns 1 for a text, 2 for a number and 0 for other values.
func rank(x any) int {
	switch x.(type) {
	case string:
		return 1
	case int64, float64, *big.Int:
		return 2
	}
	return 0
}

// compare compares two texts or two numbers. No basic type holds all int64 and all float64 values
// exactly, so it compares these as big.Float.
func compare(a, b any) int {
	switch x := a.(type) {
	case string:
		return strings.Compare(x, b.(string)) // UTF-8 keeps the order of code points
	case int64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y)
		}
	case float64:
		if y, ok := b.(float64); ok {
			return cmp.Compare(x, y)
		}
	}
	return exact(a).Cmp(exact(b))
}

func exact(x any) *big.Float {
	switch x := x.(type) {
	case int64:
		return new(big.Float).SetInt64(x)
	case float64:
		return big.NewFloat(x)
	case *big.Int:
		return new(big.Float).SetInt(x)
	}
	return new(big.Float)
}

// read returns the lists of a file of lists in the order of their numbers.
func (f listFile) read() ([]namedList, error) {
	var data map[string]json.RawMessage
	if err := readJSON(f.path, &data); err != nil {
		return nil, err
	}
	return f.lists(data)
}

// rules reads the rules of a file of lists, by the list's name; nil without a file of rules. Hard
// lists must have one.
func (f listFile) rules() (map[string]rule, error) {
	stem := strings.TrimSuffix(strings.TrimSuffix(f.path, ".gz"), ".json") + "_rules.json"
	for _, path := range []string{stem + ".gz", stem} {
		switch _, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		var rules map[string]rule
		if err := readJSON(path, &rules); err != nil {
			return nil, err
		}
		return rules, nil
	}
	if f.mode == hardMode {
		return nil, fmt.Errorf("%s: the file %s.gz with the rules for sorting is missing: export the run again", f.path, stem)
	}
	return nil, nil
}

// hardMode is the mode of lists with a rule for sorting of their own. A file of such lists has a
// file of rules next to it, whose name ends in "_rules".
const hardMode = "hard"

// A rule is the prompt for sorting a hard list, and the sorted list. Mistakes are the wrong answers
// that the item foresees.
type rule struct {
	Messages verbatim.Prompt    `json:"messages"`
	Sorted   verbatim.Answer    `json:"sorted"`
	Mistakes []verbatim.Mistake `json:"mistakes,omitempty"`
	Facts    map[string]string  `json:"facts,omitempty"` // of the item
}

// apply completes the item of a hard list. SortBench's scorer cannot score it, so its grader is
// that of this program.
func (r rule) apply(it *verbatim.Item, list []any) error {
	if !r.Sorted.IsList() || len(r.Sorted.List) != len(list) || len(r.Messages) == 0 {
		return fmt.Errorf("its rule needs messages and a sorted list of %d elements", len(list))
	}
	it.Prompt, it.Want, it.Source, it.Grader, it.Mistakes = r.Messages, r.Sorted, new(verbatim.ListAnswer(list)), "list", r.Mistakes
	it.Facts[verbatim.FactEdition] = string(verbatim.Standard)
	for name, value := range r.Facts {
		if _, ok := it.Facts[name]; !ok {
			it.Facts[name] = value
		}
	}
	return nil
}

// OriginSortBench is the OriginSortBench of runs that come from SortBench.
const OriginSortBench = "sortbench"

// planName returns the name of a version's lists, for Plan.Items.
func planName(version string) string { return "sortbench:" + version }

// A release is a version of the benchmark with the results of its models.
type release struct {
	version string
	namer   sortBenchNamer
	files   []results
	hash    *itemsHash
	models  []string
	trials  map[string]int // by model: the most results in one file
}

// scan checks a results file and adds it.
func (r *release) scan(f results) error {
	f.first = int64(r.hash.N)
	items, answers, err := f.read(r.namer, true)
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := r.hash.Add(it); err != nil {
			return fmt.Errorf("%s: %w", f.lists.path, err)
		}
	}
	trials := make(map[string]int)
	for _, a := range answers {
		if !slices.Contains(r.models, a.model) {
			r.models = append(r.models, a.model)
		}
		trials[a.model]++
		r.trials[a.model] = max(r.trials[a.model], trials[a.model])
		for _, it := range items {
			if _, err := a.text(it); err != nil {
				return fmt.Errorf("%s: model %s: %w", f.outputs.path, a.model, err)
			}
		}
	}
	r.files = append(r.files, f)
	return nil
}

// runs returns the runs in the order of their models.
func (r *release) runs() []Run {
	slices.Sort(r.models)
	runs := make([]Run, len(r.models))
	for i, model := range r.models {
		trials := r.trials[model]
		runs[i] = Run{
			Run: verbatim.Run{
				Plan:   r.hash.Plan("sortbench", planName(r.version), trials, int64(r.hash.N*trials)),
				Model:  model,
				Origin: OriginSortBench,
			},
			Records: r.records(model),
		}
	}
	return runs
}

func (r *release) records(model string) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for trial := range r.trials[model] {
			for _, f := range r.files {
				items, answers, err := f.read(r.namer, false)
				if err != nil {
					if !yield(verbatim.Record{}, err) {
						return
					}
					continue
				}
				answers = slices.DeleteFunc(answers, func(a answer) bool { return a.model != model })
				if trial >= len(answers) {
					continue
				}
				for i, it := range items {
					rec := verbatim.Record{Seq: int64(trial*r.hash.N) + f.first + int64(i), Item: it, Trial: trial, Prompt: it.Prompt}
					err := answers[trial].fill(&rec)
					if err != nil {
						err = fmt.Errorf("%s: model %s: %w", f.outputs.path, model, err)
					}
					if !yield(rec, err) {
						return
					}
				}
			}
		}
	}
}

// results are the lists and the outputs of one task at one length.
type results struct {
	lists, outputs listFile
	first          int64 // position of the first item in the plan
}

// An answer is the outputs of one model for the lists of one file.
type answer struct {
	model   string
	outputs map[string]json.RawMessage
}

// check returns an error unless the lists in the results file are the published ones.
func (f results) check(asked map[string]json.RawMessage) error {
	var source map[string]json.RawMessage
	if err := readJSON(f.lists.path, &source); err != nil {
		return err
	}
	for name := range asked {
		if err := f.same(name, source[name], asked[name]); err != nil {
			return err
		}
	}
	return nil
}

// read returns the items and the answers of a results file. first says whether it checks the lists,
// which is necessary once.
func (f results) read(namer sortBenchNamer, first bool) ([]*verbatim.Item, []answer, error) {
	var data struct {
		Unsorted map[string]json.RawMessage `json:"unsorted_lists"`
		Results  []struct {
			Model  string                     `json:"model"`
			Sorted map[string]json.RawMessage `json:"sorted_lists"`
		} `json:"results"`
	}
	path := f.outputs.path
	if err := readJSON(path, &data); err != nil {
		return nil, nil, err
	}
	if data.Unsorted == nil {
		return nil, nil, fmt.Errorf("%s: unsorted_lists is missing", path)
	}
	if first {
		if err := f.check(data.Unsorted); err != nil {
			return nil, nil, err
		}
	}
	lists, err := f.outputs.lists(data.Unsorted)
	if err != nil {
		return nil, nil, err
	}
	items, err := f.lists.items(path, lists, namer)
	if err != nil {
		return nil, nil, err
	}
	var answers []answer
	for i, r := range data.Results {
		if r.Model == "" {
			return nil, nil, fmt.Errorf("%s: results[%d]: the model is missing", path, i)
		}
		for name := range r.Sorted {
			if _, ok := data.Unsorted[name]; !ok {
				return nil, nil, fmt.Errorf("%s: results[%d] (%s): %s is not one of its unsorted_lists", path, i, r.Model, name)
			}
		}
		answers = append(answers, answer{r.Model, r.Sorted})
	}
	return items, answers, nil
}

// same returns an error unless two lists of a name, in JSON, are equal.
func (f results) same(name string, source, asked json.RawMessage) error {
	if source == nil {
		return fmt.Errorf("%s: %s is not in %s", f.outputs.path, name, f.lists.path)
	}
	if bytes.Equal(source, asked) {
		return nil
	}
	var a, b verbatim.Answer
	if err := a.UnmarshalJSON(source); err != nil {
		return fmt.Errorf("%s: %s: %w", f.lists.path, name, err)
	}
	if err := b.UnmarshalJSON(asked); err != nil {
		return fmt.Errorf("%s: %s: %w", f.outputs.path, name, err)
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	if errX != nil || errY != nil || !bytes.Equal(x, y) {
		return fmt.Errorf("%s: %s is not the list of that name in %s", f.outputs.path, name, f.lists.path)
	}
	return nil
}

// text returns the output for an item, nil without one.
func (a answer) text(it *verbatim.Item) (*string, error) {
	name := it.Facts[verbatim.FactList]
	raw, ok := a.outputs[name]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	s, err := Text(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &s, nil
}

// fill sets the reply of a record to the output for its item, or the failure if there is no output.
func (a answer) fill(rec *verbatim.Record) error {
	s, err := a.text(rec.Item)
	switch {
	case err != nil:
		return err
	case s == nil:
		rec.Outcome = verbatim.Errored
		rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoOutput}
	default:
		rec.Reply = &verbatim.Reply{Text: *s}
	}
	return nil
}

var errNoOutput = errors.New("the file holds no output of this model for this list")

// A chatFolder has answers that were copied from the page of a chat, as the published repository
// has them in benchmark_results_o3-mini-Web. Each answer has up to three text files:
// sortbench_MODE_VERSION_TASK_LENGTH_expected.txt with the unsorted list, …_result.txt with the
// output, and …_thinking.txt with the reasoning that the page showed.
type chatFolder struct {
	path  string
	model string // what follows benchmark_results_ in the name of the folder
}

// chatPrefix begins the name of a chatFolder.
const chatPrefix = "benchmark_results_"

// mostText is the most bytes of a text file of a chatFolder.
const mostText = 16 << 20

var chatName = regexp.MustCompile(`^sortbench_([a-z]+)_([^_]+)_([^_]+)_(\d{1,9})_expected\.txt$`)

// chatFolders returns the chatFolders of a checkout in the order of their names.
func chatFolders(checkout string) ([]chatFolder, error) {
	entries, err := os.ReadDir(checkout)
	if err != nil {
		return nil, err
	}
	var folders []chatFolder
	for _, e := range entries {
		if model, ok := strings.CutPrefix(e.Name(), chatPrefix); ok && model != "" && e.IsDir() {
			folders = append(folders, chatFolder{filepath.Join(checkout, e.Name()), model})
		}
	}
	return folders, nil
}

// A chatAnswer is one answer of a chatFolder.
type chatAnswer struct {
	lists listFile        // with the published list that was sent
	rec   verbatim.Record // without its position
}

// answers reads the answers of a folder, in the order of version, mode, task and length. published
// has the files of published lists by key.
func (f chatFolder) answers(published map[string]listFile, namer sortBenchNamer) ([]chatAnswer, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, err
	}
	var all []chatAnswer
	var wrong problems
	for _, e := range entries {
		sent, ok := parseName(chatName, e.Name())
		if !ok || e.IsDir() {
			continue
		}
		sent.path = filepath.Join(f.path, e.Name())
		a, err := f.answer(sent, published, namer)
		if err != nil {
			wrong.Add(err)
			continue
		}
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b chatAnswer) int { return strings.Compare(a.lists.order(), b.lists.order()) })
	return all, wrong.Err()
}

// answer reads one answer. sent is the file of the list that was sent.
func (f chatFolder) answer(sent listFile, published map[string]listFile, namer sortBenchNamer) (chatAnswer, error) {
	lists, ok := published[sent.key()]
	if !ok {
		return chatAnswer{}, fmt.Errorf("%s: there are no published lists of this task and length", sent.path)
	}
	list, err := readText(sent.path)
	if err != nil {
		return chatAnswer{}, err
	}
	item, err := lists.itemOf(strings.TrimSpace(list), namer)
	if err != nil {
		return chatAnswer{}, fmt.Errorf("%s: %w", sent.path, err)
	}
	stem := strings.TrimSuffix(sent.path, "expected.txt")
	reasoning, err := readText(stem + "thinking.txt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return chatAnswer{}, err
	}
	a := chatAnswer{lists, verbatim.Record{Item: item, Prompt: item.Prompt}}
	text, err := readText(stem + "result.txt")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a.rec.Outcome = verbatim.Errored
		a.rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoOutput}
	case err != nil:
		return chatAnswer{}, err
	default:
		a.rec.Reply = &verbatim.Reply{Text: text, Reasoning: reasoning}
	}
	return a, nil
}

// itemOf returns the item of the published list that is equal to a list in Python's notation.
func (f listFile) itemOf(text string, namer sortBenchNamer) (*verbatim.Item, error) {
	asked, err := pylit.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("want a list in Python's notation: %w", err)
	}
	lists, err := f.read()
	if err != nil {
		return nil, err
	}
	rules, err := f.rules()
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		if pylit.Format(l.list) == pylit.Format(asked) {
			return f.item(l.name, l.list, rules, namer)
		}
	}
	return nil, fmt.Errorf("the list is not one of the %d in %s", len(lists), f.path)
}

// readText returns the text of a file without a line feed at its end, which editors add.
func readText(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > mostText {
		return "", fmt.Errorf("%s: want a file of at most %d MiB", path, mostText>>20)
	}
	data, err := os.ReadFile(path)
	return strings.TrimSuffix(string(data), "\n"), err
}

// runs returns the runs of a folder, one for each version of the benchmark.
func (f chatFolder) runs(published map[string]listFile, namer sortBenchNamer) ([]Run, error) {
	answers, err := f.answers(published, namer)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for len(answers) > 0 {
		version := answers[0].lists.version
		n := slices.IndexFunc(answers, func(a chatAnswer) bool { return a.lists.version != version })
		if n < 0 {
			n = len(answers)
		}
		var records []verbatim.Record
		for _, a := range answers[:n] {
			records = append(records, a.rec)
		}
		run, err := inMemory(verbatim.Run{Model: f.model, Origin: OriginSortBench}, "sortbench", planName(version), records)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		runs = append(runs, run)
		answers = answers[n:]
	}
	return runs, nil
}
