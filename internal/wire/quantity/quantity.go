// Package quantity reads the numbers of replies: counts, amounts of money and times.
package quantity

import (
	"encoding/json"
	"math/big"
	"strconv"
	"time"

	"verbatim"
)

// OptionalCount returns a number of tokens, nil if raw is no number.
func OptionalCount(raw json.RawMessage) *int64 {
	n, ok := Count(raw)
	if !ok {
		return nil
	}
	return &n
}

// maxCount is the largest number that Count accepts: no reply has more tokens, no batch
// more requests.
const maxCount = 1_000_000_000

// Count returns a whole number from 0 to maxCount, however it is written, and whether raw is
// one.
func Count(raw json.RawMessage) (int64, bool) {
	if len(raw) == 0 || raw[0] < '0' || raw[0] > '9' {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, n <= maxCount
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return int64(f), err == nil && f <= maxCount && f == float64(int64(f))
}

// Dollars returns an amount that a provider reports, rounded to what Money can hold; nil if
// raw is no amount.
func Dollars(raw json.RawMessage) *verbatim.Money {
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
	m := verbatim.Money(new(big.Int).Quo(exact.Num(), exact.Denom()).Int64())
	return &m
}

// Seconds returns a time that a server reports in seconds, nil if raw does not say one.
func Seconds(raw json.RawMessage) *time.Duration { return Span(raw, time.Second) }

// Span returns a time that a server reports in a unit, nil if raw does not say one. No reply
// takes a year.
func Span(raw json.RawMessage, unit time.Duration) *time.Duration {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(f >= 0) || f > float64(365*24*time.Hour/unit) {
		return nil
	}
	d := time.Duration(f * float64(unit))
	return &d
}
