//go:build !unix

package wire

import (
	"net"
	"syscall"
)

// A rawReader cannot wait without a buffer here.
type rawReader struct{ net.Conn }

func newRawReader(_ syscall.RawConn, conn net.Conn) *rawReader { return &rawReader{conn} }

// await calls read, which waits until something has come.
func (r *rawReader) await(read func() error) error { return read() }

// isQuiet cannot be told here: a connection that was closed shows when it is used.
func (c *directConn) isQuiet() bool { return true }
