//go:build !unix

package httpconn

import (
	"net"
	"syscall"
)

// A rawReader reads from a connection. On this system it cannot wait without a buffer.
type rawReader struct{ net.Conn }

func newRawReader(_ syscall.RawConn, conn net.Conn) *rawReader { return &rawReader{conn} }

// await calls read, which waits for data.
func (r *rawReader) await(read func() error) error { return read() }

// isQuiet is always true on this system: whether the server has closed a connection is known only when
// it is used.
func (c *conn) isQuiet() bool { return true }
