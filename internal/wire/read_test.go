package wire

import (
	"math"
	"testing"

	"verbatim"
)

// FuzzRead reads any bytes: what is read has finite numbers, and ok is reported only
// for valid lists.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`[{"token":"a","bytes":[97],"logprob":-0.1,"top_logprobs":[{"token":"b","logprob":-2}]}]`, `[{"token":"\ud800","logprob":-1e999}]`,
		`{"chosenCandidates":[{"token":"a","logProbability":-0.1}],"topCandidates":[{"candidates":[{"token":"b","logProbability":-1}]}]}`, `[{"token":1}]`, `[]`, `null`, `[{"token":"a","bytes":[300],"logprob":0}]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, read := range []func([]byte) ([]verbatim.Token, bool){readLogprobs, readGeminiLogprobs} {
			tokens, ok := read(text)
			if !ok {
				continue
			}
			for _, token := range tokens {
				for _, one := range append(token.Top, token) {
					if math.IsNaN(one.Logprob) || math.IsInf(one.Logprob, 0) {
						t.Fatalf("%q is read as %+v", text, tokens)
					}
				}
			}
		}
	})
}
