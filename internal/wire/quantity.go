package wire

import (
	"encoding/json"
	"math/big"
	"strconv"
	"time"

	"verbatim"
)

// readOptionalCount is Count with nil for what is no count.
func readOptionalCount(raw json.RawMessage) *int64 {
	if n, ok := ReadCount(raw); ok {
		return &n
	}
	return nil
}

// maxCount is the largest number that Count accepts: no reply has more tokens, no batch
// more requests.
const maxCount = 1_000_000_000

// ReadCount returns a whole number from 0 to maxCount, also if it is written as 3.0 or 3e0. ok is
// false for anything else.
func ReadCount(raw json.RawMessage) (n int64, ok bool) {
	if len(raw) == 0 || raw[0] < '0' || raw[0] > '9' {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, n <= maxCount
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return int64(f), err == nil && f <= maxCount && f == float64(int64(f))
}

// readDollars returns an amount of dollars that a provider reports, rounded to the unit of Money;
// nil if raw is no amount from 0 to a million.
func readDollars(raw json.RawMessage) *verbatim.Money {
	if len(raw) == 0 || len(raw) > 40 || raw[0] < '0' || raw[0] > '9' {
		return nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f > 1e6 {
		return nil
	}
	exact, ok := new(big.Rat).SetString(string(raw))
	if !ok {
		return nil
	}
	exact.Mul(exact, new(big.Rat).SetInt64(int64(verbatim.Dollar)))
	exact.Add(exact, big.NewRat(1, 2))
	return new(verbatim.Money(new(big.Int).Quo(exact.Num(), exact.Denom()).Int64()))
}

// readSeconds is Span with the unit second.
func readSeconds(raw json.RawMessage) *time.Duration { return readSpan(raw, time.Second) }

// readSpan returns a duration that a server reports as a number of units; nil if raw is no number
// from 0 to a year.
func readSpan(raw json.RawMessage, unit time.Duration) *time.Duration {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(f >= 0) || f > float64(365*24*time.Hour/unit) {
		return nil
	}
	return new(time.Duration(f * float64(unit)))
}
