package grade

import (
	"strings"

	"verbatim/internal/pylit"
)

// progress says of a reply that the token limit ended whether it was on its way:
// "prefix" where it may have become right, being empty, still reasoning or the
// start of the wanted list, however spelled; else "diverged".
func (j *ListJudge) progress(reply string, s *ListScratch) string {
	if end := strings.LastIndex(reply, "</think>"); end >= 0 {
		reply = pylit.Strip(reply[end+len("</think>"):])
	} else if strings.HasPrefix(reply, "<think>") {
		return "prefix"
	}
	if strings.HasPrefix(j.printed, reply) || j.startsWith(reply, s) {
		return "prefix"
	}
	return "diverged"
}

// startsWith reports whether the list that the reply opens and does not close
// agrees with the wanted one as far as it goes.
func (j *ListJudge) startsWith(reply string, s *ListScratch) bool {
	start := strings.IndexByte(reply, '[')
	if start < 0 {
		return false
	}
	open := reply[start+1:]
	cut := max(strings.LastIndexByte(open, ','), 0)
	v, err := s.own.parser.Parse("[" + open[:cut] + "]")
	if err != nil {
		return false
	}
	n := len(v.Items())
	if n > len(j.want) || !sameItems(v.Items(), j.want[:n]) {
		return false
	}
	last := pylit.Strip(strings.TrimPrefix(open[cut:], ","))
	if n == len(j.want) {
		return last == ""
	}
	next := j.want[n].String()
	return strings.HasPrefix(next, last) || strings.HasPrefix(next, strings.ReplaceAll(last, `"`, "'"))
}
