package reasoning

import "bytes"

// ContentStart returns where the answer begins in a text of which some has arrived: 0 if
// the text does not begin with a common opening tag, and its length while such a tag is
// incomplete or not closed. Tags are the user's own for this model; their opening tag may be missing, and
// without the closing one everything is reasoning.
func ContentStart(text []byte, tags Tags) int {
	if tags != (Tags{}) {
		return after(text, tags.Close)
	}
	head := bytes.TrimLeft(text[:min(len(text), 64)], " \t\r\n")
	for _, t := range Common() {
		switch {
		case bytes.HasPrefix(head, []byte(t.Open)):
			return after(text, t.Close)
		case len(head) < len(t.Open) && bytes.HasPrefix([]byte(t.Open), head): // it may become one
			return len(text)
		}
	}
	return 0
}

func after(text []byte, tag string) int {
	if at := bytes.Index(text, []byte(tag)); at >= 0 {
		return at + len(tag)
	}
	return len(text)
}
