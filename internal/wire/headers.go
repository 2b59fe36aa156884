package wire

import (
	"errors"
	"net/http"
	"strings"

	"verbatim/internal/rawjson"
	"verbatim/internal/upstream"
)

// requestID returns the id by which the provider can find the request, "" for none.
func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Generation-Id"} {
		if v := h.Get(name); v != "" {
			return CleanLine(v, maxValue)
		}
	}
	return ""
}

// addUpstream adds the headers in which a router names the server behind it: Hugging Face's
// router, LiteLLM, Bifrost, and Portkey, which names an index in its configuration.
func (c *call) addUpstream(a *appliedParams) {
	for _, name := range [...]string{"X-Inference-Provider", "X-Litellm-Model-Id", "X-Litellm-Model-Api-Base", "X-Bifrost-Provider", "X-Portkey-Last-Used-Option-Index"} {
		if v := c.header.Get(name); v != "" {
			a.addApplied(strings.ToLower(name), rawjson.AppendString(nil, CleanLine(c.e.Key.Hide(v), maxValue)))
		}
	}
}

// failedUpstream returns the server behind a router that failed. The error names it, otherwise
// the events or the headers of the response.
func (c *call) failedUpstream(err error) string {
	var s *serverError
	if errors.As(err, &s) && s.upstream != "" {
		return s.upstream
	}
	a := c.params
	if a == nil {
		a = new(appliedParams)
	}
	c.addUpstream(a)
	return CleanLine(c.e.Key.Hide(upstream.Of("{"+string(a.applied)+"}")), maxValue)
}

// rateLimits returns the rate-limit headers, at most 32, under lower-case names; nil for none.
func rateLimits(h http.Header) map[string]string {
	var m map[string]string
	for name, values := range h {
		// net/http writes names in this form.
		isLimit := strings.HasPrefix(name, "X-Ratelimit-") || strings.HasPrefix(name, "Ratelimit") ||
			strings.HasPrefix(name, "Anthropic-Ratelimit-")
		if !isLimit || len(values) == 0 || len(m) == 32 {
			continue
		}
		if m == nil {
			m = map[string]string{}
		}
		m[CleanLine(strings.ToLower(name), maxValue)] = CleanLine(values[0], maxValue)
	}
	return m
}
