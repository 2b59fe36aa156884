package fake

import (
	"bytes"
	"slices"
	"time"
	"unicode/utf8"
)

// changeDelivery changes how the script is sent, as the fault says.
func (d *delivery) changeDelivery(f *Fault) {
	if f == nil {
		return
	}
	s, events := d.script, d.request.stream && !d.request.wire.jsonLines && !d.request.array
	switch f.Kind {
	case "cut":
		at := d.position(f)
		if d.announced >= 0 && (f.End == "" || f.End == "clean") {
			d.announced = at
		}
		d.end = f.End
		s.truncate(at)
	case "stall":
		d.stallAt, d.stallFor = 0, f.For
		if f.At > 0 {
			d.stallAt = s.split(d.position(f))
		}
	case "murmur":
		d.comment, d.every = "\n", f.Every
		if events {
			d.comment = ": still at it\n\n"
		}
		if d.every == 0 {
			d.every = time.Second
		}
	case "trickle":
		d.every = f.Every
		s.splitWhere(func(int) bool { return true })
	case "split":
		s.splitWhere(func(i int) bool { return i%11 == 0 || !utf8.RuneStart(s.b[i]) })
	case "clump":
		s.pieces = []piece{{len(s.b), s.tokens()}}
	case "closes":
		d.closeAfter = true
	default:
		d.changeFraming(f.Kind, events)
	}
	if d.announced >= 0 && f.Kind != "cut" {
		d.announced = len(s.b)
	}
}

// changeFraming changes the body without changing its meaning. events says that it is a stream
// of server-sent events.
func (d *delivery) changeFraming(kind string, events bool) {
	s := d.script
	switch kind {
	case "crlf":
		if d.request.stream && !bytes.Contains(s.b, []byte("\r\n")) {
			s.rewrite(func(piece []byte) []byte { return bytes.ReplaceAll(piece, []byte("\n"), []byte("\r\n")) })
		}
	case "comments":
		between := "\n"
		if events {
			between = ": keep-alive\n\n"
		}
		s.rewrite(func(piece []byte) []byte { return slices.Concat([]byte(between), piece) })
	case "unknown":
		if events && !d.request.wire.unnamedEvents {
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
	}
}

// position returns the number of bytes that come before the fault. At least the last three bytes
// come after it, so that more than a line end is missing.
func (d *delivery) position(f *Fault) int {
	n := len(d.script.b)
	at := 0
	switch {
	case f.At >= 1:
		at = int(f.At)
	case f.At > 0:
		at = int(f.At * float64(n))
	default:
		at = d.request.rand(d.config.Seed, drawPosition).IntN(n)
	}
	return max(0, min(at, n-3))
}

// truncate drops what comes after the first n bytes.
func (s *script) truncate(n int) {
	i := s.split(n)
	s.b, s.pieces = s.b[:n], s.pieces[:i]
}

// split ends a piece after the first n bytes, and returns the index of the next piece.
func (s *script) split(n int) int {
	for i, p := range s.pieces {
		switch {
		case p.end == n:
			return i + 1
		case p.end > n:
			s.pieces = slices.Insert(s.pieces, i, piece{n, 0})
			return i + 1
		}
	}
	return len(s.pieces)
}

// splitWhere splits the pieces further: before every byte whose index isStart accepts.
func (s *script) splitWhere(isStart func(i int) bool) {
	var pieces []piece
	start := 0
	for _, p := range s.pieces {
		for i := start + 1; i < p.end; i++ {
			if isStart(i) {
				pieces = append(pieces, piece{i, 0})
			}
		}
		pieces = append(pieces, p)
		start = p.end
	}
	s.pieces = pieces
}

// rewrite replaces the bytes of every piece by what changed returns for them.
func (s *script) rewrite(changed func(text []byte) []byte) {
	var out script
	s.eachPiece(func(text []byte, p piece) {
		out.b = append(out.b, changed(text)...)
		out.flush(p.tokens)
	})
	*s = out
}
