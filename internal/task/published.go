package task

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// publishedName is the name of SortBench's published lists in plans, and publishedHash the hash of
// their items. Another release has other items under the same file names, so its items get other ids.
const (
	publishedName = "sortbench:v1.0"
	publishedHash = "10c61c1811db894de1cb5e9cffe3e74d4ab3b5d1893054e8d7e34d26de40024a"
)

// PublishedLists reads SortBench's published lists from a folder: a checkout of the published
// repository (benchmark_data/), a folder with lists/, or the files themselves, plain or compressed with
// gzip. Items are named as in "sortbench:v1.0/basic/Int-0:1000/16/list_3", and sorted by mode, task,
// length and number. The hash of the ItemFile is that of their content. If the lists are not exactly
// the 1,440 published ones, the ids have the start of that hash, as in "sortbench:v1.0-5f0c9d2e/basic/…".
func PublishedLists(dir string) (*verbatim.ItemFile, []verbatim.Item, error) {
	files, err := listFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	var items []verbatim.Item
	for _, f := range files {
		lists, err := f.read()
		if err != nil {
			return nil, nil, misuse("the files of lists are like the published ones: {\"list_1\": [2, 1], …}", "%s: %w", f.path, err)
		}
		for _, l := range lists {
			items = append(items, f.item(l))
		}
	}
	hash, err := hashItems(items)
	if err != nil {
		return nil, nil, err
	}
	if hash != publishedHash {
		for i := range items {
			release, rest, _ := strings.Cut(items[i].ID, "/")
			items[i].ID = release + "-" + hash[:8] + "/" + rest
		}
	}
	return &verbatim.ItemFile{Name: publishedName, SHA256: hash, N: len(items)}, items, nil
}

// hashItems returns the hash of items in their order, in hex.
func hashItems(items []verbatim.Item) (string, error) {
	sum := sha256.New()
	for i := range items {
		if err := WriteItem(sum, &items[i]); err != nil {
			return "", fmt.Errorf("%s: %w", items[i].ID, err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// PartOfLists returns the published lists that have the suite, tasks and lengths of a request: the
// first ones of each task and length, as many as it has items. A request without these selects all. A
// part has its own name and hash; its items keep their ids.
func PartOfLists(file *verbatim.ItemFile, items []verbatim.Item, q Request) (*verbatim.ItemFile, []verbatim.Item, error) {
	suite, err := findSuite(cmp.Or(q.Suite, "sortbench"))
	if err != nil || !suite.published {
		return file, items, err // the plan refuses another suite
	}
	cells, err := suite.part(verbatim.Reference, q)
	if err != nil {
		return nil, nil, err
	}
	asked := map[string]int{} // by task and length
	part := slices.DeleteFunc(slices.Clone(items), func(it verbatim.Item) bool {
		name, length := it.Facts[verbatim.FactFamily], it.Facts[verbatim.FactLength]
		i := slices.IndexFunc(cells, func(c verbatim.Cell) bool { return c.Family == name && strconv.Itoa(c.Length.Min) == length })
		if i < 0 || q.Items > 0 && asked[name+" "+length] == q.Items {
			return true
		}
		asked[name+" "+length]++
		return false
	})
	if len(part) == len(items) {
		return file, items, nil
	}
	hash, err := hashItems(part)
	if err != nil {
		return nil, nil, err
	}
	return &verbatim.ItemFile{Name: file.Name + partOfSuite, SHA256: hash, N: len(part)}, part, nil
}

// item returns the item of a list, with the prompt of the published code.
func (f listFile) item(l publishedList) verbatim.Item {
	it := sortItem(l.items, listText(l.items, verbatim.Reference))
	it.ID = fmt.Sprintf("sortbench:%s/%s/%s/%d/list_%d", f.version, f.family.Mode, f.family.Task, f.length, l.n)
	it.Grader = "sortbench-reference"
	it.Facts = map[string]string{
		verbatim.FactFamily:  f.family.Name,
		verbatim.FactLength:  strconv.Itoa(f.length),
		verbatim.FactEdition: string(verbatim.Reference),
		verbatim.FactTask:    f.family.Task,
		verbatim.FactMode:    f.family.Mode,
		verbatim.FactList:    "list_" + strconv.Itoa(l.n),
	}
	return it
}

// SortBenchName returns SortBench's name of the task of a family; "" without one.
func SortBenchName(family string) string {
	f, err := Find(family)
	if err != nil {
		return ""
	}
	return f.Task
}

// OfSortBench returns the family of a task of SortBench, by the published spelling of its
// name; "" if it is unknown.
func OfSortBench(_, name string) string {
	f, err := Find(name)
	if err != nil {
		return ""
	}
	return f.Name
}
