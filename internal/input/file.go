package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"verbatim/internal/errkind"
)

// The sizes of the largest files for ReadFile, in bytes.
const (
	MaxItems  = 1 << 30  // a file of items
	MaxPrices = 64 << 20 // a file of prices
	MaxText   = 1 << 20  // a system prompt, faults, the file that names models
)

// A missingFile is the error of a path that does not exist. It is an fs.ErrNotExist.
type missingFile struct{ what, path string }

func (m missingFile) Error() string        { return "there is no " + m.what + " " + m.path }
func (m missingFile) Is(target error) bool { return target == fs.ErrNotExist }

// OpenFile opens a file for reading. It refuses folders, devices and sockets: they have no end, or
// nothing to read. It opens pipes, which shells name for <(command). A pipe without a writer is empty.
func OpenFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missingFile{"file", path}
	}
	if err != nil {
		return nil, err
	}
	if why := noFile(info.Mode()); why != "" && path != os.DevNull { // an empty file for all programs
		return nil, fmt.Errorf("%s is %s; name a file, or - for the standard input where that is read", path, why)
	}
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe without a writer would block
}

// noFile names the kind of what is no file; "" for files and pipes.
func noFile(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&(fs.ModeDevice|fs.ModeCharDevice|fs.ModeIrregular) != 0:
		return "a device"
	}
	return ""
}

// ReadFile returns the content of a file. It is an error if that is longer than maxBytes.
func ReadFile(path string, maxBytes int64) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && int64(len(data)) > maxBytes {
		err = fmt.Errorf("%s is larger than %d MiB", path, maxBytes>>20)
	}
	return data, err
}

// CheckPaths returns an error if a path does not exist, or is neither a file nor a folder.
func CheckPaths(paths ...string) error {
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return errkind.Runtimef("check the path", "%w", missingFile{"file or folder", path})
		}
		if err != nil {
			continue // its reader returns the error
		}
		if why := noFile(info.Mode()); why != "" && !info.IsDir() || info.Mode()&fs.ModeNamedPipe != 0 {
			if why == "" {
				why = "a pipe"
			}
			return errkind.Usagef("name a file or a folder", "%s is %s", path, why)
		}
	}
	return nil
}
