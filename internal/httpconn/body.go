package httpconn

import (
	"io"
	"net/http"
)

// A body is the body of a response. When it has been read to its end, its connection becomes idle. If
// it is closed before, the connection is closed.
type body struct {
	r     io.ReadCloser
	conn  *conn
	owner *direct
	stop  func() bool // ends the effect of the request's context, if that has not ended
	keep  bool        // neither side has announced to close the connection
	err   error       // the error of all further reads; nil before the end
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
