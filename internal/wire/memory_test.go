//go:build linux

package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/memory"
	"verbatim/internal/wire"
)

// A hostileReply is what a server sends in place of a short answer.
type hostileReply struct {
	stream   bool
	inFlight int
	most     int // MiB of memory that the client may take
	answered bool
	write    func(w io.Writer) error
}

const hostileBytes = 60 << 20

// repeated writes s until n bytes are written; 0 is endless.
func repeated(w io.Writer, s string, n int) error {
	block := []byte(strings.Repeat(s, max(1, 64<<10/len(s))))
	for sent := 0; n == 0 || sent < n; sent += len(block) {
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	return nil
}

func hostileReplies() map[string]hostileReply {
	const begin, end = `{"choices":[{"index":0,"message":{"content":"`, `"},"finish_reason":"stop"}]}`
	piece := `data: {"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("x", 200) + `"}}]}` + "\n\n"
	document := func(s string) func(w io.Writer) error {
		return func(w io.Writer) error {
			io.WriteString(w, begin)
			repeated(w, s, hostileBytes)
			_, err := io.WriteString(w, end)
			return err
		}
	}
	return map[string]hostileReply{
		"one document":     {inFlight: 1, most: 80, write: document("x")},
		"ten documents":    {inFlight: 10, most: 200, write: document("x")},
		"ten of escapes":   {inFlight: 10, most: 200, write: document(`\u0041`)},
		"ten endless":      {stream: true, inFlight: 10, most: 120, write: func(w io.Writer) error { return repeated(w, piece, 0) }},
		"ten comments":     {stream: true, inFlight: 10, most: 80, write: func(w io.Writer) error { return repeated(w, ": still at it\n\n", 0) }},
		"ten long lines":   {stream: true, inFlight: 10, most: 200, write: func(w io.Writer) error { return repeated(w, "data: xxxxxxxxxxxxxxxxxx", hostileBytes) }},
		"ten long events":  {stream: true, inFlight: 10, most: 200, write: func(w io.Writer) error { return repeated(w, "data: xxxxxxxxxxxxxxxxxx\n", hostileBytes) }},
		"hundred trickles": {stream: true, inFlight: 100, most: 350, write: func(w io.Writer) error { return repeated(w, piece, 0) }},
		"2,000 in flight": {inFlight: 2000, most: 120, answered: true, write: func(w io.Writer) error {
			time.Sleep(3 * time.Second)
			_, err := io.WriteString(w, begin+strings.Repeat("0123456789", 20)+end)
			return err
		}},
		"2,000 streams": {stream: true, inFlight: 2000, most: 120, answered: true, write: func(w io.Writer) error {
			for range 5 {
				io.WriteString(w, piece)
				w.(http.Flusher).Flush()
				time.Sleep(600 * time.Millisecond)
			}
			_, err := io.WriteString(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
			return err
		}},
	}
}

// TestMemory measures the memory that a client takes for replies of hostile servers:
// each in a process of its own, the server in another.
func TestMemory(t *testing.T) {
	switch role := os.Getenv("VERBATIM_MEMORY"); role {
	case "server":
		serveHostile(t)
		return
	case "":
		if os.Getenv("VERBATIM_EXHAUSTIVE") == "" {
			t.Skip("VERBATIM_EXHAUSTIVE=1 runs this test; scripts/check exhaustive does")
		}
	default:
		askHostile(t, role)
		return
	}
	server := exec.Command(os.Args[0], "-test.run=^TestMemory$")
	server.Env = append(os.Environ(), "VERBATIM_MEMORY=server")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		server.Process.Kill()
		server.Wait()
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range hostileReplies() {
		client := exec.Command(os.Args[0], "-test.run=^TestMemory$", "-test.v")
		client.Env = append(os.Environ(), "GOGC=100", "VERBATIM_MEMORY="+name, "VERBATIM_SERVER="+strings.TrimSpace(address))
		start := time.Now()
		output, err := client.CombinedOutput()
		found := regexp.MustCompile(`peak (\d+) MiB, (\d+) answers: (.*)`).FindSubmatch(output)
		if err != nil || found == nil {
			t.Errorf("%s: %v\n%s", name, err, output)
			continue
		}
		peak, _ := strconv.Atoi(string(found[1]))
		answers, _ := strconv.Atoi(string(found[2]))
		t.Logf("%-16s %4d MiB, %4d answers of %4d, %4.1f s: %s", name, peak, answers, c.inFlight, time.Since(start).Seconds(), found[3])
		if peak > c.most || c.answered != (answers == c.inFlight) || !c.answered && answers > 0 {
			t.Errorf("%s: %d MiB, want at most %d; %d answers of %d", name, peak, c.most, answers, c.inFlight)
		}
	}
}

func serveHostile(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(l.Addr())
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		hostileReplies()[r.Header.Get("X-Hostile")].write(w)
	}))
	time.Sleep(10 * time.Minute) // the test ends the process before
}

func askHostile(t *testing.T, name string) {
	c := hostileReplies()[name]
	direct := httpconn.NewDirect(httpconn.NewTransport())
	defer direct.CloseIdleConnections()
	e := wire.Endpoint{BaseURL: "http://" + os.Getenv("VERBATIM_SERVER") + "/v1", Model: "m", Stream: c.stream, Transport: direct,
		Headers: http.Header{"X-Hostile": {name}}, Total: 20 * time.Second, Idle: 20 * time.Second, Memory: memory.NewLimit(memory.Default)}.Prepared()
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: strings.Repeat("0123456789", 40)}}}}
	var group sync.WaitGroup
	var mu sync.Mutex
	answers, last := 0, ""
	for range c.inFlight {
		group.Go(func() {
			_, err := wire.Chat().SendPrompt(context.Background(), e, prompt, 264, verbatim.Params{})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				answers++
			} else {
				last = err.Error()
			}
		})
	}
	group.Wait()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	kb, _ := strconv.Atoi(string(line[1]))
	fmt.Printf("peak %d MiB, %d answers: %s\n", kb>>10, answers, bytes.TrimSpace([]byte(last)))
}
