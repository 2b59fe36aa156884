package report

import "verbatim"

// A second tells how requests fared that were tried more than once.
type second struct {
	n, answered, exact int64
	clusters           clusters
	resent             int64 // on another connection, since the server had closed an idle one: no retry
}

func (s *second) add(rec *verbatim.Record, m *entry) {
	list := attempts(rec)
	if len(list) == 0 {
		return
	}
	for i := range list[1:] {
		if list[i].N == list[i+1].N && list[i].N > 0 {
			s.resent++
		}
	}
	if last := list[len(list)-1].N; last == 1 || last <= 0 && len(list) == 1 {
		return
	}
	s.n++
	if rec.Outcome.Answered() {
		s.answered++
		if rec.Grade.Exact {
			s.exact++
		}
		s.clusters.addRepeated(m)
	}
}

func (s *second) merge(o *second) {
	s.n += o.n
	s.resent += o.resent
	s.answered += o.answered
	s.exact += o.exact
	s.clusters.Merge(&o.clusters.Items)
}

// finish returns nil where there are none.
func (s *second) finish() *Retried {
	if s.n == 0 {
		return nil
	}
	return &Retried{s.n, s.clusters.all().exactRate(s.exact, s.answered, &s.n)}
}
