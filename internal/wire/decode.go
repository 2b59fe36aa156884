package wire

import (
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"
)

// decode returns a reader of the decompressed body of a response. No compression is
// requested, because it delays the first words, but some gateways compress anyway. gzip and
// deflate are read; another encoding is an error that names it.
func decode(res *http.Response) io.Reader {
	values := res.Header["Content-Encoding"]
	if len(values) == 0 {
		return res.Body
	}
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(values, ",")))
	switch encoding {
	case "", "identity":
		return res.Body
	case "gzip", "x-gzip":
		return &decoder{raw: res.Body, name: encoding, open: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }}
	case "deflate":
		return &decoder{raw: res.Body, name: encoding, open: func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }}
	}
	return &decoder{err: unreadableError{"the reply is encoded as " + CleanLine(encoding, 40) + ", though no encoding was requested"}}
}

// A decoder decompresses what it reads. It begins with the first read, which waits
// for the server.
type decoder struct {
	raw  io.Reader
	name string
	open func(io.Reader) (io.Reader, error)
	in   io.Reader // nil before the first read
	err  error     // the error of all further reads
}

// Read implements io.Reader.
func (d *decoder) Read(p []byte) (n int, err error) {
	if d.err != nil {
		return 0, d.err
	}
	if d.in == nil {
		d.in, err = d.open(d.raw)
	}
	if err == nil {
		n, err = d.in.Read(p)
	}
	if err != nil {
		d.err = d.explain(err)
	}
	return n, d.err
}

// explain returns err, or an error that names the encoding if the bytes are not encoded so.
func (d *decoder) explain(err error) error {
	_, isCorrupt := errors.AsType[flate.CorruptInputError](err)
	for _, wrong := range []error{gzip.ErrHeader, gzip.ErrChecksum, zlib.ErrHeader, zlib.ErrChecksum} {
		isCorrupt = isCorrupt || errors.Is(err, wrong)
	}
	if isCorrupt {
		return unreadableError{"the reply is not encoded as its header says: " + d.name}
	}
	return err
}
