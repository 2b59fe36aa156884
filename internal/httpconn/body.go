package httpconn

import (
	"io"
	"net/http"
)

// A body is the body of a response. Its connection is used again after it was read to
// its end, and closed if it is closed before.
type body struct {
	r     io.ReadCloser
	conn  *conn
	owner *Direct
	stop  func() bool
	keep  bool
	err   error // that Read returns from now on
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.r.Read(p)
	if err != nil {
		b.end(err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	b.end(http.ErrBodyReadAfterClose)
	return nil
}

func (b *body) end(err error) {
	if b.err != nil {
		return
	}
	b.err = err
	if running := b.stop(); running && err == io.EOF && b.keep && b.conn.in.Buffered() == 0 {
		b.owner.give(b.conn)
		return
	}
	b.conn.Close()
}
