package wire

import (
	"fmt"
	"unicode/utf8"
)

const (
	headBytes = 4 << 10
	tailBytes = 4 << 10
)

// HeadAndTail returns the part that is saved of the text of an incomplete reply: all of a short
// one, the head and the tail of a long one, in whole characters.
func HeadAndTail(text string) string {
	if len(text) <= headBytes+tailBytes+100 {
		return text
	}
	head, tail := headBytes, len(text)-tailBytes
	for head > headBytes-utf8.UTFMax && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text)-tailBytes+utf8.UTFMax && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:head], tail-head, text[tail:])
}
