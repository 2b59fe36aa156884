package wire

import (
	"errors"
	"strings"
	"testing"

	"verbatim"
)

// A reply that is larger than its token limit allows is a failure of class content
// that says which limit; the limit can be raised. What is saved of it is its head and
// its tail.
func TestReplySize(t *testing.T) {
	long := strings.Repeat("x", 900<<10) + "é" + strings.Repeat("y", 900<<10)
	for name, body := range map[string]string{
		"document": `{"choices":[{"message":{"content":"` + long + `"},"finish_reason":"stop"}]}`,
		"stream":   lines(delta(`"content":"`+long+`"`), ends("stop"), done),
	} {
		for _, c := range []struct {
			tokens int
			most   int64
			fits   bool
		}{{100, 0, false}, {100, 2 << 20, true}, {100_000, 0, true}, {0, 0, true}} {
			e := Endpoint{BaseURL: "http://model.test/v1", Model: "m", Transport: sends{200, "", []byte(body)}, Stream: true, MaxReply: c.most}
			reply, err := Chat().SendPrompt(t.Context(), e, question("q"), c.tokens, verbatim.Params{})
			var f *verbatim.Failure
			switch {
			case c.fits && (err != nil || reply.Text != long):
				t.Errorf("%s, %d tokens, --max-reply %d: %d bytes, %v", name, c.tokens, c.most, len(reply.Text), err)
			case !c.fits && (!errors.As(err, &f) || f.Class != verbatim.Content || !strings.Contains(f.Error(), "reply larger than 1048576 bytes, the limit for 100 tokens; --max-reply raises it")):
				t.Errorf("%s, %d tokens: %v", name, c.tokens, err)
			case !c.fits:
				if p := f.Attempts[0].Partial; len(p) > 9<<10 || !strings.HasPrefix(p, "xxxx") || !strings.HasSuffix(p, "yyyy") || !strings.Contains(p, "bytes left out") {
					t.Errorf("%s: %d bytes are saved: %.20q", name, len(p), p)
				}
			}
		}
	}
}

// A line of a stream that never ends is given up at the limit of a document: it would fill the
// memory.
func TestEndlessLine(t *testing.T) {
	body := `{"message":{"content":"` + strings.Repeat("x", 20<<20) + "\n"
	e := Endpoint{BaseURL: "http://model.test", Model: "m", Transport: sends{200, "", []byte(body)}, Stream: true}
	_, err := Ollama().SendPrompt(t.Context(), e, question("q"), 100, verbatim.Params{})
	var f *verbatim.Failure
	if !errors.As(err, &f) || f.Class != verbatim.Content || !strings.Contains(f.Error(), "reply larger than") {
		t.Errorf("%.300v", err)
	}
}
