package exchange

import (
	"fmt"
	"iter"

	"verbatim"
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
