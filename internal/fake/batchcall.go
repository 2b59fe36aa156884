package fake

import (
	"math/rand/v2"
	"net/http"
)

// handleBatchCall serves a call of a batch API: it draws whether the call meets a busy
// server, and whether its reply is lost. The lock is held while it works.
func (s *responder) handleBatchCall(b *batches, p spokenWire, call batchRoute, w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	rng := rand.New(rand.NewPCG(mix(s.config.Seed+drawBatch<<32), mix(b.calls)))
	busy, lost := rng.Float64() < s.config.Batch.Busy, rng.Float64() < s.config.Batch.Lost
	if busy {
		s.sendError(w, p.wire, &apiError{status: http.StatusServiceUnavailable, message: overloaded})
		return
	}
	out := w
	if lost && call.creates {
		out = discard{http.Header{}}
	}
	p.setHeaders(out.Header())
	if t := call.serve(b, p.batches, out, r); t != nil {
		s.sendError(w, p.wire, t)
		return
	}
	if lost && call.creates {
		s.counts.broken.Add(1)
		closeConnection(w, true)
	}
}

// discard is a response that is not sent.
type discard struct{ h http.Header }

func (d discard) Header() http.Header         { return d.h }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}
