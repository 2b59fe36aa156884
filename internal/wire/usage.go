package wire

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
)

// addUsage adds token counts in OpenAI's spelling. Reports of one reply are cumulative: a later one
// overwrites, and nothing is summed. DeepSeek has a field of its own for cached tokens.
// OpenRouter adds the cost in dollars. Some servers count reasoning separately from the
// completion, which their total shows.
func (a *partialReply) addUsage(raw json.RawMessage) {
	var hit, all *int64
	cached, completed, foreign := false, false, false
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "prompt_tokens":
			a.setCount(&a.usage.Prompt, v)
		case "completion_tokens":
			completed = a.setCount(&a.usage.Completion, v)
		case "total_tokens":
			all = optionalCount(v)
		case "prompt_cache_hit_tokens":
			hit = optionalCount(v)
		case "prompt_tokens_details":
			cached = a.setCount(&a.usage.Cached, rawjson.Member(v, "cached_tokens"))
		case "completion_tokens_details":
			a.setCount(&a.usage.Reasoning, rawjson.Member(v, "reasoning_tokens"))
		case "cost":
			a.cost = dollars(v)
		case "queue_time": // Groq: seconds
			a.queued = seconds(v)
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
		a.usage.Cached, a.active = hit, true
	}
}

// setCount sets a number if the server gives one.
func (a *partialReply) setCount(to **int64, raw json.RawMessage) bool {
	n, ok := Count(raw)
	if !ok {
		return false
	}
	if *to == nil {
		*to = new(int64)
	}
	**to, a.active = n, true // in place: some servers report with every word
	return true
}

// setSum sets a number to the sum of those of its parts that are known.
func setSum(to **int64, parts ...*int64) {
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
	var a partialReply
	if rawjson.Valid(raw) {
		a.addUsage(raw)
	}
	return a.usage
}

// optionalCount returns a number of tokens, nil if raw is no number.
func optionalCount(raw json.RawMessage) *int64 {
	n, ok := Count(raw)
	if !ok {
		return nil
	}
	return &n
}

// maxCount is the largest number that Count accepts: no reply has more tokens, no batch
// more requests.
const maxCount = 1_000_000_000

// Count returns a whole number from 0 to maxCount, however it is written, and whether raw is
// one.
func Count(raw json.RawMessage) (int64, bool) {
	if len(raw) == 0 || raw[0] < '0' || raw[0] > '9' {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, n <= maxCount
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return int64(f), err == nil && f <= maxCount && f == float64(int64(f))
}

// dollars returns an amount that a provider reports, rounded to what Money can hold; nil if
// raw is no amount.
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

// seconds returns a time that a server reports in seconds, nil if raw does not say one.
func seconds(raw json.RawMessage) *time.Duration { return span(raw, time.Second) }

// span returns a time that a server reports in a unit, nil if raw does not say one. No reply
// takes a year.
func span(raw json.RawMessage, unit time.Duration) *time.Duration {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(f >= 0) || f > float64(365*24*time.Hour/unit) {
		return nil
	}
	d := time.Duration(f * float64(unit))
	return &d
}

// addTimings adds llama.cpp's times of a request: what is left of its whole time is the wait
// for a free slot, and the network.
func (a *partialReply) addTimings(raw json.RawMessage) {
	prompt, answer := span(rawjson.Member(raw, "prompt_ms"), time.Millisecond), span(rawjson.Member(raw, "predicted_ms"), time.Millisecond)
	if prompt != nil && answer != nil {
		worked := *prompt + *answer
		a.worked = &worked
	}
}
