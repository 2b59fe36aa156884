package verification

import (
	"strings"

	"verbatim"
)

// trials is the number of times that each side gets a prompt.
const trials = 2

// block is the smallest number of prompts that are sent once before any of them is sent again,
// so that other requests lie between the two.
const block = 12

// compared is the number of bytes of a text that are compared, about 28 tokens. Longer texts
// differ more often, whatever the reason, and the shares of texts that other arithmetic and other
// weights change were measured on this many bytes.
const compared = 112

// A reply is what a Test keeps of one reply.
type reply struct {
	state        state
	text         string // the first bytes of its text, see compared
	exact        bool
	promptTokens *int64
	upstream     string // who served it; "" if not known
}

// A state is how far a request is.
type state int

const (
	open    state = iota // not sent, or in flight
	replied              // there is a reply
	missing              // sent, and without a reply
)

// A prompt holds the replies of both sides to one prompt, by side and trial.
type prompt [2][trials]reply

// An Upstream names the upstream that served a reply; "": not known. Nil names none.
type Upstream func(*verbatim.Record) string

func (u Upstream) of(rec *verbatim.Record) string {
	if u == nil {
		return ""
	}
	return strings.Clone(u(rec))
}

// answered reports whether a record has a reply that counts.
func answered(rec *verbatim.Record) bool { return rec.Reply != nil && rec.Outcome.Answered() }

// newReply returns what a record says.
func newReply(rec *verbatim.Record, u Upstream) reply {
	if !answered(rec) {
		return reply{state: missing}
	}
	text := rec.Reply.Text
	return reply{state: replied, text: strings.Clone(text[:min(len(text), compared)]), exact: rec.Grade != nil && rec.Grade.Exact, promptTokens: rec.Reply.Usage.Prompt, upstream: u.of(rec)}
}

// complete reports whether all requests have ended.
func (p *prompt) complete() bool { return p.count(open) == 0 }

// usable reports whether every request has a reply.
func (p *prompt) usable() bool { return p.count(replied) == 2*trials }

func (p *prompt) count(s state) (n int) {
	for _, side := range p {
		for _, r := range side {
			if r.state == s {
				n++
			}
		}
	}
	return n
}

// differs reports whether the sides differ from each other in more of the two trials than
// they differ from themselves.
func (p *prompt) differs() bool {
	across, own := 0, 0
	for trial := range trials {
		if p[0][trial].text != p[1][trial].text {
			across++
		}
	}
	for side := range p {
		if p.varies(side) {
			own++
		}
	}
	return across > own
}

// varies reports whether a side gave two texts.
func (p *prompt) varies(side int) bool { return p[side][0].text != p[side][1].text }

// firstDifference returns the index of the first byte at which the first replies of the
// sides differ. It is false if they are equal.
func (p *prompt) firstDifference() (at int, ok bool) {
	a, b := p[0][0].text, p[1][0].text
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return at, a != b
}
