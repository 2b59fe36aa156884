package exchange

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/input"
	"verbatim/internal/scratch"
)

// maxFile is the most bytes of a file after unpacking. The published files have less than 2 MB, and
// a small file can unpack to terabytes.
const maxFile = 64 << 20

// Open opens a file for reading, and unpacks it if it begins like a gzip file. A read beyond maxFile
// is an error. Errors name the file.
func Open(path string) (io.ReadCloser, error) { return openUpTo(path, maxFile) }

// openUpTo is Open with another limit than maxFile.
func openUpTo(path string, most int64) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	var magic [64]byte
	n, err := io.ReadFull(f, magic[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, errors.Join(named(path, err), f.Close())
	}
	in := &reader{Reader: io.MultiReader(bytes.NewReader(magic[:n]), f), Closer: f, path: path, left: most, most: most}
	if n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		if in.Reader, err = gzip.NewReader(in.Reader); err != nil {
			return nil, errors.Join(named(path, err), f.Close())
		}
	} else if err := input.CheckText(path, magic[:n]); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return in, nil
}

// A reader names its file in errors and enforces a limit on its size.
type reader struct {
	io.Reader
	io.Closer
	path string
	left int64
	most int64
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, fmt.Errorf("%s: more than %d MB after unpacking: this is no file of results", r.path, r.most>>20)
	}
	if err != nil && err != io.EOF {
		err = named(r.path, err)
	}
	return n, err
}

// named returns an error of reading a file with its path.
func named(path string, err error) error {
	switch {
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("%s: damaged gzip data: %w", path, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the file ends in the middle: %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// readJSON reads a file that is one JSON value into v.
func readJSON(path string, v any) error {
	in, err := Open(path)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	return decodeJSON(path, data, v)
}

// decodeJSON decodes the JSON of a file into v. An error names the file and the line.
func decodeJSON(path string, data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	offset := int64(-1)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = syntax.Offset
	} else if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = kind.Offset
	}
	if offset < 0 || offset > int64(len(data)) {
		return fmt.Errorf("%s: %w", path, err)
	}
	line := 1 + bytes.Count(data[:offset], []byte("\n"))
	return fmt.Errorf("%s: line %d: %w", path, line, kindError(err))
}

// kindError returns an error of a JSON decoder. If it is about a value of another type than the
// wanted one, it returns an error that says so in the words of JSON and names the field.
func kindError(err error) error {
	e, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	want := "a number"
	switch e.Type.Kind() {
	case reflect.Map, reflect.Struct:
		want = "an object"
	case reflect.Slice:
		want = "an array"
	case reflect.String:
		want = "a string"
	}
	return fmt.Errorf("%s: want %s, found a JSON %s", cmp.Or(e.Field, "at the top"), want, e.Value)
}

// filesIn returns the files of a path: the path itself, or those in a folder and in its folders whose
// names match, in the order of their names. what names such files.
func filesIn(path, what string, match func(name string) bool) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, nil // reading it returns any error
	}
	var files []string
	err := filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && match(e.Name()) {
			files = append(files, file)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: neither the folder nor its folders have a file %s", path, what)
	}
	return files, err
}

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

// Word returns a text of another program as a part of a name: at most 60 characters, with
// underscores for white space, slashes and characters that a terminal obeys or does not show.
func Word(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > 60 {
			break
		}
		if r == '/' || r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			r = '_'
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "_"
	}
	return b.String()
}

// fileWord is Word for a file name on any system.
func fileWord(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"<>:|\?*`, r) {
			return '_'
		}
		return r
	}, Word(s))
}

// digest returns the first 12 hexadecimal digits of a SHA-256.
func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:6])
}
