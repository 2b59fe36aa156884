package wire

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// takeUsage lays a report of token counts in OpenAI's spelling over an earlier
// one. Reports of one answer are cumulative: later ones say it better, and
// nothing is ever summed. DeepSeek has a spelling of its own for what was cached;
// OpenRouter adds what the answer cost, in dollars. Some servers count reasoning apart
// from the completion, which their total shows.
func (a *answer) takeUsage(raw json.RawMessage) {
	var hit, all *int64
	cached, completed, foreign := false, false, false
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "prompt_tokens":
			a.counted(&a.usage.Prompt, v)
		case "completion_tokens":
			completed = a.counted(&a.usage.Completion, v)
		case "total_tokens":
			all = count(v)
		case "prompt_cache_hit_tokens":
			hit = count(v)
		case "prompt_tokens_details":
			cached = a.counted(&a.usage.Cached, rawjson.Member(v, "cached_tokens"))
		case "completion_tokens_details":
			a.counted(&a.usage.Reasoning, rawjson.Member(v, "reasoning_tokens"))
		case "cost":
			a.cost = dollars(v)
		case "currency":
			foreign = rawjson.IsSet(v) && !strings.EqualFold(Word(v), "usd")
		}
	})
	if foreign {
		a.cost = nil
	}
	if u := &a.usage; completed && all != nil && u.Prompt != nil && u.Reasoning != nil && *all == *u.Prompt+*u.Completion+*u.Reasoning {
		*u.Completion += *u.Reasoning
	}
	if hit != nil && !cached {
		a.usage.Cached, a.news = hit, true
	}
}

// counted sets a number where the server gives one.
func (a *answer) counted(to **int64, raw json.RawMessage) bool {
	n, ok := Count(raw)
	if !ok {
		return false
	}
	if *to == nil {
		*to = new(int64)
	}
	**to, a.news = n, true // in place: some servers report with every word
	return true
}

// total sets a number to the sum of those of its parts that there are.
func total(to **int64, parts ...*int64) {
	n, some := int64(0), false
	for _, p := range parts {
		if p != nil {
			n, some = n+*p, true
		}
	}
	if !some {
		return
	}
	if *to == nil {
		*to = new(int64)
	}
	**to = n
}

// ParseUsage reads a report of token counts in OpenAI's spelling.
func ParseUsage(raw json.RawMessage) verbatim.Usage {
	var a answer
	if rawjson.Valid(raw) {
		a.takeUsage(raw)
	}
	return a.usage
}

// count returns a number of tokens, nil where raw is none.
func count(raw json.RawMessage) *int64 {
	n, ok := Count(raw)
	if !ok {
		return nil
	}
	return &n
}

// largestCount is the largest number that is believed: no reply has more tokens, no
// batch more requests.
const largestCount = 1_000_000_000

// number returns a whole number from 0 to largestCount, however it is written, and whether raw
// is one.
func Count(raw json.RawMessage) (int64, bool) {
	if len(raw) == 0 || raw[0] < '0' || raw[0] > '9' {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, n <= largestCount
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return int64(f), err == nil && f <= largestCount && f == float64(int64(f))
}

// dollars returns an amount that a provider reports, rounded to what Money can
// hold; nil where raw is none.
func dollars(raw json.RawMessage) *verbatim.Money {
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
