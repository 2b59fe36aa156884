package verbatim

import (
	"encoding/json"
	"errors"
	"math"
	"unicode/utf8"
)

// MaxLogprobs is the largest number of alternatives per token in a request.
const MaxLogprobs = 20

// A Token is one token of a reply with its log probability, or an alternative to it.
type Token struct {
	Text    string  // its bytes; not valid UTF-8 if it is a part of a character
	Logprob float64 // the natural logarithm of its probability, by the server
	// Top are the most probable tokens at this position, in the server's order. The token itself
	// may be among them. In an alternative it is nil.
	Top []Token
}

// tokenJSON is a Token as JSON. Bytes is for a text that is not valid UTF-8, in base64.
type tokenJSON struct {
	Text    string   `json:"token"`
	Bytes   []byte   `json:"token_b64,omitempty"`
	Logprob *float64 `json:"logprob"`
	Top     []Token  `json:"top,omitempty"`
}

// MarshalJSON writes {"token": …, "logprob": …, "top": […]}. A text that is not valid UTF-8
// is in "token_b64".
func (t Token) MarshalJSON() ([]byte, error) {
	out := tokenJSON{Text: t.Text, Logprob: &t.Logprob, Top: t.Top}
	if !utf8.ValidString(t.Text) {
		out.Text, out.Bytes = "", []byte(t.Text)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Token) UnmarshalJSON(b []byte) error {
	var in tokenJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if in.Logprob == nil || math.IsInf(*in.Logprob, 0) {
		return errors.New("a token has no log probability")
	}
	*t = Token{Text: in.Text, Logprob: *in.Logprob, Top: in.Top}
	if len(in.Bytes) > 0 {
		t.Text = string(in.Bytes)
	}
	return nil
}
