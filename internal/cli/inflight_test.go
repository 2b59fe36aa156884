package cli

import (
	"context"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/pace"
)

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
