package preflight

// Result returns the verdict on the replies so far.
func (t *Test) Result() *Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, more := t.next()
	r := &Result{Finished: !more && !t.inFlight}
	for n, c := range contracts() {
		l := t.judge(c)
		l.Number, l.Contract = n+1, c
		if l.State == suspected {
			l.State = Unanswered
			l.Says += "; the second call has no reply"
		}
		for i := range t.calls {
			if t.calls[i].Contract != c {
				continue
			}
			switch s := &t.replies[i]; s.state {
			case replied, refused:
				if s.state == replied || t.calls[i].offered(t.config.Wire) {
					l.Calls++
					r.Calls++
				}
			case lost:
				r.Missing++
			}
		}
		r.Lines = append(r.Lines, l)
	}
	switch {
	case r.Count(Broken) > 0:
		r.Word = SomeBroke
	case r.Count(Unanswered) > 0 || !r.Finished:
		r.Word = Undecided
	default:
		r.Word = AllHeld
	}
	return r
}

// Verdict returns the verdict; "" while it is open.
func (t *Test) Verdict() string {
	if r := t.Result(); r.Word.Settled() && r.Finished {
		return string(r.Word)
	}
	return ""
}
