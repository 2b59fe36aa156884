package batch_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/batch"
	"verbatim/internal/wire"
)

// The state quotes the beginning of a result that names no request. If the key is there, no part
// of it is quoted.
func TestQuotedResultHidesKey(t *testing.T) {
	const secret = "sk-0123456789abcdef0123456789abcdef"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/content") {
			io.WriteString(w, `{"x":"`+strings.Repeat("x", 66)+" "+secret+"\"}\n")
			return
		}
		io.WriteString(w, `{"id":"b","status":"completed","output_file_id":"f1"}`)
	}))
	defer server.Close()
	e := wire.Endpoint{BaseURL: server.URL + "/v1", Model: "m", Key: wire.NewKey(secret)}
	state, err := batch.For("chat").Collect(context.Background(), e, "b", func(int64, verbatim.Reply, error) error { return nil })
	if err != nil || !strings.Contains(state.FirstForeign, "xxx") || strings.Contains(state.FirstForeign, "sk-") {
		t.Errorf("%+v, %v", state, err)
	}
}
