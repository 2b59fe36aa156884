package trust

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// keySize is the length of the key in bytes.
const keySize = 32

// key returns the user's key, nil without one or where other users of the
// machine may read it: then their proofs could not be told from this user's.
func (f Folder) key() []byte {
	path := f.Path("key")
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != keySize {
		return nil
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil
	}
	key, err := os.ReadFile(path)
	if err != nil || len(key) != keySize {
		return nil
	}
	return key
}

// makeKey makes the key and returns it, or the one that another process has made
// meanwhile. It returns nil where that is not possible: a run must not fail for it.
func (f Folder) makeKey() []byte {
	if f.path == "" || os.MkdirAll(f.path, 0o700) != nil {
		return nil
	}
	key := make([]byte, keySize)
	rand.Read(key) // never fails
	temp, err := os.CreateTemp(f.path, ".key-*")
	if err != nil {
		return nil
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(key)
	if errors.Join(err, temp.Sync(), temp.Close()) != nil {
		return nil
	}
	// A link appears whole and never replaces a file, so of several processes one wins.
	path := filepath.Join(f.path, "key")
	err = os.Link(temp.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// A file system without links. Of two processes at the same moment the last
		// one wins, and what the other one proved must be named again.
		if _, exists := os.Lstat(path); errors.Is(exists, fs.ErrNotExist) {
			os.Rename(temp.Name(), path)
		}
	}
	return f.key()
}
