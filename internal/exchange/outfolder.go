package exchange

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"verbatim/internal/scratch"
)

// CreateIn creates the file name in the folder dir. A link of that name is an error, and
// so is one that leads out of the folder: names come from what a run says, and other users
// may write to the folder.
func CreateIn(dir, name string) (*scratch.File, error) {
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

// MakeIn makes the folder name in the folder dir, and dir itself.
func MakeIn(dir, name string) error {
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
