package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"verbatim"
	"verbatim/internal/wire"
)

func ExampleProtocol_Send() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"cba"},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}`)
	}))
	defer server.Close()

	var reply verbatim.Reply
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Reverse abc."}}}}
	err := wire.Chat().Send(context.Background(), &wire.Endpoint{BaseURL: server.URL + "/v1", Model: "m"}, &verbatim.Request{Prompt: prompt, MaxTokens: 64}, &reply)
	var failure *verbatim.Failure
	if errors.As(err, &failure) {
		fmt.Println(failure.Class, failure.Hint)
		return
	}
	fmt.Println(reply.Text, reply.Finish, *reply.Usage.Completion)
	// Output: cba stop 2
}
