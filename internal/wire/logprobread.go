package wire

import (
	"math"
	"strconv"

	"verbatim"
	"verbatim/internal/rawjson"
)

// maxAlternatives bounds the alternatives of one token. Some servers give more than OpenAI,
// which gives at most 20.
const maxAlternatives = 1000

// readLogprobs reads a list in the form of chat completions, the Responses API and Ollama:
//
//	[{"token": "a", "bytes": [97], "logprob": -0.1, "top_logprobs": [{"token": …, "bytes": …, "logprob": …}, …]}, …]
//
// ok is false if anything in it cannot be read.
func readLogprobs(list []byte) (tokens []verbatim.Token, ok bool) {
	ok = true
	isList := rawjson.Elements(list, func(raw []byte) {
		t, isToken := token(raw)
		top, areTokens := alternatives(rawjson.Member(raw, "top_logprobs"))
		t.Top = top
		tokens = append(tokens, t)
		ok = ok && isToken && areTokens
	})
	return tokens, ok && isList
}

// readGeminiLogprobs reads a list in Gemini's form, with chosen tokens and alternatives apart:
//
//	{"chosenCandidates": [{"token": "a", "logProbability": -0.1}, …], "topCandidates": [{"candidates": [{…}, …]}, …]}
//
// ok is false if anything in it cannot be read.
func readGeminiLogprobs(result []byte) (tokens []verbatim.Token, ok bool) {
	ok = true
	rawjson.Elements(rawjson.Member(result, "chosenCandidates"), func(raw []byte) {
		t, isToken := token(raw)
		ok = ok && isToken
		tokens = append(tokens, t)
	})
	place := 0
	rawjson.Elements(rawjson.Member(result, "topCandidates"), func(raw []byte) {
		if place < len(tokens) {
			top, areTokens := alternatives(rawjson.Member(raw, "candidates"))
			tokens[place].Top = top
			ok = ok && areTokens
		}
		place++
	})
	return tokens, ok
}

// alternatives reads the alternatives of a token. A missing list has none. ok is false if one
// cannot be read, or if there are too many.
func alternatives(list []byte) (top []verbatim.Token, ok bool) {
	ok = true
	rawjson.Elements(list, func(raw []byte) {
		t, isToken := token(raw)
		ok = ok && isToken && len(top) < maxAlternatives
		if ok {
			top = append(top, t)
		}
	})
	return top, ok
}

// token reads a token without its alternatives. The list of bytes overrides the text, because a
// token may be a part of a character.
func token(raw []byte) (t verbatim.Token, ok bool) {
	var text, list, number []byte
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "token":
			text = v
		case "bytes":
			list = v
		case "logprob", "logProbability":
			number = v
		}
	})
	if t.Text, ok = rawjson.Text(text); !ok {
		return t, false
	}
	if t.Logprob, ok = logprob(number); !ok {
		return t, false
	}
	var bytes []byte
	rawjson.Elements(list, func(v []byte) {
		n, err := strconv.ParseUint(string(v), 10, 8)
		ok = ok && err == nil
		bytes = append(bytes, byte(n))
	})
	if len(bytes) > 0 {
		t.Text = string(bytes)
	}
	return t, ok
}

// logprob reads a log probability. Some servers write that of probability zero as a number
// below all of float64.
func logprob(number []byte) (float64, bool) {
	p, err := strconv.ParseFloat(string(number), 64)
	if math.IsInf(p, -1) {
		p, err = -math.MaxFloat64, nil
	}
	return p, err == nil && !math.IsNaN(p) && !math.IsInf(p, 0)
}
