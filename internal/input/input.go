package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
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

// CheckText returns an error if a file that begins with these bytes is one of another kind that people
// take for a text.
func CheckText(name string, start []byte) error {
	for _, kind := range []struct{ start, what, advice string }{
		{"version https://git-lfs.github.com/spec/", "a Git LFS pointer, not the file itself", "'git lfs pull' in its folder fetches the file"},
		{"PAR1", "a Parquet file", "save it as JSON lines or CSV"},
		{"\x1f\x8b", "packed with gzip", "unpack it with gunzip"},
		{"\xff\xfe", "in UTF-16", "save it as UTF-8"},
		{"\xfe\xff", "in UTF-16", "save it as UTF-8"},
	} {
		if strings.HasPrefix(string(start[:min(len(start), 64)]), kind.start) {
			return &FileError{File: name, Reason: "the file is " + kind.what, Advice: kind.advice}
		}
	}
	return nil
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

// ReadNames reads a file with a name on each line. It ignores empty lines and lines that begin with #.
func ReadNames(path string) (names []string, err error) {
	data, err := ReadFile(path, MaxText)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			names = append(names, line)
		}
	}
	return names, nil
}

// A NameError is a mistake in the name of a model.
type NameError struct {
	Name   string // without secrets
	Reason string // what is wrong
	Advice string // what to write instead
}

// Error returns the name and the reason.
func (e *NameError) Error() string { return fmt.Sprintf("model %q: %s", e.Name, e.Reason) }

// Hint returns the advice.
func (e *NameError) Hint() string { return e.Advice }

// Misuse reports that it is a usage error.
func (e *NameError) Misuse() bool { return true }

// A FileError is a mistake in a file that the user wrote. It repeats no value that may be a key.
type FileError struct {
	File   string
	Line   int    // from 1; 0 for the whole file
	Column int    // in characters, from 1; 0 for the whole line
	Reason string // what is wrong
	Advice string // what to write instead
}

// Error returns "file:line:column: reason", from which editors open the place.
func (e *FileError) Error() string {
	at := e.File
	if e.Line > 0 {
		at += fmt.Sprintf(":%d", e.Line)
		if e.Column > 0 {
			at += fmt.Sprintf(":%d", e.Column)
		}
	}
	return at + ": " + e.Reason
}

// Hint returns the advice.
func (e *FileError) Hint() string { return e.Advice }

// Misuse reports that it is a usage error.
func (e *FileError) Misuse() bool { return true }

// Nearest returns the known word that is the fewest edits away; "" if that is more than half of the
// letters.
func Nearest(word string, known []string) string {
	if len(word) > 40 {
		return "" // no name is as long
	}
	best, distance := "", len(word)/2+1
	for _, k := range known {
		if d := edits(word, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// edits returns the optimal string alignment distance, which counts insertions, deletions,
// substitutions and swaps of neighbours.
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(next[j-1]+1, row[j]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// DidYouMean suggests the nearest of the known words, for the end of a message; "" if it is not near.
func DidYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}
