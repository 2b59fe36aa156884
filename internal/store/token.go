package store

import (
	"crypto/rand"
	"encoding/hex"
)

// newToken returns a random name of 32 hexadecimal digits.
func newToken() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
