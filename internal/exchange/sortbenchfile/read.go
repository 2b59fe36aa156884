package sortbenchfile

import (
	"fmt"
	"iter"

	"verbatim"
	"verbatim/internal/exchange"
)

// Read reads a checkout of the published repository (benchmark_data with
// the lists and benchmark_results with what models answered) or a folder with
// the same files in lists and outputs, each packed with gzip or not. It returns
// a Run for each model of each version of the benchmark, in the order of their
// names.
//
// All models of a version have the same plan: the lists that the results files
// say were asked, ordered by mode, task, length and number. The items are those
// of edition reference, named like sortbench:v1.0/basic/Int-0:1000/16/list_3.
// A list that a model was not asked has no record; one whose output is missing
// from the model's results, or null, has a Failure. A model that appears again
// in a file answered again: those are further trials.
//
// Answers that were copied from the page of a chat, in folders such as
// benchmark_results_o3-mini-Web, are a Run for each folder, with the reasoning that the page
// showed. A checkout with such a folder needs no benchmark_results.
//
// The files are read now, and one by one again by every Run; they are never all
// kept. The error joins everything that
// is wrong with them, up to 20 things, each with its file and place.
func Read(path string, namer Namer) ([]exchange.Run, error) {
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
	asked, err := listFiles(lists)
	if err != nil {
		return nil, err
	}
	var answered []listFile
	if outputs != "" {
		if answered, err = listFiles(outputs); err != nil {
			return nil, err
		}
	}
	places := make(map[string]listFile, len(asked))
	for _, f := range asked {
		places[f.key()] = f
	}
	var wrong exchange.Problems
	var versions []*release
	for _, f := range answered {
		source, ok := places[f.key()]
		if !ok {
			wrong.Add(fmt.Errorf("%s: there are no lists for it in %s", f.path, lists))
			continue
		}
		if len(versions) == 0 || versions[len(versions)-1].version != f.version {
			versions = append(versions, &release{version: f.version, namer: namer, hash: exchange.NewItemsHash(), trials: make(map[string]int)})
		}
		wrong.Add(versions[len(versions)-1].scan(results{lists: source, outputs: f}))
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	var runs []exchange.Run
	for _, r := range versions {
		runs = append(runs, r.runs()...)
	}
	for _, f := range chats {
		more, err := f.runs(places, namer)
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

// ReadLists returns the published lists in a folder as items of edition reference,
// in the order that SortBench gives them: a checkout of the published
// repository, a folder with lists, or the files themselves.
func ReadLists(path string, namer Namer) (iter.Seq2[verbatim.Item, error], error) {
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
			var rules map[string]rule
			if err == nil {
				rules, err = f.rules()
			}
			if err != nil {
				lists = nil
			}
			for _, l := range lists {
				var it *verbatim.Item
				if it, err = f.item(l.name, l.list, rules, namer); err != nil {
					err = fmt.Errorf("%s: %s: %w", f.path, l.name, err)
					break
				}
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
