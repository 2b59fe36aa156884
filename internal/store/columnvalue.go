package store

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// clean returns a text in valid UTF-8, with U+FFFD for other bytes. It is for texts of this
// program and of protocols. Replies of models are saved with their own bytes.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// The functions below return a value as it is bound to a column. nil is NULL.

// blobOf returns a text of any bytes; nil for "".
func blobOf(s string) any {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// textOf returns a text in valid UTF-8; nil for "".
func textOf(s string) any {
	if s == "" {
		return nil
	}
	return clean(s)
}

// number returns a number or a duration in nanoseconds; nil for 0, which means unknown.
func number[T ~int | ~int64](n T) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}

// jsonOf returns the JSON of a value; nil for nil. what names the value in an error.
func jsonOf[T any](v *T, what string) (any, error) {
	if v == nil {
		return nil, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return string(b), nil
}

// scanJSON is the reverse of jsonOf for the next column. what names the column in an error.
func scanJSON[T any](r *sqlite.Rows, what string) (*T, error) {
	body := r.Bytes()
	if body == nil {
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal(body, v); err != nil {
		return nil, sqlite.UnreadableError(r.Path, what, err)
	}
	return v, nil
}

// money returns an amount; nil for an unknown one and for one that cannot be a cost.
func money(m *verbatim.Money) any {
	if m == nil || *m < 0 || *m > verbatim.MaxMoney {
		return nil
	}
	return int64(*m)
}

// instant returns a time as nanoseconds since 1970; nil for the zero time and for times that
// do not fit.
func instant(t time.Time) any {
	if t.IsZero() || t.Year() < 1678 || t.Year() > 2261 {
		return nil
	}
	return t.UnixNano()
}

// moment is the reverse of Instant, in UTC.
func moment(ns *int64) time.Time {
	if ns == nil {
		return time.Time{}
	}
	return time.Unix(0, *ns).UTC()
}

// finite returns a score that is neither NaN nor infinite; nil for any other.
func finite(score *float64) *float64 {
	if score == nil || math.IsNaN(*score) || math.IsInf(*score, 0) {
		return nil
	}
	return score
}
