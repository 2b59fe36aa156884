package damage_test

import (
	"fmt"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/damage"
)

// A reply with a known failure, to test a grader with.
func ExampleSpoilers() {
	item := &verbatim.Item{Want: verbatim.TextAnswer("vXq4Tz")}
	for _, s := range damage.Spoilers("text") {
		if s.Label == "quoted" {
			reply, ok := s.Spoil(rand.New(rand.NewPCG(1, 1)), item)
			fmt.Println(reply != "vXq4Tz", ok)
		}
	}
	// Output: true true
}
