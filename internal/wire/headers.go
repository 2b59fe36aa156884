package wire

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/rawjson"
)

// maxValue is how many characters are saved of a header or of a name from a server.
const maxValue = 200

// requestID returns the id by which the provider can find the request.
func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Generation-Id"} {
		if v := h.Get(name); v != "" {
			return Clean(v, maxValue)
		}
	}
	return ""
}

// addUpstream adds what a proxy says of the server behind it: the headers of Hugging Face's
// router and of LiteLLM.
func (c *call) addUpstream(a *partialReply) {
	for _, name := range [...]string{"X-Inference-Provider", "X-Litellm-Model-Id", "X-Litellm-Model-Api-Base"} {
		if v := c.header.Get(name); v != "" {
			a.addApplied(strings.ToLower(name), rawjson.AppendString(nil, Clean(c.e.Key.Hide(v), maxValue)))
		}
	}
}

// rateLimits returns the rate-limit headers under lower-case names, nil for none.
func rateLimits(h http.Header) map[string]string {
	var m map[string]string
	for name, values := range h {
		// net/http has the names in this form.
		isLimit := strings.HasPrefix(name, "X-Ratelimit-") || strings.HasPrefix(name, "Ratelimit") ||
			strings.HasPrefix(name, "Anthropic-Ratelimit-")
		if !isLimit || len(values) == 0 || len(m) == 32 {
			continue
		}
		if m == nil {
			m = map[string]string{}
		}
		m[Clean(strings.ToLower(name), maxValue)] = Clean(values[0], maxValue)
	}
	return m
}

// retryAfter returns how long the server wants the client to wait: the header
// retry-after-ms, or Retry-After in seconds or as a date. A date is compared with the
// server's own clock if it sends one. 0 is unknown.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return duration(ms / 1000)
	}
	v := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(v, 64); err == nil {
		return duration(seconds)
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

// duration converts seconds, at most a year of them.
func duration(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds <= 0 {
		return 0
	}
	return time.Duration(min(seconds, 365*24*3600) * float64(time.Second))
}
