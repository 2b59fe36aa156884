package report

import (
	"verbatim"
	"verbatim/internal/number"
)

// Retried is about the requests that were tried more than once. Where their share
// of right answers is another than that of the others, the retries are part of the
// result.
type Retried struct {
	N     int64 `json:"n"`     // answered or not
	Exact Rate  `json:"exact"` // of those that were answered in the end
}

// A second tells how requests fared that were tried more than once.
type second struct{ n, answered, exact int64 }

func (s *second) add(rec *verbatim.Record) {
	tries := attempts(rec)
	if len(tries) == 0 || len(tries) == 1 && tries[0].N <= 1 {
		return
	}
	s.n++
	if rec.Outcome.Answered() {
		s.answered++
		if rec.Grade.Exact {
			s.exact++
		}
	}
}

func (s *second) merge(o second) {
	s.n += o.n
	s.answered += o.answered
	s.exact += o.exact
}

// seal returns nil where there are none.
func (s *second) seal() *Retried {
	if s.n == 0 {
		return nil
	}
	return &Retried{s.n, rate(s.exact, s.answered, &s.n)}
}

// retries says in words how they fared.
func retries(r *Retried) []string {
	if r == nil {
		return nil
	}
	parts := []string{number.Plural(r.N, "request was", "requests were") + " tried more than once"}
	if r.Exact.Of > 0 {
		parts = append(parts, number.Count(r.Exact.N)+" of "+number.Plural(r.Exact.Of, "answer", "answers")+" exact ("+number.Percent(r.Exact.Share)+" %, "+number.PercentRange(r.Exact.Low, r.Exact.High, 1)+")")
	} else {
		parts = append(parts, "none was answered")
	}
	return parts
}
