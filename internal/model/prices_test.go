package model

import "testing"

func BenchmarkKnownPrices(b *testing.B) {
	for b.Loop() {
		KnownPrices()
	}
}
