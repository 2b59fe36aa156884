package preflight

import "verbatim"

// call returns the reply to the call of a name. A call that this endpoint does not get has no reply.
func (t *Test) call(name string) (*Call, *reply) {
	for i := range t.calls {
		if t.calls[i].Name == name {
			return &t.calls[i], &t.replies[i]
		}
	}
	return nil, &reply{state: open}
}

// replyTo returns the reply to a call. Without a reply, ok is false and the line says why.
func (t *Test) replyTo(name string) (r *verbatim.Reply, missing Line, ok bool) {
	c, got := t.call(name)
	switch {
	case c == nil:
		return nil, Line{State: NotTestable, Says: "this endpoint does not take such requests"}, false
	case got.state == replied:
		return &got.r, Line{}, true
	case got.state == refused && !c.offered(t.config.Wire):
		return nil, Line{State: NotOffered, Says: noParameter}, false
	case got.state == refused && c.plain():
		return nil, Line{State: NotTestable, Says: "the server refuses the prompt", Evidence: []string{got.refusal}}, false
	case got.state == refused:
		return nil, Line{State: NotOffered, Says: "the request is refused", Evidence: []string{got.refusal}}, false
	}
	return nil, Line{State: Unanswered, Says: "a call has no reply"}, false
}

// repliesTo returns the replies to several calls, all or none.
func (t *Test) repliesTo(names ...string) (list []*verbatim.Reply, missing Line, ok bool) {
	for _, name := range names {
		r, missing, ok := t.replyTo(name)
		if !ok {
			return nil, missing, false
		}
		list = append(list, r)
	}
	return list, Line{}, true
}

// twice judges the calls of a contract with one call, and the second call if the first one
// looks broken.
func (t *Test) twice(c Contract, judge func(*Call, *verbatim.Reply) Line) Line {
	var names []string
	for i := range t.calls {
		if t.calls[i].Contract == c {
			names = append(names, t.calls[i].Name)
		}
	}
	return t.confirm(names[0], names[1], judge)
}

// confirm judges a call, and a second one if the first looks broken.
func (t *Test) confirm(first, second string, judge func(*Call, *verbatim.Reply) Line) Line {
	r, missing, ok := t.replyTo(first)
	if !ok {
		return missing
	}
	call, _ := t.call(first)
	line := judge(call, r)
	if line.State != Broken {
		return line
	}
	if r, missing, ok = t.replyTo(second); !ok {
		if missing.State == Unanswered {
			line.State = suspected
			return line
		}
		return missing
	}
	call, _ = t.call(second)
	again := judge(call, r)
	if again.State != Broken {
		return Line{State: NotTestable, Says: "one of two calls " + line.Says, Evidence: line.Evidence}
	}
	again.Evidence = append(line.Evidence, again.Evidence...)
	return again
}
