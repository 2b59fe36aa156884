package verdict_test

import (
	"fmt"

	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// Two runs answered the same 40 items. A is always right; B is wrong on the first 12.
func ExampleCompare() {
	a, b := verdicttest.BinarySides(40, 12)
	c, err := verdict.Compare(a, b, verdict.Defaults("score", verdicttest.StoredScore))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.2f (%.2f to %.2f)\n", c.Word, c.Difference.Value, c.Difference.Low, c.Difference.High)
	// Output:
	// worse: -0.30 (-0.44 to -0.15)
}
