package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"verbatim"

	"verbatim/internal/pylit"
)

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
