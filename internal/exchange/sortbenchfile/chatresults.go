package sortbenchfile

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/lazyregexp"
	"verbatim/internal/listsort"
	"verbatim/internal/pylit"
)

// A chatFolder holds answers that were copied from the page of a chat, as the published
// repository has them in benchmark_results_o3-mini-Web. Each answer has up to three text
// files: sortbench_MODE_VERSION_TASK_LENGTH_expected.txt with the list that was asked,
// unsorted; …_result.txt with the output; …_thinking.txt with the reasoning that the page
// showed.
type chatFolder struct {
	path  string
	model string // what follows benchmark_results_ in the name of the folder
}

// chatPrefix begins the name of a chatFolder.
const chatPrefix = "benchmark_results_"

// mostText bounds the size of a text file of a chatFolder.
const mostText = 16 << 20

var chatName = lazyregexp.New(`^sortbench_([a-z]+)_([^_]+)_([^_]+)_(\d{1,9})_expected\.txt$`)

// chatFolders returns the folders of copied answers in a checkout, by name.
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
	lists     listFile
	item      *verbatim.Item
	text      *string // nil: there is no result
	reasoning string
}

// answers reads the answers of a folder, ordered by mode, task and length. places has the
// published lists by key: each answer is to one of them, which its item is named after.
func (f chatFolder) answers(places map[string]listFile, namer Namer) ([]chatAnswer, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, err
	}
	var all []chatAnswer
	var wrong exchange.Problems
	for _, e := range entries {
		m := chatName.FindStringSubmatch(e.Name())
		if m == nil || e.IsDir() {
			continue
		}
		length, err := strconv.Atoi(m[4])
		if err != nil {
			continue
		}
		asked := listFile{path: filepath.Join(f.path, e.Name()), mode: m[1], version: m[2], task: published(m[3]), length: length}
		a, err := f.answer(asked, places, namer)
		if err != nil {
			wrong.Add(err)
			continue
		}
		all = append(all, a)
	}
	listsort.Stable(all, func(a, b chatAnswer) int { return strings.Compare(a.lists.order(), b.lists.order()) })
	return all, wrong.Err()
}

// answer reads one answer. asked is the file of the list that was asked.
func (f chatFolder) answer(asked listFile, places map[string]listFile, namer Namer) (chatAnswer, error) {
	source, ok := places[asked.key()]
	if !ok {
		return chatAnswer{}, fmt.Errorf("%s: there are no published lists of this task and length", asked.path)
	}
	list, err := readText(asked.path)
	if err != nil {
		return chatAnswer{}, err
	}
	a := chatAnswer{lists: source}
	if a.item, err = source.itemOf(strings.TrimSpace(*list), namer); err != nil {
		return a, fmt.Errorf("%s: %w", asked.path, err)
	}
	stem := strings.TrimSuffix(asked.path, "expected.txt")
	if a.text, err = readText(stem + "result.txt"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return a, err
	}
	reasoning, err := readText(stem + "thinking.txt")
	if err == nil {
		a.reasoning = *reasoning
	} else if !errors.Is(err, fs.ErrNotExist) {
		return a, err
	}
	return a, nil
}

// itemOf makes the item of the published list that is the same as a list in Python's
// notation.
func (f listFile) itemOf(text string, namer Namer) (*verbatim.Item, error) {
	asked, err := pylit.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("it is no list: %w", err)
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

// readText returns the text of a file. Its line end, which an editor adds, is not a part of
// it.
func readText(path string) (*string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostText {
		return nil, fmt.Errorf("%s: want a file of at most %d MiB", path, mostText>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSuffix(string(data), "\n")
	return &text, nil
}

// runs returns the runs of a folder, one for each version of the benchmark.
func (f chatFolder) runs(places map[string]listFile, namer Namer) ([]exchange.Run, error) {
	answers, err := f.answers(places, namer)
	if err != nil {
		return nil, err
	}
	var runs []exchange.Run
	for len(answers) > 0 {
		version := answers[0].lists.version
		n := slices.IndexFunc(answers, func(a chatAnswer) bool { return a.lists.version != version })
		if n < 0 {
			n = len(answers)
		}
		hash := exchange.NewItemsHash()
		for _, a := range answers[:n] {
			if err := hash.Add(a.item); err != nil {
				return nil, fmt.Errorf("%s: %w", a.lists.path, err)
			}
		}
		runs = append(runs, exchange.Run{
			Run:     verbatim.Run{Plan: hash.Plan("sortbench", planName(version), 1, int64(n)), Model: f.model, Origin: Origin},
			Records: chatRecords(answers[:n]),
		})
		answers = answers[n:]
	}
	return runs, nil
}

func chatRecords(answers []chatAnswer) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for i, a := range answers {
			rec := verbatim.Record{Seq: int64(i), Item: a.item, Prompt: a.item.Prompt}
			if a.text == nil {
				rec.Outcome = verbatim.Errored
				rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoOutput}
			} else {
				rec.Reply = &verbatim.Reply{Text: *a.text, Reasoning: a.reasoning}
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}
