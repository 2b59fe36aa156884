package wire_test

import (
	"os"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/httpconn"
	"verbatim/internal/wire"
)

// TestLiveResponses asks the Responses API of the server that TestLive asks. That
// server says completed of every answer, so the count must show what was cut off.
func TestLiveResponses(t *testing.T) {
	base := os.Getenv("VERBATIM_LIVE")
	if base == "" {
		t.Skip("VERBATIM_LIVE names no server")
	}
	transport := httpconn.NewDirect(httpconn.NewTransport())
	defer transport.CloseIdleConnections()
	for _, c := range []struct {
		text string
		max  int
		want verbatim.Finish
	}{{"Say hello.", 100, verbatim.FinishStop}, {"Count from 1 to 1000, one number a line.", 16, verbatim.FinishLength}} {
		var texts []string
		for _, stream := range []bool{true, false} {
			e := wire.Endpoint{BaseURL: base, Model: "small", Stream: stream, Transport: transport, Total: 5 * time.Minute}
			prompt := verbatim.Prompt{
				{Role: "system", Content: []verbatim.Part{{Text: "You are brief."}}},
				{Role: "user", Content: []verbatim.Part{{Text: c.text}}},
			}
			r, err := wire.Responses().SendPrompt(t.Context(), e, prompt, c.max, verbatim.Params{Temperature: new(float64)})
			if err != nil || r.Finish != c.want || r.Text == "" || r.Usage.Completion == nil || r.FinishRaw != "completed" {
				t.Errorf("stream %v: %+v, %v", stream, r, err)
			}
			texts = append(texts, r.Text)
		}
		if texts[0] != texts[1] {
			t.Errorf("streamed %q, in one piece %q", texts[0], texts[1])
		}
	}
}
