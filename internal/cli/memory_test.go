package cli

import (
	"bytes"
	"context"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/pace"
)

// TestHeapLimit: the program limits its heap, so that garbage of large replies does not
// take several times what they may hold.
func TestHeapLimit(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	invoke(t, filepath.Join(t.TempDir(), "x.db"), "suites")
	if got := debug.SetMemoryLimit(-1); got != heapLimit {
		t.Errorf("the limit is %d", got)
	}
}

// A heapProbe is an output of lines that notes how much memory is live after some of
// them.
type heapProbe struct {
	lines int
	at    map[int]uint64
}

func (p *heapProbe) Write(b []byte) (int, error) {
	p.lines += bytes.Count(b, []byte("\n"))
	if live, ok := p.at[p.lines]; ok && live == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		p.at[p.lines] = m.HeapAlloc
	}
	return len(b), nil
}

// TestItemsAreStreamed: items that are written take no memory. Ninety of these have 9 MB of texts
// in their answers alone.
func TestItemsAreStreamed(t *testing.T) {
	for _, name := range []string{"copy-long", "pick-twin"} {
		probe := &heapProbe{at: map[int]uint64{10: 0, 60: 0}}
		env := Env{
			Out: probe, Err: os.Stderr, Getenv: func(string) string { return filepath.Join(t.TempDir(), "db") },
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
		}
		if code := Main([]string{"items", "--task", name, "-n", "61", "--length", "100000"}, env); code != 0 || probe.lines != 61 {
			t.Fatalf("%s: exit code %d, %d lines", name, code, probe.lines)
		}
		const most = 3 << 20
		early, late := probe.at[10], probe.at[60]
		if early == 0 || late > early+most {
			t.Errorf("%s: %d bytes are live after item 10 and %d after item 60, want at most %d more", name, early, late, most)
		}
	}
}

// A request that waits for its server holds a small stack: what runs before and after
// the wait is not on it, and the collector can shrink it to 8 kB.
func TestStackOfWaitingRequest(t *testing.T) {
	if underRace {
		t.Skip("the race detector makes stacks larger")
	}
	const requests, mostBytes = 300, 12 << 10
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn, requests)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	opened, err := model.Open(t.Context(), "http://"+l.Addr().String()+"/v1#m", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	m := pace.New(pace.Config{Attempts: 1, Concurrency: requests, Total: time.Hour}).Wrap(opened.Model)
	before := stackBytes()
	ctx, cancel := context.WithCancel(t.Context())
	var senders sync.WaitGroup
	defer senders.Wait()
	defer cancel()
	for range requests {
		senders.Go(func() {
			r := verbatim.Request{Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "hi"}}}}, MaxTokens: 10}
			m.Ask(ctx, &r, new(verbatim.Reply))
		})
	}
	for range requests {
		c := <-accepted
		defer c.Close()
		if _, err := c.Read(make([]byte, 1)); err != nil { // the request is sent
			t.Fatal(err)
		}
	}
	var each int64
	for range 20 { // every collection halves a stack
		if each = (stackBytes() - before) / requests; each <= mostBytes {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("a request that waits holds a stack of %d bytes, more than %d", each, mostBytes)
}

// stackBytes returns what stacks take after a collection.
func stackBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.StackInuse)
}
