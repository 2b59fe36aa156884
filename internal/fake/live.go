package fake

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"unicode/utf8"

	"verbatim"
)

// A live is a reply that a Model writes while it is sent.
type live struct {
	stop   []string // sequences that end the text
	cancel context.CancelFunc
	more   chan struct{} // has a value after a change

	mu      sync.Mutex
	parts   [2][]byte // the reasoning and the text so far
	over    bool      // nothing follows
	stopped string    // the sequence that ended the text
	reply   verbatim.Reply
	err     error
}

// The parts of a live.
const (
	partReasoning = iota
	partText
)

// startLive sends a request to a Model.
func startLive(ctx context.Context, m verbatim.Model, r *verbatim.Request, stop []string) *live {
	l := &live{stop: stop, more: make(chan struct{}, 1)}
	ctx, l.cancel = context.WithCancel(ctx)
	go func() {
		var got verbatim.Reply
		err := m.Ask(verbatim.WithPartial(ctx, func(text, reasoning []byte) { l.add(text, reasoning) }), r, &got)
		l.add([]byte(got.Text), []byte(got.Reasoning))
		l.mu.Lock()
		l.reply, l.err, l.over = got, err, true
		l.mu.Unlock()
		l.notify()
	}()
	return l
}

func (l *live) notify() {
	select {
	case l.more <- struct{}{}:
	default:
	}
}

// add takes in what is new of the reply. Reasoning that comes after the text began is left out.
func (l *live) add(text, reasoning []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped != "" {
		return
	}
	if len(l.parts[partText]) == 0 {
		l.parts[partReasoning] = extended(l.parts[partReasoning], reasoning)
	}
	before := len(l.parts[partText])
	l.parts[partText] = extended(l.parts[partText], text)
	for _, sequence := range l.stop {
		from := max(0, before-len(sequence)+1)
		if i := bytes.Index(l.parts[partText][from:], []byte(sequence)); i >= 0 && sequence != "" {
			l.parts[partText], l.stopped = l.parts[partText][:from+i], sequence
			l.cancel() // the model need not write more
		}
	}
	l.notify()
}

// extended returns b with what is new in all, of which it is the beginning.
func extended(b, all []byte) []byte {
	if len(all) > len(b) && bytes.HasPrefix(all, b) {
		return append(b, all[len(b):]...)
	}
	return b
}

// next waits for what follows the first bytes of a part, in whole characters; "": nothing does.
func (l *live) next(part, from int) string {
	for {
		l.mu.Lock()
		b, over := l.parts[part], l.over || l.stopped != "" || part == partReasoning && len(l.parts[partText]) > 0
		l.mu.Unlock()
		if !over {
			b = b[:len(b)-l.heldBack(part, b)]
		}
		if len(b) > from {
			return string(b[from:])
		}
		if over {
			return ""
		}
		<-l.more
	}
}

// heldBack returns how many bytes at the end of a part wait for others: those of a character, and of a
// text that may be the beginning of a stop sequence.
func (l *live) heldBack(part int, b []byte) (n int) {
	for i := 1; i <= min(utf8.UTFMax, len(b)); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				n = i
			}
			break
		}
	}
	for _, sequence := range l.stop {
		for i := min(len(sequence)-1, len(b)); part == partText && i > n; i-- {
			if bytes.HasSuffix(b, []byte(sequence[:i])) {
				n = i
			}
		}
	}
	return n
}

// begins waits for the first of the reply, and reports whether more follows it.
func (l *live) begins() bool {
	if l.next(partReasoning, 0) == "" {
		l.next(partText, 0)
	}
	return !l.isOver()
}

func (l *live) isOver() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over || l.stopped != ""
}

// pieces cuts a part into pieces for the reply r as it comes.
func (l *live) pieces(r *reply, part int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for from := 0; ; {
			text := l.next(part, from)
			if text == "" {
				return
			}
			from += len(text)
			for piece := range r.pieces(text) {
				if !yield(piece) {
					return
				}
			}
		}
	}
}

// end waits for the end of the reply, and sets in r what follows from it.
func (l *live) end(r *reply) {
	for over := false; !over; {
		l.mu.Lock()
		over = l.over
		l.mu.Unlock()
		if !over {
			<-l.more
		}
	}
	l.cancel()
	r.live = nil
	switch {
	case l.stopped != "":
		r.stopped = l.stopped
	case l.err != nil:
		r.apiError = modelError(l.err)
	case !bytes.HasPrefix(l.parts[partText], []byte(l.reply.Text)):
		r.apiError = &apiError{status: http.StatusInternalServerError, message: "The model changed its reply while it was sent."}
	default:
		r.take(&l.reply)
	}
	r.reasoning, r.text = string(l.parts[partReasoning]), string(l.parts[partText])
}
