package wire

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// retryAfterHeader returns how long the server asks the client to wait: the header Retry-retryAfterHeader-Ms, or
// Retry-After in seconds or as a date. A date is compared with the server's own clock if the
// headers have it, otherwise with now. 0 is unknown.
func retryAfterHeader(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return retrySeconds(ms / 1000)
	}
	v := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(v, 64); err == nil {
		return retrySeconds(seconds)
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now))
}

// retrySeconds converts seconds, at most a year. Negative ones and NaN are 0.
func retrySeconds(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds <= 0 {
		return 0
	}
	return time.Duration(min(seconds, 365*24*3600) * float64(time.Second))
}
