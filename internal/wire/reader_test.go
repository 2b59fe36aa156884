package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"verbatim"
)

// readEvents reads all events, written as "name:data".
func readEvents(r io.Reader) ([]string, error) {
	e := newEventReader(bufio.NewReaderSize(r, 16))
	var all []string
	for {
		ev, err := e.Next()
		if err != nil {
			return all, err
		}
		all = append(all, ev.Name+":"+string(ev.Data))
	}
}

func TestEvents(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		// The examples of the standard.
		{"three", "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\ndata: This is the third message.\n\n",
			[]string{":This is the first message.", ":This is the second message, it\nhas two lines.", ":This is the third message."}},
		{"names", "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n", []string{"add:73857293", "remove:2153"}},
		{"stock", "data: YHOO\ndata: +2\ndata: 10\n\n", []string{":YHOO\n+2\n10"}},
		{"comment and ids", ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
			[]string{":first event", ":second event", ": third event"}},
		{"empty data", "data\n\ndata\ndata\n\ndata:", []string{":", ":\n"}},
		{"space after colon", "data:test\n\ndata: test\n\n", []string{":test", ":test"}},
		// Line ends.
		{"CR", "data: a\r\rdata: b\r\r", []string{":a", ":b"}},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{":a", ":b"}},
		{"mixed", "data: a\r\n\ndata: b\r\r\ndata: c\n\r", []string{":a", ":b", ":c"}},
		{"LF after CR is one end", "data: a\r\ndata: b\r\n\r\n", []string{":a\nb"}},
		// A byte order mark is skipped at the start only.
		{"BOM", "\xEF\xBB\xBFdata: a\n\n\xEF\xBB\xBFdata: b\n\n", []string{":a"}},
		{"half a BOM", "\xEF\xBBdata: a\n\ndata: b\n\n", []string{":b"}},
		{"unfinished", "data: a\n\ndata: b\n", []string{":a"}},
		{"unknown fields", "retry: 10\nfoo: x\nbar\n:\ndata: a\n\n", []string{":a"}},
		{"a name alone is no event", "event: x\n\ndata: a\n\n", []string{":a"}},
		{"not UTF-8", "data: \xff\x00\n\n", []string{":\xff\x00"}},
		{"errors of llama.cpp", "data: a\n\nerror: {\"code\":500}\n\n", []string{":a", `error:{"code":500}`}},
	} {
		for size := range 4 {
			r := io.Reader(strings.NewReader(c.in))
			if size == 1 {
				r = iotest.OneByteReader(r)
			} else if size > 1 {
				r = iotest.HalfReader(r)
			}
			got, err := readEvents(r)
			if err != io.EOF || !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
			}
		}
	}
}

// An event is returned as soon as its last byte has come, also if that is a CR which an
// LF may follow.
func TestEventsAreNotHeldBack(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\r", "\r\n\r\n", "\r\n\r"} {
		stuck := errors.New("read on")
		e := newEventReader(bufio.NewReader(io.MultiReader(strings.NewReader("data: a"+end), iotest.ErrReader(stuck))))
		if ev, err := e.Next(); err != nil || string(ev.Data) != "a" {
			t.Errorf("%q: %q, %v", end, ev.Data, err)
		}
		if _, err := e.Next(); err != stuck {
			t.Errorf("%q: %v after the event", end, err)
		}
	}
}

// referenceEvents splits a whole stream in the plainest way.
func referenceEvents(in []byte) []string {
	in = bytes.TrimPrefix(in, []byte("\xEF\xBB\xBF"))
	text := strings.ReplaceAll(strings.ReplaceAll(string(in), "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	var all, data []string
	name := ""
	for _, line := range lines[:len(lines)-1] {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if data != nil {
				all = append(all, name+":"+strings.Join(data, "\n"))
			}
			data, name = nil, ""
		case field == "data":
			data = append(data, value)
		case field == "error":
			data, name = append(data, value), "error"
		case field == "event":
			name = value
		}
	}
	return all
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: a\r\n\r\nevent: x\rdata\r\r: c\n\ndata:b\ndata: c\n\n"), uint8(3))
	f.Add([]byte("\xEF\xBB\xBFdata: a\n\nerror: b\n\ndata: [DONE]\n\n"), uint8(1))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		want := referenceEvents(in)
		got, err := readEvents(&stepReader{bytes.NewReader(in), int(step%16) + 1})
		if err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("%q in steps of %d: %q, %v, want %q", in, step%16+1, got, err, want)
		}
	})
}

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
