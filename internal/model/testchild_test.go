package model

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim"
)

// TestMain turns the test program into the commands that the tests ask.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "answer" {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			fmt.Println(`{"text":"a"}`)
		}
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == "child" {
		os.Exit(runChild(os.Args[2], os.Args[3:]))
	}
	// Under the race detector every program sleeps for a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	os.Exit(m.Run())
}

// runChild is a model that behaves as its name says.
func runChild(kind string, args []string) int {
	if kind == "sleeps" {
		time.Sleep(time.Minute)
		return 0
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for n := 0; ; n++ {
		if kind == "greets" && n == 0 {
			fmt.Println("hello, I am a model")
		}
		line, err := in.ReadString('\n')
		if err != nil {
			if kind == "mourns" {
				os.WriteFile(args[0], []byte("ended by itself"), 0o600)
			}
			return 0
		}
		var r struct {
			ID        string
			Trial     int
			Messages  verbatim.Prompt
			MaxTokens int `json:"max_tokens"`
			Params    json.RawMessage
		}
		json.Unmarshal([]byte(line), &r)
		switch kind {
		case "echo":
			text, _ := json.Marshal(strings.TrimSpace(line))
			fmt.Printf(`{"text":%s,"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":2},"reasoning":"r"}`+"\n", text)
		case "pid":
			time.Sleep(20 * time.Millisecond)
			fmt.Printf("{\"text\":\"%d %d\",\"id\":%q}\n", os.Getpid(), n, r.ID)
		case "once":
			fmt.Printf(`{"text":"%d"}`, os.Getpid())
			return 0
		case "dies":
			fmt.Fprintln(os.Stderr, "first words "+strings.Repeat("x", 5000)+"\nout of \x1b[31mmemory")
			return 3
		case "dies second":
			if n == 1 {
				return 4
			}
			fmt.Println(`{"text":"a"}`)
		case "says":
			fmt.Println(args[0])
		case "twice":
			fmt.Print(`{"text":"a"}` + "\n" + `{"text":"b"}` + "\n") // at once: a reader of one can read both
		case "hangs", "mourns":
			if kind == "mourns" {
				fmt.Println(`{"text":"a"}`)
				continue
			}
			c := exec.Command(os.Args[0], "child", "sleeps")
			c.Start()
			os.WriteFile(args[0], []byte(strconv.Itoa(c.Process.Pid)), 0o600)
			time.Sleep(time.Minute)
		case "extra": // it answers with the id as text; every third answer has a line too many, some time later
			line := func(text, id string) string {
				if id == "bare" {
					return fmt.Sprintf("{\"text\":%q}\n", text)
				}
				return fmt.Sprintf("{\"text\":%q,\"id\":%q}\n", text, r.ID)
			}
			fmt.Print(line(r.ID, args[0]))
			wait, _ := time.ParseDuration(args[2])
			switch extra := line("x", args[1]); {
			case args[1] == "none" || n%3 != len(r.ID)%3:
			case wait == 0 || args[0] == "bare":
				time.Sleep(wait)
				fmt.Print(extra)
			default:
				time.AfterFunc(wait, func() { fmt.Print(extra) })
			}
		case "long":
			for args[0] == "endless" {
				if _, err := fmt.Print(strings.Repeat("x", 1<<16)); err != nil {
					return 0
				}
			}
			n, _ := strconv.Atoi(args[0])
			fmt.Printf("{\"text\":\"%s\"}\n", strings.Repeat("é", n/2))
		case "deaf":
			os.Stdin.Close()
			time.Sleep(time.Minute)
		}
	}
}

// command opens the test program as a model.
func command(t *testing.T, kind string, args ...string) *CommandModel {
	t.Helper()
	line := quote(os.Args[0]) + " child " + quote(kind)
	for _, a := range args {
		line += " " + quote(a)
	}
	c, err := newCommand(line)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func quote(s string) string { return "'" + s + "'" }
