package exchange

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"verbatim/internal/scratch"
)

// A Folder is where an export of several files goes.
type Folder struct {
	Path string
	// AtExit, if not nil, is given what removes an unfinished file. The caller runs it
	// when it ends the process from outside.
	AtExit func(remove func()) (forget func())
}

// Create creates the file name in the folder. A link of that name is an error, and so is
// one that leads out of the folder: names come from what a run says, and other users may
// write to the folder.
func (d *Folder) Create(name string) (*scratch.File, error) {
	root, err := os.OpenRoot(d.Path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := root.Stat(filepath.Dir(name)); err != nil {
		return nil, err
	}
	path := filepath.Join(d.Path, name)
	if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link: remove it, or name another folder", path)
	}
	f, err := scratch.Create(path)
	if err == nil && d.AtExit != nil {
		d.AtExit(f.Discard)
	}
	return f, err
}

// MakeFolder makes the folder name in the folder, and the folder itself.
func (d *Folder) MakeFolder(name string) error {
	if err := os.MkdirAll(d.Path, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(d.Path)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.MkdirAll(name, 0o755)
}
