package preflight

import "verbatim"

// call returns the call of a name and its reply. Without such a call it returns nil and an open reply.
func (t *Test) call(name string) (*Call, *reply) {
	for i := range t.calls {
		if t.calls[i].Name == name {
			return &t.calls[i], &t.replies[i]
		}
	}
	return nil, &reply{state: open}
}

// replyTo returns the reply to a call, or the line that says why there is no reply.
func (t *Test) replyTo(name string) (*verbatim.Reply, *Line) {
	c, got := t.call(name)
	switch {
	case c == nil:
		return nil, &Line{State: NotTestable, Says: "this endpoint does not take such requests"}
	case got.state == replied:
		return &got.r, nil
	case got.state == refused && !c.offered(t.config.Wire):
		return nil, &Line{State: NotOffered, Says: noParameter}
	case got.state == refused && c.plain():
		return nil, &Line{State: NotTestable, Says: "the server refuses the prompt", Evidence: []string{got.refusal}}
	case got.state == refused:
		return nil, &Line{State: NotOffered, Says: "the request is refused", Evidence: []string{got.refusal}}
	}
	return nil, &Line{State: Unanswered, Says: "a call has no reply"}
}

// repliesTo returns the replies to several calls, or the line that says why one has no reply.
func (t *Test) repliesTo(names ...string) (list []*verbatim.Reply, missing *Line) {
	for _, name := range names {
		r, missing := t.replyTo(name)
		if missing != nil {
			return nil, missing
		}
		list = append(list, r)
	}
	return list, nil
}

// confirm judges a call, and a second one if the first looks broken. The contract is suspected if
// the second one has no reply yet.
func (t *Test) confirm(first, second string, judge func(*Call, *verbatim.Reply) Line) Line {
	r, missing := t.replyTo(first)
	if missing != nil {
		return *missing
	}
	call, _ := t.call(first)
	line := judge(call, r)
	if line.State != Broken {
		return line
	}
	if r, missing = t.replyTo(second); missing != nil {
		if missing.State == Unanswered {
			line.State = suspected
			return line
		}
		return *missing
	}
	call, _ = t.call(second)
	again := judge(call, r)
	if again.State != Broken {
		return Line{State: NotTestable, Says: "one of two calls " + line.Says, Evidence: line.Evidence}
	}
	again.Evidence = append(line.Evidence, again.Evidence...)
	return again
}
