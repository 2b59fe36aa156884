//go:build !unix

package wire

// isQuiet cannot be told here: a connection that was closed shows when it is used.
func (c *directConn) isQuiet() bool { return true }
