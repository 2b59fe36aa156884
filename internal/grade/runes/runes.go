package runes

import (
	"unicode"
	"unicode/utf8"
)

// Decode returns the code points of s. A byte that is not part of valid UTF-8
// becomes U+DC00 plus the byte, a number that no valid text contains (Python
// calls it surrogateescape), so that different bytes stay different.
func Decode(s string) []rune {
	out := make([]rune, utf8.RuneCountInString(s))
	n := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			out[n] = rune(c)
			i++
		} else {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				r = 0xDC00 + rune(c)
			}
			out[n] = r
			i += size
		}
		n++
	}
	return out
}

// IsASCII reports whether s holds no byte above 127.
func IsASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsSpace reports whether r is white space to Python's str.isspace: White_Space and U+001C to U+001F.
func IsSpace(r rune) bool {
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
}

// IsAlnum reports whether r is a letter or has a numeric value, as Python's str.isalnum.
func IsAlnum(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// IsWord reports whether r matches Python's \w.
func IsWord(r rune) bool { return r == '_' || IsAlnum(r) }

// CommonHead returns the length of the common start of a and b.
func CommonHead(a, b []rune) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// CommonTail returns the length of the common end of a and b, which
// may overlap the common start.
func CommonTail(a, b []rune) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return i
}

// runeCounts counts code points. Those beyond ASCII have counters in pages of 256. last is the
// page that was used last: most texts have few scripts.
type runeCounts struct {
	ascii [utf8.RuneSelf]int32
	pages map[rune]*[256]int32
	last  *[256]int32
	page  rune // the number of last
}

// of returns the counter of r.
func (c *runeCounts) of(r rune) *int32 {
	if uint32(r) < utf8.RuneSelf {
		return &c.ascii[r]
	}
	if c.last == nil || c.page != r>>8 {
		c.page = r >> 8
		if c.last = c.pages[c.page]; c.last == nil {
			if c.pages == nil {
				c.pages = map[rune]*[256]int32{}
			}
			c.last = new([256]int32)
			c.pages[c.page] = c.last
		}
	}
	return &c.last[r&255]
}

// Common returns the size of the intersection of the multisets a and b.
func Common(a, b []rune) int {
	var counts runeCounts
	for _, r := range a {
		*counts.of(r)++
	}
	n := 0
	for _, r := range b {
		if left := counts.of(r); *left > 0 {
			*left--
			n++
		}
	}
	return n
}

// Permuted reports whether a and b hold the same code points in some order.
func Permuted(a, b []rune) bool {
	return len(a) == len(b) && Common(a, b) == len(a)
}

// Lower returns an ASCII letter in lower case, and any other byte as it is.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
