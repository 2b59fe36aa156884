package lease

import (
	"crypto/rand"
	"encoding/hex"
)

// NewToken returns a name that no other process gives to anything.
func NewToken() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
