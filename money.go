package verbatim

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Money is an amount in millionths of a millionth of a US dollar (1e-12 dollars). The price of one
// token is then a whole number, and a sum is the same in any order.
type Money int64

// Dollar is one US dollar.
const Dollar Money = 1_000_000_000_000

// MaxMoney is the largest amount that is read, saved or charged.
const MaxMoney = 9_000_000 * Dollar

// ParseMoney reads an amount of dollars, such as "0.075" or "5". It is an error if the amount is below
// 0, above MaxMoney, or no multiple of Money's unit.
func ParseMoney(s string) (Money, error) {
	if len(s) > 40 || strings.ContainsAny(s, "/_xXpP") {
		return 0, fmt.Errorf("%q is not an amount of dollars", s)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return 0, fmt.Errorf("%q is not an amount of dollars", s)
	}
	r.Mul(r, new(big.Rat).SetInt64(int64(Dollar)))
	switch {
	case r.Sign() < 0:
		return 0, fmt.Errorf("%q is less than nothing", s)
	case r.Cmp(new(big.Rat).SetInt64(int64(MaxMoney))) > 0:
		return 0, fmt.Errorf("%q is more than 9,000,000 dollars", s)
	case !r.IsInt():
		return 0, fmt.Errorf("%q is finer than a millionth of a millionth of a dollar", s)
	}
	return Money(r.Num().Int64()), nil
}

// Decimal returns the exact amount in dollars: "0.000075".
func (m Money) Decimal() string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	s := fmt.Sprintf("%s%d.%012d", sign, int64(m/Dollar), int64(m%Dollar))
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// String returns the amount for people. It is rounded to cents, or below ten cents to two significant
// digits: "$12.30", "$0.0042", "$0".
func (m Money) String() string {
	d := float64(m) / float64(Dollar)
	switch {
	case m == 0:
		return "$0"
	case d >= 0.095 || d <= -0.095:
		return "$" + strconv.FormatFloat(d, 'f', 2, 64)
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(d, 'e', 1, 64), 64)
	return "$" + strconv.FormatFloat(r, 'f', -1, 64)
}

// MarshalJSON writes the exact amount as a number of dollars.
func (m Money) MarshalJSON() ([]byte, error) { return []byte(m.Decimal()), nil }

// UnmarshalJSON reads a number of dollars.
func (m *Money) UnmarshalJSON(data []byte) (err error) {
	*m, err = ParseMoney(string(data))
	return err
}

// A Price is the price of a model in dollars for a million tokens.
type Price struct {
	Input Money `json:"input"` // of the prompt
	// Cached is the price of cached tokens of the prompt; nil: Input.
	Cached  *Money `json:"cached,omitempty"`
	Output  Money  `json:"output"`            // of the answer, reasoning included
	Request Money  `json:"request,omitempty"` // for each request, in addition to its tokens
	// UpTo is the longest prompt with this price, in tokens; nil: any. The price of longer prompts
	// is unknown.
	UpTo *int64 `json:"up_to,omitempty"`
	// Batch is the factor for requests in a batch; nil: unknown.
	Batch  *float64 `json:"batch,omitempty"`
	Source string   `json:"source,omitempty"` // the source of the price
	AsOf   string   `json:"as_of,omitempty"`  // the day: "2026-09-23"
}
