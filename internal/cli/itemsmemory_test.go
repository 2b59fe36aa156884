package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A heapProbe is an output of lines that notes how much memory is live after some of
// them.
type heapProbe struct {
	lines int
	at    map[int]uint64
}

func (p *heapProbe) Write(b []byte) (int, error) {
	p.lines += bytes.Count(b, []byte("\n"))
	if live, ok := p.at[p.lines]; ok && live == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		p.at[p.lines] = m.HeapAlloc
	}
	return len(b), nil
}

// TestItemsAreStreamed: items that are written take no memory. Ninety of these have 9 MB of texts
// in their answers alone.
func TestItemsAreStreamed(t *testing.T) {
	for _, name := range []string{"copy-long", "pick-twin"} {
		probe := &heapProbe{at: map[int]uint64{10: 0, 60: 0}}
		env := Env{
			Out: probe, Err: os.Stderr, Getenv: func(string) string { return filepath.Join(t.TempDir(), "db") },
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
		}
		if code := Main([]string{"items", "--task", name, "-n", "61", "--length", "100000"}, env); code != 0 || probe.lines != 61 {
			t.Fatalf("%s: exit code %d, %d lines", name, code, probe.lines)
		}
		const most = 3 << 20
		early, late := probe.at[10], probe.at[60]
		if early == 0 || late > early+most {
			t.Errorf("%s: %d bytes are live after item 10 and %d after item 60, want at most %d more", name, early, late, most)
		}
	}
}
