package exchange

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
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
	var magic [2]byte
	n, err := io.ReadFull(f, magic[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, errors.Join(named(path, err), f.Close())
	}
	in := &reader{Reader: io.MultiReader(bytes.NewReader(magic[:n]), f), Closer: f, path: path, left: most, most: most}
	if n == 2 && magic == [2]byte{0x1f, 0x8b} {
		if in.Reader, err = gzip.NewReader(in.Reader); err != nil {
			return nil, errors.Join(named(path, err), f.Close())
		}
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
