package app

import (
	"encoding/json"
	"testing"

	"verbatim"
)

func TestOver(t *testing.T) {
	half, one := 0.5, 1.0
	zero, seven := int64(0), int64(7)
	own := verbatim.Params{Temperature: &half, TopP: &half, Seed: &seven, Effort: "low", ReasoningBudget: &seven, Extra: map[string]json.RawMessage{"a": []byte("1"), "b": []byte("2")}}
	for _, c := range []struct {
		given verbatim.Params
		want  string
	}{
		{verbatim.Params{}, `{"temperature":0.5,"top_p":0.5,"seed":7,"effort":"low","reasoning_budget":7,"extra":{"a":1,"b":2}}`},
		{verbatim.Params{Temperature: &one, Seed: &zero}, `{"temperature":1,"top_p":0.5,"seed":0,"effort":"low","reasoning_budget":7,"extra":{"a":1,"b":2}}`},
		{verbatim.Params{TopP: &one, Effort: "high", ReasoningBudget: &zero, Extra: map[string]json.RawMessage{"b": []byte("3")}},
			`{"temperature":0.5,"top_p":1,"seed":7,"effort":"high","reasoning_budget":0,"extra":{"a":1,"b":3}}`},
		{verbatim.Params{MaxTokens: 9, ReasoningTokens: 8, Logprobs: 5, SystemAs: "user"},
			`{"temperature":0.5,"top_p":0.5,"seed":7,"effort":"low","reasoning_budget":7,"reasoning_tokens":8,"max_tokens":9,"system_as":"user","logprobs":5,"extra":{"a":1,"b":2}}`},
	} {
		got, err := json.Marshal(over(own, c.given))
		if err != nil || string(got) != c.want {
			t.Errorf("%s, %v, want %s", got, err, c.want)
		}
	}
	if string(own.Extra["b"]) != "2" {
		t.Error("the model's own parameters were changed")
	}
	if got := over(verbatim.Params{}, verbatim.Params{}); got.Extra != nil {
		t.Errorf("%+v", got)
	}
}
