package exchange

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"verbatim/internal/scratch"
)

// A Folder is the folder for an export of several files.
type Folder struct {
	Path string
	// AtExit, unless it is nil, gets a function that removes an unfinished file, for the caller to
	// call if a signal ends the process.
	AtExit func(remove func()) (forget func())
}

// Create creates the file name in the folder. It is an error if name is a symbolic link, or leads
// out of the folder: parts of names come from runs, and other users may write to the folder.
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

// MakeFolder makes the folder, and the folder name in it.
func (d *Folder) makeFolder(name string) error {
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
