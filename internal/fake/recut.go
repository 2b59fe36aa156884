package fake

import (
	"bytes"
	"slices"
	"time"
	"unicode/utf8"
)

// recut changes how the script is sent, as the fault says.
func (d *delivery) recut(f *Fault) {
	if f == nil {
		return
	}
	s, events := d.script, d.ask.stream && !d.ask.protocol.lines && !d.ask.array
	switch f.Kind {
	case "cut":
		at := d.place(f)
		if d.announced >= 0 && (f.End == "" || f.End == "clean") {
			d.announced = at
		}
		d.end = f.End
		s.truncate(at)
	case "stall":
		d.stallAt, d.stallFor = 0, f.For
		if f.At > 0 {
			d.stallAt = s.split(d.place(f))
		}
	case "murmur":
		d.murmur, d.every = "\n", f.Every
		if events {
			d.murmur = ": still at it\n\n"
		}
		if d.every == 0 {
			d.every = time.Second
		}
	case "trickle":
		d.every = f.Every
		s.shred(func(int) bool { return true })
	case "split":
		s.shred(func(i int) bool { return i%11 == 0 || !utf8.RuneStart(s.b[i]) })
	case "clump":
		s.cuts = []cut{{len(s.b), s.tokens()}}
	case "crlf":
		if d.ask.stream && !bytes.Contains(s.b, []byte("\r\n")) {
			s.rewrite(func(piece []byte) []byte { return bytes.ReplaceAll(piece, []byte("\n"), []byte("\r\n")) })
		}
	case "comments":
		between := "\n"
		if events {
			between = ": keep-alive\n\n"
		}
		s.rewrite(func(piece []byte) []byte { return slices.Concat([]byte(between), piece) })
	case "unknown":
		if events && d.ask.protocol != &gemini {
			s.rewrite(func(piece []byte) []byte {
				return slices.Concat([]byte("event: unknown.event\ndata: {\"type\":\"unknown.event\",\"sequence_number\":0}\n\n"), piece)
			})
		}
	case "bom":
		first := true
		s.rewrite(func(piece []byte) []byte {
			if first {
				first = false
				return slices.Concat([]byte("\xEF\xBB\xBF"), piece)
			}
			return piece
		})
	case "closes":
		d.closes = true
	}
	if d.announced >= 0 && f.Kind != "cut" {
		d.announced = len(s.b)
	}
}

// place returns the number of bytes that come before the fault: never all of
// them, nor all but a line's end.
func (d *delivery) place(f *Fault) int {
	n := len(d.script.b)
	at := 0
	switch {
	case f.At >= 1:
		at = int(f.At)
	case f.At > 0:
		at = int(f.At * float64(n))
	default:
		at = d.server.rand(d.ask, drawPlace).IntN(n)
	}
	return max(0, min(at, n-3))
}

// truncate drops what comes after the first n bytes.
func (s *script) truncate(n int) {
	i := s.split(n)
	s.b, s.cuts = s.b[:n], s.cuts[:i]
}

// split flushes after the first n bytes, and returns the index of the cut that
// follows.
func (s *script) split(n int) int {
	for i, c := range s.cuts {
		switch {
		case c.end == n:
			return i + 1
		case c.end > n:
			s.cuts = slices.Insert(s.cuts, i, cut{n, 0})
			return i + 1
		}
	}
	return len(s.cuts)
}

// shred flushes before every byte of which at says so, too.
func (s *script) shred(at func(i int) bool) {
	var cuts []cut
	start := 0
	for _, c := range s.cuts {
		for i := start + 1; i < c.end; i++ {
			if at(i) {
				cuts = append(cuts, cut{i, 0})
			}
		}
		cuts = append(cuts, c)
		start = c.end
	}
	s.cuts = cuts
}

// rewrite replaces every piece.
func (s *script) rewrite(as func(piece []byte) []byte) {
	var out script
	s.pieces(func(piece []byte, c cut) {
		out.b = append(out.b, as(piece)...)
		out.flush(c.tokens)
	})
	*s = out
}
