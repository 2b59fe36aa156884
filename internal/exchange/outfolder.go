package exchange

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"verbatim/internal/scratch"
)

// createIn begins the file name in the folder dir. A link of that name is an error, and
// so is one that leads out of the folder on the way: names are made of what a run says,
// and the folder may hold what somebody else has placed there.
func createIn(dir, name string) (*scratch.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := root.Stat(filepath.Dir(name)); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link: remove it, or name another folder", path)
	}
	return scratch.Create(path)
}

// makeIn makes the folder name in the folder dir, which it makes as well.
func makeIn(dir, name string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.MkdirAll(name, 0o755)
}
