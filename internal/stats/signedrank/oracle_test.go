package signedrank_test

import (
	"strconv"
	"testing"
)

// number reads a number of the oracle.
func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
