package app

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// A Claim is what a proof confirms: that a command of this user made the run with this model.
type trustClaim struct {
	Run    string // its uid
	Plan   string // the hash of its plan
	Params string // its parameters, as JSON
	Model  string // the name in the run
	// Destination is all that decides what is executed and where requests and keys
	// are sent.
	Destination string
}

// version is the beginning of every proof. A proof of another version confirms nothing.
const version = "1:"

// Prove returns the proof of a claim: an HMAC-SHA-256 with the user's key, which is made on first use.
// It is "" if no key can be read or made.
func (f trustFolder) prove(c trustClaim) string {
	key := f.key()
	if key == nil {
		key = f.makeKey()
	}
	if key == nil {
		return ""
	}
	return version + hex.EncodeToString(c.sum(key))
}

// Confirms reports whether proof is this user's proof of the claim. It makes no key.
func (f trustFolder) confirms(proof string, c trustClaim) bool {
	digits, ok := strings.CutPrefix(proof, version)
	sum, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return false
	}
	key := f.key()
	return key != nil && hmac.Equal(sum, c.sum(key))
}

// sum returns the HMAC of the fields. Each comes after its length, so that no two claims have the same
// bytes.
func (c trustClaim) sum(key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, field := range []string{"verbatim/run", c.Run, c.Plan, c.Params, c.Model, c.Destination} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(field)))
		mac.Write(size[:])
		mac.Write([]byte(field))
	}
	return mac.Sum(nil)
}
