//go:build !unix

package httpconn

import (
	"net"
	"syscall"
)

// A rawReader cannot wait without a buffer here.
type rawReader struct{ net.Conn }

func newRawReader(_ syscall.RawConn, conn net.Conn) *rawReader { return &rawReader{conn} }

// await calls read, which waits until something has come.
func (r *rawReader) await(read func() error) error { return read() }

// isQuiet is unknown on this system: that a connection was closed shows when it is used.
func (c *conn) isQuiet() bool { return true }
