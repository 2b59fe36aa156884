package reasoning

import "bytes"

// ContentStart returns where the answer begins in the text of a stream so far: 0 if
// the text does not begin with a common opening tag, and its length while such a tag is
// incomplete or not closed. With tags of the user, only those count: their opening tag may be missing, and
// all text before the closing one is reasoning.
func ContentStart(text []byte, tags Tags) int {
	if tags != (Tags{}) {
		return after(text, tags.Close)
	}
	head := bytes.TrimLeft(text[:min(len(text), 64)], " \t\r\n")
	for _, t := range common() {
		switch {
		case bytes.HasPrefix(head, []byte(t.Open)):
			return after(text, t.Close)
		case len(head) < len(t.Open) && bytes.HasPrefix([]byte(t.Open), head): // it may become one
			return len(text)
		}
	}
	return 0
}

// after returns where a tag ends in a text; the end of the text without it.
func after(text []byte, tag string) int {
	if at := bytes.Index(text, []byte(tag)); at >= 0 {
		return at + len(tag)
	}
	return len(text)
}
