package verbatim

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Money is an amount in millionths of a millionth of a US dollar, so that the
// price of one token is a whole number and a sum is the same in any order.
type Money int64

// Dollar is one US dollar.
const Dollar Money = 1_000_000_000_000

// MaxMoney is the largest amount that is read, saved or charged.
const MaxMoney = 9_000_000 * Dollar

// ParseMoney reads an amount of dollars, such as "0.075" or "5". Amounts below
// 0, above 9,000,000 dollars and finer than Money can hold are errors.
func ParseMoney(s string) (Money, error) {
	r, ok := new(big.Rat).SetString(s)
	if !ok || strings.ContainsAny(s, "/_xXpP") || len(s) > 40 {
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

// String returns the amount for people, rounded to cents where there are some
// and else to two digits that count: "$12.30", "$0.0042", "$0".
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
	// Cached is for cached tokens of the prompt; nil: as Input.
	Cached  *Money `json:"cached,omitempty"`
	Output  Money  `json:"output"`            // of the answer, reasoning included
	Request Money  `json:"request,omitempty"` // for every request, in addition to its tokens; in dollars
	// UpTo is the longest prompt, in tokens, with this price; nil: any. The
	// price of longer ones is unknown.
	UpTo *int64 `json:"up_to,omitempty"`
	// Batch is the factor for requests in a batch; nil: unknown.
	Batch  *float64 `json:"batch,omitempty"`
	Source string   `json:"source,omitempty"` // the source of the price
	AsOf   string   `json:"as_of,omitempty"`  // the day: "2026-09-23"
}
