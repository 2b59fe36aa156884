package fake

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// A live is a reply that a Model writes while it is sent.
type live struct {
	pieces chan [2]string // what is new of the reasoning and of the text; closed at the end
	ahead  [2]string      // received, and not sent yet
	over   bool           // pieces is closed: reply and err are set
	reply  verbatim.Reply
	err    error
}

// startLive sends a request to a Model, and waits until its reply begins or ends.
func startLive(ctx context.Context, m verbatim.Model, r *verbatim.Request) *live {
	l := &live{pieces: make(chan [2]string)}
	var sent [2]int
	fresh := func(part int, b []byte) string {
		from := sent[part]
		sent[part] = max(from, wholeRunes(b))
		return string(b[min(from, len(b)):min(sent[part], len(b))])
	}
	go func() {
		defer close(l.pieces)
		l.err = m.Ask(verbatim.WithPartial(ctx, func(text, reasoning []byte) {
			select {
			case l.pieces <- [2]string{fresh(0, reasoning), fresh(1, text)}:
			case <-ctx.Done():
			}
		}), r, &l.reply)
	}()
	for l.next() && l.ahead == [2]string{} {
	}
	return l
}

// next waits for more, and reports whether it came.
func (l *live) next() bool {
	p, ok := <-l.pieces
	l.over = !ok
	l.ahead[0] += p[0]
	l.ahead[1] += p[1]
	return ok
}

// wholeRunes returns how many bytes have no part of a character at their end.
func wholeRunes(b []byte) int {
	for i := 1; i <= min(utf8.UTFMax, len(b)); i++ {
		if at := len(b) - i; utf8.RuneStart(b[at]) {
			if utf8.FullRune(b[at:]) {
				break
			}
			return at
		}
	}
	return len(b)
}

// livePieces cuts the reasoning, which is part 0, or the text into pieces as they come. Reasoning ends
// where the text begins. With the text the reply ends: what follows from its end is set.
func (r *reply) livePieces(part int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		l, to := r.live, [2]*string{&r.reasoning, &r.text}[part]
		send := func(text string) bool {
			*to += text
			for piece := range r.pieces(text) {
				if !yield(piece) {
					return false
				}
			}
			return true
		}
		for {
			text := l.ahead[part]
			if l.ahead[part] = ""; !send(text) {
				return
			}
			if part == 0 && l.ahead[1] != "" || !l.next() {
				break
			}
		}
		rest, ok := strings.CutPrefix([2]string{l.reply.Reasoning, l.reply.Text}[part], *to)
		if l.over && l.err == nil && ok && !send(rest) || part == 0 {
			return
		}
		r.live = nil
		switch text, reasoning := r.text, r.reasoning; {
		case l.err != nil:
			r.apiError = modelError(l.err)
		case !ok && !strings.HasPrefix(text, l.reply.Text): // it may be cut at the token limit
			r.apiError = &apiError{status: http.StatusInternalServerError, message: "The model changed its reply while it was sent."}
		default:
			r.take(&l.reply)
			if r.text, r.reasoning = text, reasoning; r.finish == verbatim.FinishRefusal {
				r.finish = verbatim.FinishFilter // the text was sent as an answer
			}
		}
	}
}
