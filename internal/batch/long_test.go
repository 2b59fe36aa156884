package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/modeltest"
)

// Many results are handed over as they come: the server sends the rest only when
// the first has arrived.
func TestBatchLong(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 2000
	}
	arrived := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/content") {
			io.WriteString(w, `{"status":"completed","output_file_id":"f1"}`)
			return
		}
		io.WriteString(w, chatLine)
		w.(http.Flusher).Flush()
		<-arrived
		io.WriteString(w, strings.Repeat(chatLine, n-1))
	}))
	defer s.Close()
	got := 0
	_, err := openAIChat().Collect(t.Context(), batchEndpoint(s.URL+"/v1"), "b", func(int64, verbatim.Reply, error) error {
		if got++; got == 1 {
			close(arrived)
		}
		return nil
	})
	if err != nil || got != n {
		t.Errorf("%d of %d, %v", got, n, err)
	}
}

// A server that falls silent among the results is left after the limit on silence;
// the time limit for a reply does not apply to them.
func TestBatchSilence(t *testing.T) {
	for _, silent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			e := batchEndpoint("http://model.test/v1")
			e.Idle, e.Total = time.Minute, 2*time.Minute
			e.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				if !strings.HasSuffix(r.URL.Path, "/content") {
					return modeltest.Tape(modeltest.Piece{Bytes: modeltest.Response(200, "application/json", []byte(`{"status":"completed","output_file_id":"f1"}`))}).RoundTrip(r)
				}
				end := []byte("0\r\n\r\n")
				pieces := []modeltest.Piece{{Bytes: bytes.TrimSuffix(modeltest.Response(200, "application/octet-stream", nil), end)}}
				for range 10 {
					pieces = append(pieces, modeltest.Piece{After: 50 * time.Second, Bytes: fmt.Appendf(nil, "%x\r\n%s\r\n", len(chatLine), chatLine)})
				}
				pieces = append(pieces, modeltest.Piece{Bytes: end})
				if silent {
					pieces = append(pieces[:6], modeltest.Piece{Hang: true})
				}
				return modeltest.Tape(pieces...).RoundTrip(r)
			})
			got := 0
			start := time.Now()
			_, err := openAIChat().Collect(t.Context(), e, "b", func(int64, verbatim.Reply, error) error { got++; return nil })
			var f *verbatim.Failure
			switch {
			case !silent && (err != nil || got != 10):
				t.Errorf("%d results, %v", got, err)
			case silent && (!errors.As(err, &f) || f.Class != verbatim.Deadline || got != 5 || time.Since(start) != 5*50*time.Second+time.Minute):
				t.Errorf("%d results, %v after %v", got, err, time.Since(start))
			}
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
