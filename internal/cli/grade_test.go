package cli

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestGradeStreams sends a line and reads its grade before it sends the next one.
func TestGradeStreams(t *testing.T) {
	in, lines := io.Pipe()
	grades, out := io.Pipe()
	var talk strings.Builder
	ended := make(chan int, 1)
	go func() {
		ended <- Main([]string{"grade"}, Env{In: in, Out: out, Err: &talk, Getenv: func(string) string { return "" },
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
		out.Close()
	}()
	time.AfterFunc(30*time.Second, func() { out.CloseWithError(io.ErrNoProgress) })
	read := bufio.NewReader(grades)
	for _, c := range []struct{ reply, label string }{{"abc", "pass"}, {"ABC", "case"}, {"ab", "dropped_char"}} {
		io.WriteString(lines, `{"want":"abc","reply":"`+c.reply+"\"}\n")
		line, err := read.ReadString('\n')
		if err != nil {
			t.Fatalf("no grade while the input is open: %v", err)
		}
		if !strings.Contains(line, `"label":"`+c.label+`"`) {
			t.Errorf("%s: %s; want the label %s", c.reply, line, c.label)
		}
	}
	lines.Close()
	if code := <-ended; code != exitDone {
		t.Errorf("exit code %d: %s", code, talk.String())
	}
}

// TestWantedWhiteSpace grades what run refuses, and gets the same refusal.
func TestWantedWhiteSpace(t *testing.T) {
	var out, talk strings.Builder
	code := Main([]string{"grade"}, Env{In: strings.NewReader(`{"want":"abc ","reply":"abc"}`), Out: &out, Err: &talk, Getenv: func(string) string { return "" },
		Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
	if code != exitFailed || out.Len() > 0 || !strings.Contains(talk.String(), `"want" begins or ends with white space`) {
		t.Errorf("exit code %d, %q, %q", code, out.String(), talk.String())
	}
}

// TestUnknownCommands holds what is said about commands that people type.
func TestUnknownCommands(t *testing.T) {
	for word, want := range map[string]string{
		"list":    "'verbatim runs' lists the saved runs",
		"man":     "'verbatim --help' lists the commands",
		"modles":  "did you mean 'models'?",
		"rnu":     "did you mean 'run'?",
		"comapre": "did you mean 'compare'?",
		"test":    "did you mean 'run'?",
	} {
		if got := invoke(t, "", word); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit code %d, %s; want %q", word, got.code, got.err, want)
		}
	}
}
