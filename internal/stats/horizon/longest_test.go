package horizon_test

import (
	"testing"

	"verbatim/internal/stats/horizon"
)

// TestLongestIsOfTheCurve: each of the three lengths is the last one at which its curve has the share.
func TestLongestIsOfTheCurve(t *testing.T) {
	f, err := horizon.Fit([]horizon.Counts{{Length: 4, N: 40, Right: 40}, {Length: 16, N: 40, Right: 33}, {Length: 64, N: 40, Right: 9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0.1, 0.5, 0.9, 0.95} {
		var want horizon.Longest
		for length := 4; length <= 64; length++ {
			expected, band, err := f.Curve(length)
			if err != nil {
				t.Fatal(err)
			}
			for at, value := range map[*int]float64{&want.Length: expected, &want.Low: band.Low, &want.High: band.High} {
				if value >= share {
					*at = length
				}
			}
		}
		if got, err := f.Longest(share, 4, 64); err != nil || got != want {
			t.Errorf("share %v: %+v, %v, want %+v", share, got, err, want)
		}
	}
}
