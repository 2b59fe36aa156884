package batch

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/wire"
)

// What makes a batch is sent once, also where a kept connection breaks before a byte of
// the reply: the provider may have made the batch all the same. A request for one
// answer is sent again on another connection.
func TestBatchIsSubmittedOnce(t *testing.T) {
	var posts atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Write([]byte(`{"data": [], "has_more": false}`))
			return
		}
		posts.Add(1)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			conn.Close()
		}
	}))
	defer s.Close()
	transport := httpconn.NewTransport()
	defer transport.CloseIdleConnections()
	e := wire.Endpoint{BaseURL: s.URL + "/v1", Model: "m", Transport: transport}
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "x"}}}}
	warm := func() {
		if id, err := Anthropic().Find(t.Context(), e, "key"); id != "" || err != nil {
			t.Fatal(id, err)
		}
		posts.Store(0)
	}
	for name, api := range map[string]*API{"chat": openAIChat(), "anthropic": Anthropic(), "gemini": Gemini()} {
		warm()
		if _, err := api.Submit(t.Context(), e, "key", []verbatim.Request{{Seq: 1, Prompt: prompt, MaxTokens: 9}}); err == nil || posts.Load() != 1 {
			t.Errorf("%s: sent %d times, %v", name, posts.Load(), err)
		}
	}
	warm()
	if err := wire.Chat().Send(t.Context(), &e, &verbatim.Request{Prompt: prompt}, new(verbatim.Reply)); err == nil || posts.Load() != 2 {
		t.Errorf("the request for one answer was sent %d times, %v", posts.Load(), err)
	}
}
