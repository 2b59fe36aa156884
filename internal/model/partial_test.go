package model

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"verbatim"
)

// TestPartialReplies: a reply is passed on while it comes, without keys, and not as long as it may be
// reasoning between tags.
func TestPartialReplies(t *testing.T) {
	const key = "sk-proj-Zq7rT2mXv9LpWc4Jh8Yb3Nd6Fg1Ks5"
	for _, c := range []struct {
		name, config string
		pieces       []string
		want         []string // the texts that are seen
	}{
		{"plain", "", []string{"one ", "two"}, []string{"one ", "one two"}},
		{"a key in pieces", "key_env = \"KEY\"", []string{"it is " + key[:20], key[20:] + " ", "so"}, []string{"it is ", "it is <secret removed: KEY> "}},
		{"tags", "", []string{"<thi", "nk>hm</think>", "two"}, nil},
		{"other brackets", "", []string{"<", "b>one"}, []string{"<b>one"}},
		{"own tags", "reasoning_tags = [\"hm\", \"so\"]", []string{"one ", "so two"}, nil},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, piece := range c.pieces {
				fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", piece)
			}
			fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		}))
		config := trustedFile(t, "[models.x]\nbase_url = \""+server.URL+"/v1\"\nmodel = \"m\"\n"+c.config+"\n")
		opened, err := Open(t.Context(), "x", Options{Stream: true, Config: config, Getenv: func(name string) string { return map[string]string{"KEY": key}[name] }})
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		ctx := verbatim.WithPartial(t.Context(), func(text, _ []byte) {
			if len(text) > 0 && (len(seen) == 0 || seen[len(seen)-1] != string(text)) {
				seen = append(seen, string(text))
			}
		})
		var reply verbatim.Reply
		err = opened.Model.Ask(ctx, &verbatim.Request{Attempt: 1, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}}, &reply)
		server.Close()
		if err != nil || !slices.Equal(seen, c.want) {
			t.Errorf("%s: %v, seen %q, want %q", c.name, err, seen, c.want)
		}
	}
}
