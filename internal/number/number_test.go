package number

import (
	"math"
	"testing"
)

// 100.0 means all, 0.0 means none, and 1.000 means that every score was full.
func TestRoundingKeepsTheEndsApart(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0.0", 1: "100.0", 0.5: "50.0", 0.0001: "<0.1", 2999.0 / 3000: ">99.9", 0.9994: "99.9", 0.0006: "0.1",
	} {
		if got := Percent(&share); got != want {
			t.Errorf("percent(%v) = %s, want %s", share, got, want)
		}
	}
	for mean, want := range map[float64]string{0: "0.000", 1: "1.000", 0.9999: "0.999", 1 - 1e-15: "1.000", 0.12345: "0.123", -1.319: "-1.319"} {
		if got := Score(&mean); got != want {
			t.Errorf("score(%v) = %s, want %s", mean, got, want)
		}
	}
	if Percent(nil) != Missing || Score(nil) != Missing || PercentRange(nil, nil, 1) != Missing || Seconds(nil) != Missing {
		t.Error("an unknown value is printed as a number")
	}
}

func TestSeconds(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0 ms", 1e-9: "0 ms", 1.5e-6: "0.0015 ms", 0.000123: "0.12 ms", 0.012: "12 ms", 0.0994: "99 ms", 0.0999: "0.10 s", 0.82: "0.82 s", 9.99: "9.99 s", 9.999: "10.0 s",
		61.5: "61.5 s", 99.99: "1 m 39 s", 3599: "59 m 59 s", 3600: "1 h 00 m", 90061: "25 h 01 m",
	} {
		if got := Seconds(&v); got != want {
			t.Errorf("seconds(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	for n, want := range map[int64][2]string{
		0: {"0", "0"}, 999: {"999", "999"}, 1000: {"1,000", "1,000"}, 9999: {"9,999", "9,999"}, 12345: {"12,345", "12.3k"},
		999_400: {"999,400", "999k"}, 999_600: {"999,600", "1M"}, 1_234_567: {"1,234,567", "1.23M"}, 5e9: {"5,000,000,000", "5G"}, 2e12: {"2,000,000,000,000", "2T"}, math.MaxInt64: {"9,223,372,036,854,775,807", "9.22E"}, -1234: {"-1,234", "-1,234"},
	} {
		if got := [2]string{Count(n), Short(n)}; got != want {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
}

// A whole percentage is 100 or 0 only if it is exactly that.
func TestItems(t *testing.T) {
	for want, c := range map[string][2]int64{"20": {20, 20}, "20×5": {20, 100}, "20 (97)": {20, 97}, "1,440×2": {1440, 2880}, "0": {0, 0}} {
		if got := Items(c[0], c[1]); got != want {
			t.Errorf("%d answers to %d items: %q, want %q", c[1], c[0], got, want)
		}
	}
}

func TestWholeShare(t *testing.T) {
	for _, c := range []struct {
		share *float64
		want  string
	}{
		{nil, Missing}, {pointer(0), "0"}, {pointer(1), "100"}, {pointer(0.9999), ">99"}, {pointer(0.995), ">99"}, {pointer(0.994), "99"},
		{pointer(0.0001), "<1"}, {pointer(0.0049), "<1"}, {pointer(0.0051), "1"}, {pointer(0.5), "50"},
	} {
		if got := WholePercent(c.share); got != c.want {
			t.Errorf("%v is printed as %q, want %q", c.share, got, c.want)
		}
	}
}

func pointer(v float64) *float64 { return &v }
