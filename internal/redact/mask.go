package redact

import (
	"strings"
	"unicode/utf8"
)

// maskedRun is how many characters of a secret around a mask count as a find: "sk-ab****wxyz". Providers
// show the last four, which are too few to be of use.
const maskedRun = 8

// maskRunes are the characters with which servers replace the middle of a key.
const maskRunes = "*.…•●xX#"

// minMask is the smallest number of equal characters that are a mask. One … is a mask too.
const minMask = 3

// letterMasks are the shortest masks of letters. A viewReader sees all other masks.
var letterMasks = [...]string{strings.Repeat("x", minMask), strings.Repeat("X", minMask)}

// hasLetterMask reports whether a text has a mask of letters.
func hasLetterMask(s string) bool {
	return strings.Contains(s, letterMasks[0]) || strings.Contains(s, letterMasks[1])
}

// unmask returns a text in which put(name) replaces every secret that is masked in its middle or at one
// of its ends.
func (x *index) unmask(s string, put func(name string) string) string {
	var out strings.Builder
	written := 0
	for i := 0; i < len(s); {
		n := maskLength(s[i:])
		if n == 0 {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		if name, before, after := x.around(s[written:i], s[i+n:]); name != "" {
			out.WriteString(s[written : i-before])
			out.WriteString(put(name))
			written = i + n + after
			n += after
		}
		i += n
	}
	if written == 0 {
		return s
	}
	out.WriteString(s[written:])
	return out.String()
}

// maskLength returns the number of bytes of the mask at the beginning of s; 0: there is no mask.
func maskLength(s string) int {
	first, size := utf8.DecodeRuneInString(s)
	if !strings.ContainsRune(maskRunes, first) {
		return 0
	}
	n, chars := 0, 0
	for strings.HasPrefix(s[n:], s[:size]) {
		n += size
		chars++
	}
	if chars < minMask && first != '…' {
		return 0
	}
	return n
}

// around returns the name of the secret whose beginning and end are around a mask, and how many bytes of
// them are there. The name is "" if there is no such secret.
func (x *index) around(before, after string) (name string, left, right int) {
	for _, v := range x.values {
		if len(v.value) < longSecret {
			continue
		}
		l, r := min(len(v.value)-1, len(before), maxRun), min(len(v.value)-1, len(after), maxRun)
		for l > 0 && before[len(before)-l:] != v.value[:l] {
			l--
		}
		for r > 0 && after[:r] != v.value[len(v.value)-r:] {
			r--
		}
		if l+r >= maskedRun && l+r > left+right {
			name, left, right = v.name, l, r
		}
	}
	return name, left, right
}
