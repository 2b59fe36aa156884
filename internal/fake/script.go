package fake

import "verbatim/internal/rawjson"

// A script is the bytes of a response's body, and where they are flushed.
type script struct {
	b      []byte
	pieces []piece
}

// A piece is a part of a script that is sent at once. It begins where the one before it ends.
type piece struct {
	end    int
	tokens int64 // of the answer, which take time
}

// flush ends a piece with a number of tokens of the answer, unless it has no bytes.
func (s *script) flush(tokens int64) {
	if n := len(s.pieces); n > 0 && s.pieces[n-1].end == len(s.b) {
		return
	}
	s.pieces = append(s.pieces, piece{len(s.b), tokens})
}

func (s *script) add(parts ...string) {
	for _, p := range parts {
		s.b = append(s.b, p...)
	}
}

func (s *script) addString(text string) { s.b = rawjson.AppendString(s.b, text) }

// tokens returns the tokens of the answer in the whole script.
func (s *script) tokens() (n int64) {
	for _, p := range s.pieces {
		n += p.tokens
	}
	return n
}

// eachPiece calls do for each piece with its bytes.
func (s *script) eachPiece(do func(text []byte, p piece)) {
	start := 0
	for _, p := range s.pieces {
		do(s.b[start:p.end], p)
		start = p.end
	}
}

// appendText appends before, which ends in the name of a member, and text as a JSON string.
func appendText(b []byte, before, text string) []byte {
	return rawjson.AppendString(append(b, before...), text)
}
