package wire

import (
	"encoding/json"
	"math"
	"testing"

	"verbatim"
)

// TestTokensOfServers reads lists of log probabilities as servers write them. A list
// that cannot be read is ignored: it is no reason to lose the answer.
func TestTokensOfServers(t *testing.T) {
	chat := func(list string) string {
		return `{"choices":[{"index":0,"message":{"role":"assistant","content":"ab"},"logprobs":` + list + `,"finish_reason":"stop"}]}`
	}
	for _, c := range []struct{ name, list, want string }{
		{"null", `null`, `null`},
		{"an empty object", `{}`, `null`},
		{"an empty list", `{"content":[]}`, `null`},
		{"no alternatives", `{"content":[{"token":"ab","logprob":-0.25}]}`, `[{"token":"ab","logprob":-0.25}]`},
		{"bytes count", `{"content":[{"token":"\ufffd","bytes":[195],"logprob":0,"top_logprobs":[{"token":"x","bytes":null,"logprob":-9999.0}]}]}`,
			`[{"token":"","token_b64":"ww==","logprob":0,"top":[{"token":"x","logprob":-9999}]}]`},
		{"zero probability", `{"content":[{"token":"ab","logprob":-1e999}]}`, `[{"token":"ab","logprob":-1.7976931348623157e+308}]`},
		{"no number", `{"content":[{"token":"a","logprob":-0.5},{"token":"b","logprob":null}]}`, `null`},
		{"a number in words", `{"content":[{"token":"ab","logprob":"-0.5"}]}`, `null`},
		{"no token", `{"content":[{"logprob":-0.5}]}`, `null`},
		{"an alternative without a number", `{"content":[{"token":"ab","logprob":-0.5,"top_logprobs":[{"token":"c"}]}]}`, `null`},
		{"no byte", `{"content":[{"token":"ab","bytes":[256],"logprob":-0.5}]}`, `null`},
		{"a list of another kind", `{"content":{"tokens":["ab"]}}`, `null`},
		{"an older form", `{"tokens":["ab"],"token_logprobs":[-0.5]}`, `null`},
	} {
		a := &partialReply{call: nil, touch: func() {}}
		if err := (chatReader{a}).document([]byte(chat(c.list))); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var reply verbatim.Reply
		(&call{}).writeReply(&reply, a, Chat(), nil)
		got, err := json.Marshal(reply.Tokens)
		if err != nil || string(got) != c.want || reply.Text != "ab" {
			t.Errorf("%s: %s, %v, want %s; the text is %q", c.name, got, err, c.want, reply.Text)
		}
	}
}

// TestTokenJSON reads what was written, and refuses numbers that are no log probabilities.
func TestTokenJSON(t *testing.T) {
	want := verbatim.Token{Text: "\xff", Logprob: -0.125, Top: []verbatim.Token{{Text: "é", Logprob: math.Log(0.25)}}}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got verbatim.Token
	if err := json.Unmarshal(b, &got); err != nil || got.Text != want.Text || got.Logprob != want.Logprob || len(got.Top) != 1 || got.Top[0].Text != "é" || got.Top[0].Logprob != want.Top[0].Logprob {
		t.Errorf("%s is read as %+v, %v", b, got, err)
	}
	for _, bad := range []string{`{"token":"a"}`, `{"token":"a","logprob":null}`, `{"token":1,"logprob":0}`} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s is accepted as a token", bad)
		}
	}
}
