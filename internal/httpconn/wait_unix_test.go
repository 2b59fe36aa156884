//go:build unix

package httpconn

import (
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
)

// A connection is waited for without a buffer: read is called before something has
// come, says so, and is called again when it has. The end and an error are as those of
// package net.
func TestAwait(t *testing.T) {
	for _, c := range []struct {
		name string
		act  func(*net.TCPConn)
		want string
	}{
		{"bytes", func(c *net.TCPConn) { c.Write([]byte("x")) }, ""},
		{"end", func(c *net.TCPConn) { c.Close() }, io.EOF.Error()},
		{"reset", func(c *net.TCPConn) { c.SetLinger(0); c.Close() }, "connection reset by peer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			server, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			raw, err := conn.(syscall.Conn).SyscallConn()
			if err != nil {
				t.Fatal(err)
			}
			r, calls := newRawReader(raw, conn), 0
			err = r.await(func() error {
				if calls++; calls == 1 {
					defer c.act(server.(*net.TCPConn))
				}
				_, err := r.Read(make([]byte, 1))
				return err
			})
			if calls != 2 || (err == nil) != (c.want == "") || err != nil && !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%d calls, %v; want 2 and %q", calls, err, c.want)
			}
			if c.name == "reset" && !strings.HasPrefix(err.Error(), "read tcp 127.0.0.1:") {
				t.Errorf("%v is not the error that package net gives", err)
			}
		})
	}
}
