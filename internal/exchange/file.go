package exchange

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxFile is the size of the largest file that is read, in bytes after unpacking: the
// published ones are below 2 MB, and a small file can unpack to terabytes.
const maxFile = 64 << 20

// Open opens a file for reading and unpacks it if its first bytes are those of gzip.
func Open(path string) (io.ReadCloser, error) { return OpenUpTo(path, maxFile) }

// OpenUpTo is Open with another limit on the unpacked size.
func OpenUpTo(path string, most int64) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	var magic [2]byte
	n, err := io.ReadFull(f, magic[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, errors.Join(named(path, err), f.Close())
	}
	whole := io.MultiReader(bytes.NewReader(magic[:n]), f)
	if n < 2 || magic != [2]byte{0x1f, 0x8b} {
		return &reader{whole, f, path, most, most}, nil
	}
	z, err := gzip.NewReader(whole)
	if err != nil {
		return nil, errors.Join(named(path, err), f.Close())
	}
	return &reader{z, f, path, most, most}, nil
}

// A reader names its file in errors and enforces the limit on its size.
type reader struct {
	io.Reader
	file *os.File
	path string
	left int64
	most int64
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, fmt.Errorf("%s: larger than %d MB unpacked: not a file of results", r.path, r.most>>20)
	}
	if err != nil && err != io.EOF {
		err = named(r.path, err)
	}
	return n, err
}

func (r *reader) Close() error { return r.file.Close() }

func named(path string, err error) error {
	switch {
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("%s: damaged gzip data: %w", path, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the file ends in the middle: %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// ReadJSON reads a file that is one JSON value into v.
func ReadJSON(path string, v any) error {
	in, err := Open(path)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	return DecodeJSON(path, data, v)
}

// DecodeJSON reads JSON and names the line of an error.
func DecodeJSON(path string, data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	offset := int64(-1)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
		err = fmt.Errorf("%s: want %s, found a JSON %s", FieldName(kind.Field), KindName(kind), kind.Value)
	}
	if offset < 0 || offset > int64(len(data)) {
		return fmt.Errorf("%s: %w", path, err)
	}
	line := 1 + bytes.Count(data[:offset], []byte("\n"))
	return fmt.Errorf("%s: line %d: %w", path, line, err)
}

// FieldName names a field in errors.
func FieldName(field string) string {
	if field == "" {
		return "at the top"
	}
	return field
}

// KindName names the JSON type that belongs where another one is.
func KindName(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "map", "struct":
		return "an object"
	case "slice":
		return "an array"
	case "string":
		return "a string"
	}
	return "a number"
}
