package store

import (
	"crypto/rand"
	"encoding/hex"
)

// NewToken returns a random name of 32 hexadecimal digits.
func NewToken() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
