package cli

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/pflag"
)

// A seed is the value of --seed: a number, or "random", which draws one. Its text is the number,
// so that a printed command names the seed that was drawn.
type seed uint64

// registerSeed adds the flag --seed of drawn items. Its default is 1.
func registerSeed(f *pflag.FlagSet, value *uint64) {
	*value = 1
	f.Var((*seed)(value), "seed", "seed of the items, a `number`, or random to draw one")
}

// String returns the number.
func (s *seed) String() string { return strconv.FormatUint(uint64(*s), 10) }

// Type returns the type of the value, for the help.
func (s *seed) Type() string { return "number" }

// Set reads a number or draws one. A drawn one has at most 15 digits, so that people can read and
// type it.
func (s *seed) Set(text string) error {
	if text == "random" {
		*s = seed(1 + rand.Uint64N(999_999_999_999_999))
		return nil
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number from 0 to 2^64-1, and not random", text)
	}
	*s = seed(n)
	return nil
}
