package task

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// publishedName is what plans call SortBench's published lists, and publishedHash
// the hash of their items: another release has other items under the same file
// names, so its items get other ids.
const (
	publishedName = "sortbench:v1.0"
	publishedHash = "10c61c1811db894de1cb5e9cffe3e74d4ab3b5d1893054e8d7e34d26de40024a"
)

// listFile matches the names of SortBench's files of lists. A release for file
// systems without colons writes "-" for them.
var listFile = regexp.MustCompile(`^sortbench_(basic|advanced|debug)_(v[0-9.]+)_(.+)_(\d{3,})\.json(\.gz)?$`)

// PublishedLists reads SortBench's published lists from a folder: a checkout of
// the published repository (benchmark_data/), a folder that holds lists/, or the
// files themselves, plain or compressed with gzip. The items are named as in
// "sortbench:v1.0/basic/Int-0:1000/16/list_3" and sorted by mode, task, length and
// number; the ItemFile's hash covers their content. Lists that are not those of
// the published release carry the start of that hash in their ids, as in
// "sortbench:v1.0-5f0c9d2e/basic/…".
func PublishedLists(dir string) (*verbatim.ItemFile, []verbatim.Item, error) {
	paths, err := listFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	var items []verbatim.Item
	for _, path := range paths {
		more, err := readLists(path)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		items = append(items, more...)
	}
	slices.SortStableFunc(items, func(a, b verbatim.Item) int { return strings.Compare(sortKey(a), sortKey(b)) })
	sum := sha256.New()
	for i := range items {
		if i > 0 && items[i].ID == items[i-1].ID {
			return nil, nil, misuse("name a folder with one release of lists", "%s: %s stands in two files", dir, items[i].ID)
		}
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

func sortKey(it verbatim.Item) string {
	f := it.Facts
	n := strings.TrimPrefix(f[verbatim.FactList], "list_")
	return fmt.Sprintf("%s/%s/%9s/%9s", f[verbatim.FactMode], f[verbatim.FactTask], f[verbatim.FactLength], n)
}

func listFiles(dir string) ([]string, error) {
	for _, sub := range []string{"benchmark_data", "lists", "."} {
		var paths []string
		err := filepath.WalkDir(filepath.Join(dir, sub), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && listFile.MatchString(d.Name()) {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the published lists: %w", err)
		}
		if len(paths) > 0 {
			return paths, nil
		}
	}
	return nil, misuse("name a checkout of the published repository, which has the folder benchmark_data, or a folder with files such as sortbench_basic_v1.0_English_016.json",
		"%s holds no lists of SortBench", dir)
}

// readLists reads a file of lists: {"list_1": [...], …}.
func readLists(path string) ([]verbatim.Item, error) {
	data, err := readMaybeGzip(path)
	if err != nil {
		return nil, err
	}
	m := listFile.FindStringSubmatch(filepath.Base(path))
	mode, version, spelled, length := m[1], m[2], m[3], strings.TrimLeft(m[4], "0")
	f, err := Find(spelled)
	if err != nil {
		return nil, err
	}
	var lists map[string]verbatim.Answer
	if err := json.Unmarshal(data, &lists); err != nil {
		return nil, err
	}
	var items []verbatim.Item
	for name, list := range lists {
		if !list.IsList() {
			return nil, fmt.Errorf("%s is not a list", name)
		}
		if err := sortable(list.List); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		it := sortItem(list.List, listText(list.List, verbatim.Reference))
		it.ID = fmt.Sprintf("sortbench:%s/%s/%s/%s/%s", version, mode, f.Task, length, name)
		it.Grader = "sortbench-reference"
		it.Facts = map[string]string{
			verbatim.FactFamily: f.Name, verbatim.FactLength: length, verbatim.FactEdition: string(verbatim.Reference),
			verbatim.FactTask: f.Task, verbatim.FactMode: mode, verbatim.FactList: name,
		}
		items = append(items, it)
	}
	return items, nil
}

// sortable reports items that Python could not compare with each other.
func sortable(list []any) error {
	for i, v := range list {
		switch v.(type) {
		case int64, float64, string:
		default:
			return fmt.Errorf("item %d is a %T", i+1, v)
		}
		if fmt.Sprintf("%T", v) != fmt.Sprintf("%T", list[0]) {
			return fmt.Errorf("item %d is of another type than the first", i+1)
		}
	}
	return nil
}

// mostUnpacked bounds what a compressed file may unpack to.
const mostUnpacked = 256 << 20

func readMaybeGzip(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return data, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, mostUnpacked+1))
	if err == nil && len(out) > mostUnpacked {
		err = errors.New("it unpacks to more than " + strconv.Itoa(mostUnpacked>>20) + " MiB")
	}
	return out, err
}
