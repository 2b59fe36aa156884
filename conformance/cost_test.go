//go:build unix

package conformance

import (
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/modeltest"
)

// chunks is the number of pieces of text in the streams that are measured.
const chunks = 200

// longStream returns a response with a stream of chunks, in the form of the protocol.
func (p pair) longStream() []byte {
	s := modeltest.Scene{Finish: verbatim.FinishStop, Usage: []verbatim.Usage{usage(50, 60, 0, 0)}}
	for i := range chunks {
		s.Text = append(s.Text, fmt.Sprintf(" word%d", i))
	}
	b := p.stream(s)
	return modeltest.Response(http.StatusOK, b.Type, b.Bytes)
}

// readers are the two sides, each as a function that reads a response once.
func (p pair) readers(tb testing.TB, raw []byte) map[string]func() {
	read := func(ask func() reading) func() {
		return func() {
			if r := ask(); r.Failed != "" || len(r.Text) < chunks {
				tb.Fatalf("%v", r)
			}
		}
	}
	const base = "http://model.test"
	tape := func() http.RoundTripper { return modeltest.Tape(modeltest.Piece{Bytes: raw}) }
	return map[string]func(){
		"ours":   read(func() reading { return p.readOurs(tb.Context(), base, tape(), plain(true)) }),
		"theirs": read(func() reading { return p.readTheirs(tb.Context(), base, tape(), plain(true)) }),
	}
}

// demands are the largest shares of an SDK's needs that we may need.
func demands() []struct {
	pair  pair
	share float64
} {
	return []struct {
		pair  pair
		share float64
	}{
		{chat(), 1. / 3}, {openAIResponses(), 1. / 3}, {anthropicMessages(), 1. / 2}, {gemini(), 1. / 3}, {ollama(), 1},
	}
}

// TestAllocations checks the demands for allocations, which do not depend on the
// load of the machine. BenchmarkStream measures processor time.
func TestAllocations(t *testing.T) {
	for _, d := range demands() {
		raw := d.pair.longStream()
		all := d.pair.readers(t, raw)
		ours, theirs := testing.AllocsPerRun(5, all["ours"]), testing.AllocsPerRun(5, all["theirs"])
		t.Logf("%-9s ours %5.0f allocations, %s %6.0f: a share of %.3f", d.pair.name, ours, d.pair.sdk, theirs, ours/theirs)
		if ours > theirs*d.share {
			t.Errorf("%s: %.0f allocations, more than %.2f of the %.0f of %s", d.pair.name, ours, d.share, theirs, d.pair.sdk)
		}
	}
}

// BenchmarkStream measures the processor time of reading one stream, with the
// connection and the request. We and the SDK take turns, so that the load of the
// machine is the same for both. It reports the time per chunk, and our share of the SDK's.
func BenchmarkStream(b *testing.B) {
	for _, d := range demands() {
		b.Run(d.pair.name, func(b *testing.B) {
			all := d.pair.readers(b, d.pair.longStream())
			used := map[string]time.Duration{}
			streams := 0
			for b.Loop() {
				for side, read := range all {
					start := cpu()
					for range 20 {
						read()
					}
					used[side] += cpu() - start
				}
				streams += 20
			}
			for side, d := range used {
				b.ReportMetric(float64(d.Nanoseconds())/float64(streams*chunks), side+"-ns/chunk")
			}
			b.ReportMetric(float64(used["ours"])/float64(used["theirs"]), "share")
		})
	}
}

// cpu returns the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
