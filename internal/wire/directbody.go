package wire

import (
	"io"
	"net/http"
)

// A directBody is a response's body. The connection is given back when it has
// been read to its end, and closed when it is closed before.
type directBody struct {
	body  io.ReadCloser
	conn  *directConn
	owner *Direct
	stop  func() bool
	keep  bool
	err   error // what Read says from now on
}

// Read implements io.Reader.
func (b *directBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.body.Read(p)
	if err != nil {
		b.end(err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *directBody) Close() error {
	b.end(http.ErrBodyReadAfterClose)
	return nil
}

func (b *directBody) end(err error) {
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
