package task

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/question"
)

// publishedName is what plans call SortBench's published lists, and publishedHash
// the hash of their items: another release has other items under the same file
// names, so its items get other ids.
const (
	publishedName = "sortbench:v1.0"
	publishedHash = "10c61c1811db894de1cb5e9cffe3e74d4ab3b5d1893054e8d7e34d26de40024a"
)

// PublishedLists reads SortBench's published lists from a folder: a checkout of
// the published repository (benchmark_data/), a folder that holds lists/, or the
// files themselves, plain or compressed with gzip. The items are named as in
// "sortbench:v1.0/basic/Int-0:1000/16/list_3" and sorted by mode, task, length and
// number; the ItemFile's hash covers their content. Lists that are not exactly the
// 1,440 of the published release carry the start of that hash in their ids, as in
// "sortbench:v1.0-5f0c9d2e/basic/…".
func PublishedLists(dir string) (*verbatim.ItemFile, []verbatim.Item, error) {
	files, err := listFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	var items []verbatim.Item
	for _, f := range files {
		lists, err := f.read()
		if err != nil {
			return nil, nil, question.Misuse("the files of lists are like the published ones: {\"list_1\": [2, 1], …}", "%s: %w", f.path, err)
		}
		for _, l := range lists {
			items = append(items, f.item(l))
		}
	}
	sum := sha256.New()
	for i := range items {
		if err := WriteItem(sum, &items[i]); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", items[i].ID, err)
		}
	}
	hash := hex.EncodeToString(sum.Sum(nil))
	if hash != publishedHash {
		for i := range items {
			release, rest, _ := strings.Cut(items[i].ID, "/")
			items[i].ID = release + "-" + hash[:8] + "/" + rest
		}
	}
	return &verbatim.ItemFile{Name: publishedName, SHA256: hash, N: len(items)}, items, nil
}

// PartOfLists returns those of published lists that a request names by its suite, tasks, lengths
// and number of items, which are the first ones of each task and length. Where it names nothing,
// these are all. A part has a name and a hash of its own; the items keep their ids.
func PartOfLists(file *verbatim.ItemFile, items []verbatim.Item, q Request) (*verbatim.ItemFile, []verbatim.Item, error) {
	suite, err := findSuite("sortbench")
	if q.Suite != "" {
		suite, err = findSuite(q.Suite)
	}
	if err != nil || !suite.published {
		return file, items, err // which the plan refuses
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
	sum := sha256.New()
	for i := range part {
		if err := WriteItem(sum, &part[i]); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", part[i].ID, err)
		}
	}
	return &verbatim.ItemFile{Name: file.Name + partOfSuite, SHA256: hex.EncodeToString(sum.Sum(nil)), N: len(part)}, part, nil
}

// item asks for a list as the published code does.
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

// SortBenchName returns SortBench's name of the task of a family; "" if it has none.
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
