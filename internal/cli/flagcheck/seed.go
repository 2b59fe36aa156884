package flagcheck

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// A Seed is the value of a flag for the seed of drawn items: a number, or "random", which draws
// one. Its text is the number, so that a command that is repeated names the seed that was drawn.
type Seed uint64

// RegisterSeed adds the flag --seed, which is 1 where it is not given.
func RegisterSeed(f *pflag.FlagSet, seed *uint64) {
	*seed = 1
	f.Var((*Seed)(seed), "seed", "seed of the items, a `number`, or random to draw one")
}

// String is the number.
func (v *Seed) String() string { return strconv.FormatUint(uint64(*v), 10) }

// Type is how help calls the value.
func (v *Seed) Type() string { return "number" }

// Set reads a number or draws one. A drawn one has up to 15 digits: it is read and typed.
func (v *Seed) Set(text string) error {
	if text == "random" {
		var b [8]byte
		rand.Read(b[:])
		*v = Seed(1 + binary.BigEndian.Uint64(b[:])%999_999_999_999_999)
		return nil
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number from 0 to 2^64-1, and not random", text)
	}
	*v = Seed(n)
	return nil
}
