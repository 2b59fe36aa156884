// Package scratch makes files that get their names when they are complete, and folders that are
// removed after use.
//
// An unfinished file is in the folder of the finished one, as .NAME.verbatim-part, and locked by
// the process that writes it. The lock ends with the process. So the next process that writes the
// file finds an unlocked one that was left behind, and uses it.
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

// ending is the end of the name of an unfinished file.
const ending = ".verbatim-part"

// slots is the most processes that can write one file at the same time; the last one that commits
// wins.
const slots = 16

// A File is a file that gets its name in Commit. Commit and Discard are safe for concurrent use:
// the first call counts, and the other one waits for it.
type File struct {
	*os.File
	path   string // of the finished file
	placed bool   // it is a device or a pipe, which is at its path already

	mu   sync.Mutex
	done bool // committed or discarded
}

// Create begins a file that replaces the one at path in Commit. A symbolic link stays, and the file
// to which it refers is replaced. A device or a pipe is written directly.
func Create(path string) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{File: f, path: path, placed: true}, err
	}
	dir, name := filepath.Split(path)
	if len(name) > 200 {
		name = name[:200] // most systems allow 255 bytes, with the ending
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
	return nil, fmt.Errorf("%d other processes are writing the file", slots)
}

// take opens, locks and empties the unfinished file at part; nil if another process has locked it.
func take(part string) (*os.File, error) {
	f, err := os.OpenFile(part, openMode, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !lock(f) || !same(f, part) { // another process may have renamed or removed it before the lock
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

// Commit closes the file and gives it its name. After Discard it returns fs.ErrClosed.
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

// A Folder is a folder for temporary files.
type Folder struct {
	Path string
	held *os.File // the locked file lockName
}

// stale is the age from which a folder may be one that was left behind: a younger one may not be
// locked yet.
const stale = time.Minute

// lockName is the name of a file in a Folder that its process has locked.
const lockName = "lock"

// NewFolder makes a folder in parent whose name begins with prefix, and removes such folders of
// processes that were killed.
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

// Remove removes the folder with its contents.
func (f *Folder) Remove() error {
	err := f.held.Close()
	return errors.Join(os.RemoveAll(f.Path), err)
}
