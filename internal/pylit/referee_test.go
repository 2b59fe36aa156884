package pylit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// A referee is CPython, which evaluates texts that it gets over a pipe.
type referee struct {
	in  *bufio.Writer
	out *bufio.Scanner
}

// newReferee starts CPython, or skips the test without it.
func newReferee(t *testing.T) *referee {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to compare with")
	}
	cmd := exec.Command(python, "testdata/referee.py")
	cmd.Env = append(os.Environ(), "PYTHONIOENCODING=utf-8", "PYTHONINTMAXSTRDIGITS=4300")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("python3 does not start: %v", err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("referee: %v", err)
		}
	})
	r := &referee{bufio.NewWriter(in), bufio.NewScanner(out)}
	r.out.Buffer(nil, 1<<26)
	return r
}

// A question is an operation of referee.py and its text.
type question struct{ operation, text string }

// ask returns the answers to the questions, nil where Python raised an exception.
func (r *referee) ask(t *testing.T, questions []question) []*string {
	t.Helper()
	go func() {
		for _, q := range questions {
			fmt.Fprintf(r.in, "[%q, %s]\n", q.operation, asciiJSON(q.text))
		}
		r.in.Flush()
	}()
	answers := make([]*string, len(questions))
	for i := range answers {
		if !r.out.Scan() {
			t.Fatalf("the referee stopped at %q: %v", questions[i].text, io.ErrUnexpectedEOF)
		}
		if err := json.Unmarshal(r.out.Bytes(), &answers[i]); err != nil {
			t.Fatalf("%s: %v", r.out.Bytes(), err)
		}
	}
	return answers
}

// asciiJSON writes a WTF-8 string as JSON, lone surrogates as their escapes.
func asciiJSON(s string) string {
	b := []byte{'"'}
	for s != "" {
		r, n := codePoint(s)
		s = s[n:]
		switch {
		case r >= 0x10000:
			r -= 0x10000
			b = appendHex(append(b, `\u`...), 0xd800|r>>10, 4)
			b = appendHex(append(b, `\u`...), 0xdc00|r&0x3ff, 4)
		case r < 0x20 || r == '"' || r == '\\' || r >= 0x7f:
			b = appendHex(append(b, `\u`...), r, 4)
		default:
			b = append(b, byte(r))
		}
	}
	return string(append(b, '"'))
}

// exempt reports whether a text holds one of the two intended differences from CPython:
// names of characters, and signs in thousands, for which Python's limit depends on the
// depth of its caller.
func exempt(text string) bool {
	return strings.Contains(text, `\N{`) || strings.Count(text, "-")+strings.Count(text, "+") > maxSigns-10
}

// TestReferee compares Parse with CPython on generated texts: verdict and value.
// PYLIT_REFEREE sets their number and PYLIT_SEED others.
func TestReferee(t *testing.T) {
	count, seed := setting(t, "PYLIT_REFEREE", 5_000), setting(t, "PYLIT_SEED", 1)
	referee := newReferee(t)
	g := &generator{rand.New(rand.NewPCG(uint64(seed), 0))}
	literals, exempted, bad := 0, 0, 0
	for done := 0; done < count; {
		questions := make([]question, min(5000, count-done))
		for i := range questions {
			questions[i] = question{"parse", g.text()}
		}
		done += len(questions)
		for i, want := range referee.ask(t, questions) {
			text := questions[i].text
			v, err := Parse(text)
			got := "an error"
			if err == nil {
				got = v.String()
			}
			expected := "an error"
			if want != nil {
				expected = *want
				literals++
			}
			if got == expected {
				continue
			}
			if exempt(text) {
				exempted++
				continue
			}
			if bad++; bad <= 20 {
				t.Errorf("%q:\n got %s (%v)\nwant %s", text, shorten(got), err, shorten(expected))
			}
		}
	}
	t.Logf("%d texts, %d of them literals: %d exempted, %d others differ", count, literals, exempted, bad)
	if literals < count/10 || literals > count*9/10 {
		t.Errorf("%d of %d texts are literals: the generator tests one side only", literals, count)
	}
}

func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func shorten(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// TestRefereeCasts compares Cast and Strip with CPython's constructors.
func TestRefereeCasts(t *testing.T) {
	referee := newReferee(t)
	g := &generator{rand.New(rand.NewPCG(2, 0))}
	kinds := map[string]Kind{"int": Int, "float": Float, "str": Str, "bool": Bool, "list": List}
	var questions []question
	for range setting(t, "PYLIT_REFEREE", 5_000) / 4 {
		text := g.castable()
		for name := range kinds {
			questions = append(questions, question{name, text})
		}
		questions = append(questions, question{"strip", g.numeral()})
	}
	refused := 0
	for i, want := range referee.ask(t, questions) {
		q := questions[i]
		if exempt(q.text) {
			continue
		}
		got := Format(Strip(q.text))
		if q.operation != "strip" {
			got = cast(q.text, kinds[q.operation])
		}
		if want == nil {
			refused++
			if got != "" {
				t.Errorf("%s(%s) = %s, want an exception", q.operation, q.text, shorten(got))
			}
		} else if got != *want {
			t.Errorf("%s(%q) = %s, want %s", q.operation, q.text, shorten(got), shorten(*want))
		}
	}
	if refused < len(questions)/20 {
		t.Errorf("only %d of %d casts are refused", refused, len(questions))
	}
}

// cast returns the repr of the cast of what the text's first item is, or "".
func cast(text string, kind Kind) string {
	v, err := Parse(text)
	if err != nil {
		return ""
	}
	if v.Kind() == List && len(v.Items()) > 0 {
		v = v.Items()[0]
	}
	if v.Kind() == List && kind == List {
		return v.String()
	}
	if v, ok := Cast(v, kind); ok {
		return v.String()
	}
	return ""
}

// TestRefereePrintable compares what is escaped, for every character.
func TestRefereePrintable(t *testing.T) {
	referee := newReferee(t)
	var questions []question
	for r := rune(0); r <= 0x10ffff; r++ {
		if r < 0x3000 || r >= 0xa000 && r < 0xac00 || r >= 0xd780 && r < 0x20000 || r >= 0xe0000 && r < 0xe0200 || r&0xff == 0xfe {
			questions = append(questions, question{"repr", string(appendCodePoint(nil, r))})
		}
	}
	newer := 0
	for i, want := range referee.ask(t, questions) {
		text := questions[i].text
		got := Format(text)
		if got == *want {
			continue
		}
		// One side has a newer Unicode, and prints characters that the other does not
		// know yet.
		if escaped, plain := max(got, *want), min(got, *want); !strings.HasPrefix(escaped, `'\`) && !strings.HasPrefix(plain, `'\`) {
			t.Errorf("repr(%q) = %s, want %s", text, got, *want)
		}
		newer++
	}
	t.Logf("%d characters compared; %d printable on one side only", len(questions), newer)
	if newer > 10_000 {
		t.Errorf("%d characters differ: more than a difference of Unicode versions", newer)
	}
}
