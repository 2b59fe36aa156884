package fake_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"verbatim/internal/fake"
)

// A server that refuses its first request and echoes the prompts of the others.
func ExampleNew() {
	faults, err := fake.ParseFaults("503@1")
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := fake.New(fake.Config{Echo: true, Faults: faults})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		body := strings.NewReader(`{"messages": [{"role": "user", "content": "abc"}]}`)
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", body))
		fmt.Println(w.Code, strings.Contains(w.Body.String(), `"content":"abc"`))
	}
	// Output:
	// 503 false
	// 200 true
}
