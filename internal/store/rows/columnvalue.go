package rows

import (
	"math"
	"strings"
	"time"

	"verbatim"
)

// Clean makes a text valid UTF-8. It is for words of our own and of protocols;
// what a model said is saved as it came.
func Clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// blobOf is a text of any bytes as it is bound; the empty text is NULL.
func blobOf(s string) any {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// textOf is a valid text as it is bound; the empty text is NULL.
func textOf(s string) any {
	if s == "" {
		return nil
	}
	return Clean(s)
}

// Finite returns a score that is a number, else nil.
func Finite(f *float64) *float64 {
	if f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
		return nil
	}
	return f
}

// number is a number whose 0 says nothing; it is NULL.
func number(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// duration is a length of time as it is saved; 0 is NULL.
func duration(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return int64(d)
}

// money is an amount as it is saved. What cannot be a cost is not known.
func money(m *verbatim.Money) any {
	if m == nil || *m < 0 || *m > verbatim.MaxMoney {
		return nil
	}
	return int64(*m)
}

// Instant is a time as it is saved: nanoseconds since 1970, or NULL for the zero
// time and for times that do not fit.
func Instant(t time.Time) any {
	if t.IsZero() || t.Year() < 1678 || t.Year() > 2261 {
		return nil
	}
	return t.UnixNano()
}

// moment is the reverse of instant, in UTC.
func moment(ns *int64) time.Time {
	if ns == nil {
		return time.Time{}
	}
	return time.Unix(0, *ns).UTC()
}
