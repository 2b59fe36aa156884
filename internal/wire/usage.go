package wire

import (
	"encoding/json"
	"strconv"

	"verbatim"
)

// usage is a report of token counts in OpenAI's spelling, and DeepSeek's for
// what was cached. Its numbers are nil where they are missing or no counts.
type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	CacheHit   count `json:"prompt_cache_hit_tokens"`
	In         struct {
		Cached count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	Out struct {
		Reasoning count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// UnmarshalJSON never fails: a report that cannot be read is none.
func (u *usage) UnmarshalJSON(raw []byte) error {
	type plain usage
	var p plain
	if json.Unmarshal(raw, &p) == nil {
		*u = usage(p)
	}
	return nil
}

// addTo lays the report over an earlier one and reports whether it held any
// number. Reports of one answer are cumulative: later ones say it better, and
// nothing is ever summed.
func (u *usage) addTo(to *verbatim.Usage) bool {
	cached := u.In.Cached
	if cached.n == nil {
		cached = u.CacheHit
	}
	any := false
	for _, f := range []struct {
		from count
		to   **int64
	}{{u.Prompt, &to.Prompt}, {u.Completion, &to.Completion}, {u.Out.Reasoning, &to.Reasoning}, {cached, &to.Cached}} {
		if f.from.n != nil {
			*f.to = f.from.n
			any = true
		}
	}
	return any
}

// ParseUsage reads a report of token counts in OpenAI's spelling.
func ParseUsage(raw json.RawMessage) verbatim.Usage {
	var u usage
	var out verbatim.Usage
	if u.UnmarshalJSON(raw) == nil {
		u.addTo(&out)
	}
	return out
}

// A count is a number of tokens, nil where there is none.
type count struct{ n *int64 }

// UnmarshalJSON never fails.
func (c *count) UnmarshalJSON(raw []byte) error {
	if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f >= 0 && f < 1<<53 && f == float64(int64(f)) {
		n := int64(f)
		c.n = &n
	}
	return nil
}
