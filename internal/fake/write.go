package fake

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/rawjson"
)

// makeUpLogprobs divides a text into tokens and makes up their probabilities and those of n alternatives
// each. The same random numbers make the same tokens. The probabilities of a token's alternatives
// sum to at most 1.
func makeUpLogprobs(text string, n int, random *rand.Rand) (tokens []verbatim.Token) {
	for text != "" {
		size := min(len(text), tokenBytes)
		for size < len(text) && !utf8.RuneStart(text[size]) {
			size++
		}
		share := 0.5 + 0.49*random.Float64()
		t := verbatim.Token{Text: text[:size], Logprob: math.Log(share)}
		t.Top = []verbatim.Token{{Text: t.Text, Logprob: t.Logprob}}
		for left := 1 - share; len(t.Top) < n; {
			part := left * (0.3 + 0.4*random.Float64())
			left -= part
			t.Top = append(t.Top, verbatim.Token{Text: t.Text + strconv.Itoa(len(t.Top)), Logprob: math.Log(part)})
		}
		tokens = append(tokens, t)
		text = text[size:]
	}
	return tokens
}

// spellTokens returns the text of tokens.
func spellTokens(tokens []verbatim.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.Text)
	}
	return b.String()
}

// appendChatLogprobs appends the value of "logprobs" in a choice of chat completions.
func appendChatLogprobs(b []byte, tokens []verbatim.Token) []byte {
	if len(tokens) == 0 {
		return append(b, "null"...)
	}
	b = append(b, `{"content":`...)
	b = appendLogprobList(b, tokens)
	return append(b, `,"refusal":null}`...)
}

// appendLogprobList appends a list of tokens with their alternatives, as chat completions, the Responses
// API and Ollama have it.
func appendLogprobList(b []byte, tokens []verbatim.Token) []byte {
	b = append(b, '[')
	for i, t := range tokens {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendToken(b, t)
		b = append(b, `,"top_logprobs":[`...)
		for j, other := range t.Top {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(appendToken(b, other), '}')
		}
		b = append(b, "]}"...)
	}
	return append(b, ']')
}

// appendToken appends a token as an object without its closing brace.
func appendToken(b []byte, t verbatim.Token) []byte {
	b = append(b, `{"token":`...)
	b = rawjson.AppendString(b, strings.ToValidUTF8(t.Text, "\ufffd"))
	b = append(b, `,"bytes":[`...)
	for i := range len(t.Text) {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(t.Text[i]), 10)
	}
	b = append(b, `],"logprob":`...)
	return appendNumber(b, t.Logprob)
}

// appendNumber appends a log probability. As on other servers, -9999 is that of probability zero.
func appendNumber(b []byte, p float64) []byte {
	return strconv.AppendFloat(b, max(p, -9999), 'g', -1, 64)
}

// appendGeminiLogprobs appends `,"logprobsResult":…` of tokens; nothing without tokens.
func appendGeminiLogprobs(b []byte, tokens []verbatim.Token) []byte {
	if len(tokens) == 0 {
		return b
	}
	candidate := func(t verbatim.Token) {
		b = append(b, `{"token":`...)
		b = rawjson.AppendString(b, strings.ToValidUTF8(t.Text, "\ufffd"))
		b = append(b, `,"tokenId":1,"logProbability":`...)
		b = append(appendNumber(b, t.Logprob), '}')
	}
	separate := func(i int) {
		if i > 0 {
			b = append(b, ',')
		}
	}
	b = append(b, `,"logprobsResult":{"topCandidates":[`...)
	for i, t := range tokens {
		separate(i)
		b = append(b, `{"candidates":[`...)
		for j, other := range t.Top {
			separate(j)
			candidate(other)
		}
		b = append(b, "]}"...)
	}
	b = append(b, `],"chosenCandidates":[`...)
	for i, t := range tokens {
		separate(i)
		candidate(t)
	}
	return append(b, "]}"...)
}
