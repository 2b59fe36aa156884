//go:build unix

package httpconn

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// A rawReader reads from a connection, and can wait for data without a buffer.
type rawReader struct {
	raw  syscall.RawConn
	conn net.Conn
	fd   int // during await the file descriptor; otherwise -1
}

func newRawReader(raw syscall.RawConn, conn net.Conn) *rawReader {
	return &rawReader{raw: raw, conn: conn, fd: -1}
}

// errNothingYet is the error of Read during await if no data have arrived.
var errNothingYet = errors.New("no data yet")

// await waits for data and then calls read, which calls Read, until there are some.
func (r *rawReader) await(read func() error) (err error) {
	waited := r.raw.Read(func(fd uintptr) bool {
		r.fd = int(fd)
		err = read()
		r.fd = -1
		return err != errNothingYet
	})
	if waited != nil {
		return waited
	}
	return err
}

// Read implements io.Reader. During await it does not wait.
func (r *rawReader) Read(p []byte) (int, error) {
	if r.fd < 0 {
		return r.conn.Read(p)
	}
	for {
		n, err := syscall.Read(r.fd, p)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN || err == syscall.EWOULDBLOCK:
			return 0, errNothingYet
		case err != nil: // in the form in which package net returns it
			return 0, &net.OpError{Op: "read", Net: r.conn.RemoteAddr().Network(), Source: r.conn.LocalAddr(), Addr: r.conn.RemoteAddr(), Err: os.NewSyscallError("read", err)}
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// isQuiet reports whether the server has neither closed the connection nor sent anything
// on it since it became idle.
func (c *conn) isQuiet() bool {
	if c.raw == nil {
		return true
	}
	quiet := false
	err := c.raw.raw.Read(func(fd uintptr) bool {
		var b [1]byte
		_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		quiet = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
		return true
	})
	return err == nil && quiet
}
