package store

import (
	"testing"

	"pgregory.net/rapid"
)

func TestTakeLimit(t *testing.T) {
	for sent, want := range map[string]string{
		`{"model":"m","max_tokens":84,"n":1}`: `{"model":"m","max_tokens":$max_tokens,"n":1}`,
		`{"max_tokens":84}`:                   `{"max_tokens":$max_tokens}`,
		`{"a":841,"max_tokens":84}`:           `{"a":841,"max_tokens":$max_tokens}`,
		`{"a":84,"max_tokens":84}`:            "",
		`{"a":"$max_tokens","max_tokens":84}`: "",
		`{"a":":84","b":184}`:                 "",
		`:84`:                                 "",
		`84,`:                                 "",
		``:                                    "",
	} {
		got, taken := maskTokenLimit(sent, 84)
		if taken != (want != "") || taken && got != want || !taken && got != sent {
			t.Errorf("%s: %s, %v", sent, got, taken)
		}
	}
	if _, taken := maskTokenLimit(`{"max_tokens":0}`, 0); taken {
		t.Error("a limit that is not known was taken out")
	}
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(0, 300).Draw(t, "limit")
		sent := requests(limit).Draw(t, "sent")
		if got, taken := maskTokenLimit(sent, limit); taken && unmaskTokenLimit(got, limit) != sent {
			t.Fatalf("%s became %s", sent, unmaskTokenLimit(got, limit))
		}
	})
}
