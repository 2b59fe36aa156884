// Package runes compares texts by code points. A text need not be UTF-8: each stray
// byte is a code point of its own, as in Python's surrogateescape, and survives a
// round trip through Decode and Encode.
package runes
