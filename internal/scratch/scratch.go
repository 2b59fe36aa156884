// Package scratch makes files that take their names when they are whole, and folders
// that are removed after use.
//
// A file that is being written is next to its place, as .NAME.verbatim-part, and locked
// by the process that writes it. The lock ends with the process, however that ends. So
// the next one that writes there can tell what was left behind, and takes it over.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// ending is how the name of an unfinished file ends.
const ending = ".verbatim-part"

// slots is how many processes can write one file at the same time; the last one that
// commits wins.
const slots = 16

// A File is a file that takes its name in Commit. Commit and Discard are safe for
// concurrent use: the first of them decides, and the other one waits for it.
type File struct {
	*os.File
	path   string // that it takes
	placed bool   // it is at its path already: a device or a pipe

	mu   sync.Mutex
	done bool // committed or discarded
}

// Create begins the file at path. What is there stays until Commit. A path that is
// neither a file nor free, such as a device, is written to directly.
func Create(path string) (*File, error) {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		path = at // a link goes on naming what it names
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{File: f, path: path, placed: true}, err
	}
	dir, name := filepath.Split(path)
	if len(name) > 200 {
		name = name[:200] // a name has room for the ending
	}
	for slot := range slots {
		part := filepath.Join(dir, "."+name+ending)
		if slot > 0 {
			part += fmt.Sprint(slot)
		}
		f, err := take(part)
		if err != nil {
			return nil, err
		}
		if f != nil {
			return &File{File: f, path: path}, nil
		}
	}
	return nil, fmt.Errorf("%d other processes are writing it", slots)
}

// take opens and locks the unfinished file at part, and empties it; nil where another
// process holds it.
func take(part string) (*os.File, error) {
	f, err := os.OpenFile(part, openMode, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !lock(f) || !same(f, part) { // it took its name, or was removed, before it was locked
		return nil, f.Close()
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// same reports whether the open file is the one at path.
func same(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(open, there)
}

// Commit closes the file and gives it its name. A file that was discarded is an error.
func (f *File) Commit() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return fs.ErrClosed
	}
	f.done = true
	err := f.Close()
	if f.placed {
		return err
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Discard closes and removes the file unless it was committed.
func (f *File) Discard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return
	}
	f.done = true
	f.Close()
	if !f.placed {
		os.Remove(f.Name())
	}
}

// A Folder is a folder for files that are not needed afterwards.
type Folder struct {
	Path string
	held *os.File
}

// stale is how old a folder is before it is looked at: a younger one may not be locked
// yet.
const stale = time.Minute

// lockName is the file of a folder that the process that uses it holds.
const lockName = "lock"

// NewFolder makes a folder in parent whose name begins with prefix, and removes those
// that processes have left behind which were killed.
func NewFolder(parent, prefix string) (*Folder, error) {
	sweep(parent, prefix)
	path, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return nil, err
	}
	held, err := os.OpenFile(filepath.Join(path, lockName), openMode, 0o600)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	lock(held)
	return &Folder{path, held}, nil
}

// sweep removes folders whose locks no process holds.
func sweep(parent, prefix string) {
	if parent == "" {
		parent = os.TempDir()
	}
	list, err := filepath.Glob(filepath.Join(parent, prefix+"*", lockName))
	if err != nil || !locks {
		return
	}
	for _, path := range list {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue // another user's, perhaps
		}
		info, err := f.Stat()
		if err == nil && time.Since(info.ModTime()) > stale && lock(f) {
			os.RemoveAll(filepath.Dir(path))
		}
		f.Close()
	}
}

// Remove removes the folder and what is in it.
func (f *Folder) Remove() error {
	err := f.held.Close()
	return errors.Join(os.RemoveAll(f.Path), err)
}
