package fake

import (
	"slices"
	"unicode/utf8"
)

// route draws the upstream that answers, and applies what it does to the text.
func (r *reply) route(c *Config) {
	var open []Upstream
	for _, u := range c.Upstreams {
		if len(r.request.providers) == 0 || u.Stray || slices.Contains(r.request.providers, u.Name) {
			open = append(open, u)
		}
	}
	if len(open) == 0 {
		open = c.Upstreams // a router falls back rather than fail
	}
	u := open[r.request.rand(c.Seed, drawUpstream).IntN(len(open))]
	r.upstream = u.Name
	if u.Short {
		_, n := utf8.DecodeLastRuneInString(r.text)
		r.text = r.text[:len(r.text)-n]
	}
}
