package wire

import (
	"encoding/json"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
)

// addUsage adds token counts in OpenAI's spelling. The counts of one reply are cumulative: a
// later one overwrites an earlier one. DeepSeek has a field of its own for cached tokens.
// OpenRouter adds the cost in dollars. Some servers count reasoning separately from the
// completion: then the total is the sum of all three.
func (a *partialReply) addUsage(raw json.RawMessage) {
	var hit, all *int64
	hasCached, hasCompletion, otherCurrency := false, false, false
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "prompt_tokens":
			a.setCount(&a.usage.Prompt, v)
		case "completion_tokens":
			hasCompletion = a.setCount(&a.usage.Completion, v)
		case "total_tokens":
			all = readOptionalCount(v)
		case "prompt_cache_hit_tokens":
			hit = readOptionalCount(v)
		case "prompt_tokens_details":
			hasCached = a.setCount(&a.usage.Cached, rawjson.Member(v, "cached_tokens"))
		case "completion_tokens_details":
			a.setCount(&a.usage.Reasoning, rawjson.Member(v, "reasoning_tokens"))
		case "cost":
			a.cost = readDollars(v)
		case "queue_time": // Groq: seconds
			a.queued = readSeconds(v)
		case "currency":
			otherCurrency = rawjson.IsSet(v) && !strings.EqualFold(Word(v), "usd")
		}
	})
	if otherCurrency {
		a.cost = nil
	}
	if u := &a.usage; hasCompletion && all != nil && u.Prompt != nil && u.Reasoning != nil && *all == *u.Prompt+*u.Completion+*u.Reasoning {
		*u.Completion += *u.Reasoning
	}
	if hit != nil && !hasCached {
		a.usage.Cached, a.active = hit, true
	}
}

// setCount sets a count if the server gives one, and reports whether it does.
func (a *partialReply) setCount(to **int64, raw json.RawMessage) bool {
	n, ok := ReadCount(raw)
	if !ok {
		return false
	}
	if *to == nil {
		*to = new(int64)
	}
	**to, a.active = n, true // in place: some servers report with every word
	return true
}

// setSum sets a count to the sum of its known parts. It is left as it is if none is known.
func setSum(to **int64, parts ...*int64) {
	n, isKnown := int64(0), false
	for _, p := range parts {
		if p != nil {
			n += *p
			isKnown = true
		}
	}
	if !isKnown {
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

// addTimings adds llama.cpp's times of a request. The rest of the request's time is the wait for
// a free slot, and the network.
func (a *partialReply) addTimings(raw json.RawMessage) {
	prompt := readSpan(rawjson.Member(raw, "prompt_ms"), time.Millisecond)
	reply := readSpan(rawjson.Member(raw, "predicted_ms"), time.Millisecond)
	if prompt != nil && reply != nil {
		a.worked = new(*prompt + *reply)
	}
}
