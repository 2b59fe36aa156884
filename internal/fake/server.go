package fake

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Server is the server. It is an http.Handler, and safe for concurrent use.
//
// Faults that break connections need a server of net/http behind the
// http.ResponseWriter; elsewhere they panic with http.ErrAbortHandler.
type Server struct {
	config  Config
	clock   clock
	limits  limits
	counts  counts
	bodies  sync.Pool // of *[]byte, for requests
	papers  sync.Pool // of *script
	batches batches
}

// New returns a server. The error names every setting that makes no sense.
func New(c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	s := &Server{config: c, clock: newClock(c.Pace.Clock)}
	s.limits.start(c.Limits)
	s.counts.prompts = map[key]tally{}
	s.bodies.New = func() any { b := make([]byte, 0, 4<<10); return &b }
	s.papers.New = func() any { return new(script) }
	s.batches.start()
	return s, nil
}

// largestBody bounds a request: that of a batch of Anthropic's is the largest.
const largestBody = 256 << 20

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rt, found := find(r.Method, pathOf(r))
	switch {
	case !found:
		s.refuse(w, &chat, &trouble{status: http.StatusNotFound, message: "Invalid URL (" + r.Method + " " + r.URL.Path + ")"})
	case rt.method != r.Method:
		w.Header().Set("Allow", rt.method)
		s.refuse(w, rt.protocol, &trouble{status: http.StatusMethodNotAllowed, message: "Not allowed to " + r.Method + " on " + r.URL.Path + " (HINT: use " + rt.method + ")"})
	case !s.admits(r):
		s.refuse(w, rt.protocol, &trouble{status: http.StatusUnauthorized, message: "Incorrect API key provided.", param: ""})
	default:
		rt.serve(s, w, r)
	}
}

// pathOf returns the path of a request. Google's clients ask for v1 where others
// ask for v1beta, and are told from OpenAI's by the header of their key.
func pathOf(r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/v1/"); ok && r.Header["X-Goog-Api-Key"] != nil {
		return "/v1beta/" + rest
	}
	return r.URL.Path
}

// admits reports whether the request brings the key, in any of the ways of the protocols.
func (s *Server) admits(r *http.Request) bool {
	if s.config.Key == "" {
		return true
	}
	h := r.Header
	bearer, _ := strings.CutPrefix(h.Get("Authorization"), "Bearer ")
	for _, k := range []string{bearer, h.Get("X-Api-Key"), h.Get("Api-Key"), h.Get("X-Goog-Api-Key"), r.URL.Query().Get("key")} {
		if k == s.config.Key {
			return true
		}
	}
	return false
}

// answer returns the handler of a protocol's requests for an answer.
func answer(p *protocol) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		s.counts.enter()
		defer s.counts.leave()
		buffer := s.bodies.Get().(*[]byte)
		defer s.bodies.Put(buffer)
		body, err := readAll((*buffer)[:0], r.Body)
		*buffer = body
		if err != nil {
			s.refuse(w, p, badRequest("The request could not be read: "+err.Error(), ""))
			return
		}
		a, t := p.read(body, r)
		if t != nil {
			s.refuse(w, p, t)
			return
		}
		a.protocol = p
		if a.model == "" {
			a.model = s.config.models()[0]
		}
		s.handle(w, r, a)
	}
}

// readAll appends what r holds to b.
func readAll(b []byte, r io.Reader) ([]byte, error) {
	r = io.LimitReader(r, largestBody)
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// handle answers one ask: limits first, then the fault that is drawn, then a
// slot, the time that it takes, and the answer.
func (s *Server) handle(w http.ResponseWriter, r *http.Request, a *ask) {
	a.key = keyOf(a.prompt)
	a.place, a.try = s.counts.ask(a.key, a.prompt)
	a.id = idOf(a)
	w.Header()[a.protocol.idHeader] = []string{a.protocol.idPrefix + a.id}
	q, t := s.limits.pass(s.clock.now(), s.clock.factor)
	if q != nil {
		q.header(w.Header(), a.protocol, time.Now())
	}
	if t != nil {
		s.refuse(w, a.protocol, t)
		return
	}
	f := s.fault(a)
	if f != nil && f.kind().stage == refuses {
		s.refusal(w, a, f)
		return
	}
	leave, t := s.limits.slot(r.Context())
	if t != nil {
		s.refuse(w, a.protocol, t)
		return
	}
	if leave == nil {
		s.counts.left.Add(1)
		return // the client is gone
	}
	defer leave()
	s.serve(w, r, a, f)
}

// fault draws what happens to an ask; nil is nothing.
func (s *Server) fault(a *ask) *Fault {
	if len(s.config.Faults) == 0 {
		return nil
	}
	f := choose(s.config.Faults, a.place, a.try, s.rand(a, drawFault).Float64())
	if f != nil {
		s.counts.fault(f.Kind)
	}
	return f
}

// refuse sends an error.
func (s *Server) refuse(w http.ResponseWriter, p *protocol, t *trouble) {
	s.counts.refused.Add(1)
	s.counts.status(t.status)
	h := w.Header()
	t.header(h, p, time.Now())
	h["Content-Type"] = jsonType
	s.name(h, p)
	w.WriteHeader(t.status)
	w.Write(append(p.refuse(nil, t), '\n'))
}
