package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Rand returns the random source of one item: ChaCha8 keyed with the SHA-256 of the item's name. The
// length of each part of the name is hashed before it, so that different names give different
// texts. Seed and index are hashed and not added: seeds 1 and 2 share no item.
func Rand(family string, version int, parameters string, seed, index uint64) *rand.Rand {
	var b []byte
	for _, s := range []string{"verbatim item", family, parameters} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	for _, n := range []uint64{uint64(version), seed, index} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return rand.New(rand.NewChaCha8(sha256.Sum256(b)))
}
