package report

import "verbatim"

// retries counts the requests with more than one attempt.
type retries struct {
	n      int64
	exact  exactCount // of those that were answered in the end
	resent int64      // attempts on another connection, since the server had closed an idle one: no retry
}

func (r *retries) add(rec *verbatim.Record, m *entry) {
	list := rec.Attempts()
	if len(list) == 0 {
		return
	}
	for i := range list[1:] {
		if list[i].N == list[i+1].N && list[i].N > 0 {
			r.resent++
		}
	}
	if last := list[len(list)-1].N; last == 1 || last <= 0 && len(list) == 1 {
		return
	}
	r.n++
	if m.answered {
		r.exact.add(m)
	}
}

func (r *retries) merge(o *retries) {
	r.n += o.n
	r.exact.merge(&o.exact)
	r.resent += o.resent
}

// finish returns nil if no request was retried.
func (r *retries) finish() *Retried {
	if r.n == 0 {
		return nil
	}
	return &Retried{r.n, r.exact.rate(&r.n)}
}
