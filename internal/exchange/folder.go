package exchange

import (
	"fmt"
	"os"
	"path/filepath"
)

// filesOf returns the result files of a path: the path itself, or those in a folder of results, in
// the order of their names.
func filesOf(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, nil // reading it returns any error
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if ok, _ := filepath.Match("result_*.json", e.Name()); ok && !e.IsDir() {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no file result_*.json", path)
	}
	return files, nil
}
