package upstream_test

import (
	"testing"

	"verbatim/internal/upstream"
)

func TestNames(t *testing.T) {
	for applied, want := range map[string]string{
		"": "", `{"temperature":1}`: "", `{"provider":null}`: "", `{"provider":{"a":1}}`: "", `{"provider":"A"`: "",
		`{"provider":"A","x-litellm-model-id":"b"}`: "A", `{"x-litellm-model-id":"b","x-litellm-model-api-base":"c"}`: "b",
		`{"x-inference-provider":"d"}`: "d", `{"x-litellm-model-api-base":"c"}`: "c", `{"x-litellm-model-id":["b"],"x-litellm-model-api-base":"c"}`: "c",
		`{"x-litellm-model-id":"9443f07e98e76478fcedbba2fd06a6c775ec7d846bfca4a4c87bdb0ae53aef07","x-litellm-model-api-base":"http://a/v1"}`: "http://a/v1 9443f07e",
		`{"x-litellm-model-id":"9443f07e98e76478fcedbba2fd06a6c775ec7d846bfca4a4c87bdb0ae53aef07"}`:                                          "9443f07e98e76478fcedbba2fd06a6c775ec7d846bfca4a4c87bdb0ae53aef07",
		`{"x-bifrost-provider":"openai"}`: "openai", `{"x-portkey-last-used-option-index":"config.targets[1]"}`: "config.targets[1]",
	} {
		if got := upstream.Of(applied); got != want {
			t.Errorf("%s: %q, want %q", applied, got, want)
		}
	}
}
