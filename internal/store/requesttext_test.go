package store

import (
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/store/storetest"
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
		got, masked := maskTokenLimit(sent, 84)
		if masked != (want != "") || masked && got != want || !masked && got != sent {
			t.Errorf("%s: %s, %v", sent, got, masked)
		}
	}
	if _, masked := maskTokenLimit(`{"max_tokens":0}`, 0); masked {
		t.Error("a limit that is unknown was removed")
	}
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(0, 300).Draw(t, "limit")
		sent := storetest.Requests(limit).Draw(t, "sent")
		if got, masked := maskTokenLimit(sent, limit); masked && unmaskTokenLimit(got, limit) != sent {
			t.Fatalf("%s became %s", sent, unmaskTokenLimit(got, limit))
		}
	})
}
