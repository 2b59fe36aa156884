package app

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

// key returns the user's key. It is nil if there is no key, or if other users of the machine may read
// it: they could make the same proofs.
func (f trustFolder) key() []byte {
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

// makeKey makes the key and returns it, or the one that another process has made at the same time. It
// is nil if that is not possible: a run must not fail for that reason.
func (f trustFolder) makeKey() []byte {
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
	// A link never replaces a file. So if several processes make a key, all get the same one.
	path := filepath.Join(f.path, "key")
	err = os.Link(temp.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// The file system has no links. If two processes make a key at the same moment, that
		// of the second one remains, and proofs of the first one confirm nothing.
		if _, exists := os.Lstat(path); errors.Is(exists, fs.ErrNotExist) {
			os.Rename(temp.Name(), path)
		}
	}
	return f.key()
}
