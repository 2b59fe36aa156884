package fake

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
)

// A Server is the server. It is an http.Handler, and safe for concurrent use.
//
// Faults that break connections need a server of net/http behind the
// http.ResponseWriter; elsewhere they panic with http.ErrAbortHandler.
type Server struct {
	responder
	limits  limiter
	bodies  sync.Pool // of *[]byte, for requests
	batches batches
	routes  []route // the busiest first
}

// New returns a server. The error names every invalid setting.
func New(c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	n := new(counter)
	s := &Server{responder: responder{config: &c, clock: newClock(c.Pace.Clock), counts: n}}
	s.batches = batches{config: &c, clock: s.clock, counts: n, files: map[string]*file{}}
	s.limits.Start(c.Limits)
	s.bodies.New = func() any { b := make([]byte, 0, 4<<10); return &b }
	s.scripts.New = func() any { return new(script) }
	s.routes = s.routesOf(wires())
	return s, nil
}

// routesOf returns the routes of wires. Those for answers, the busiest, come first. Those that
// need a header come before the same path without it.
func (s *Server) routesOf(wires []spokenWire) []route {
	var answers, special, others []route
	for _, w := range wires {
		for _, path := range w.paths {
			answers = append(answers, route{method: "POST", path: path, wire: w.wire, serve: func(rw http.ResponseWriter, r *http.Request) { s.handleAnswer(w.wire, rw, r) }})
		}
		if models := s.models(w.wire); w.modelsHeader != "" {
			special = append(special, models)
		} else if w.modelsPath != "" {
			others = append(others, models)
		}
		for path, page := range w.pages {
			others = append(others, route{method: "GET", path: path, wire: w.wire, serve: func(rw http.ResponseWriter, _ *http.Request) { sendJSON(rw, []byte(page)) }})
		}
		if w.batches == nil {
			continue
		}
		for _, call := range w.batches.routes() {
			others = append(others, route{method: call.method, path: call.path, wire: w.wire, upload: call.upload, serve: func(rw http.ResponseWriter, r *http.Request) { s.handleBatchCall(&s.batches, w, call, rw, r) }})
		}
	}
	if s.config.Limits.Metrics {
		others = append(others, route{method: "GET", path: "/metrics", wire: wires[0].wire, serve: func(rw http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(rw, "# TYPE vllm:num_requests_waiting gauge\nvllm:num_requests_waiting{engine=\"0\"} %d.0\n", s.limits.Waiting())
		}})
	} else if n := s.config.Limits.Slots; n > 0 {
		props := fmt.Appendf(nil, `{"total_slots":%d}`, n) // as llama.cpp has it
		others = append(others, route{method: "GET", path: "/props", wire: wires[0].wire, serve: func(rw http.ResponseWriter, _ *http.Request) { sendJSON(rw, props) }})
	}
	return slices.Concat(answers, special, others)
}

// models returns the route of the list of models.
func (s *Server) models(w *wire) route {
	return route{method: "GET", path: w.modelsPath, header: w.modelsHeader, wire: w, serve: func(rw http.ResponseWriter, _ *http.Request) {
		sendJSON(rw, w.appendModels(nil, s.config.models()))
	}}
}

// Counts returns what the server did so far.
func (s *Server) Counts() Counts { return s.counts.snapshot() }

// Asked returns how often a prompt was asked, and how often it was answered whole.
func (s *Server) Asked(p verbatim.Prompt) (asked, answered int) {
	return s.counts.Asked(keyOf(p))
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rt, found := findRoute(s.routes, r)
	if !found {
		rt.wire = s.wireAt(r)
	}
	foreign := s.config.foreign(r)
	switch {
	case foreign != nil:
		s.sendError(w, rt.wire, foreign)
	case !found: // not counted as refused: clients that look for servers ask for many paths
		s.writeError(w, rt.wire, &apiError{status: http.StatusNotFound, message: "Invalid URL (" + r.Method + " " + r.URL.Path + ")"})
	case rt.method != r.Method:
		w.Header().Set("Allow", rt.method)
		s.sendError(w, rt.wire, &apiError{status: http.StatusMethodNotAllowed, message: "Not allowed to " + r.Method + " on " + r.URL.Path + " (HINT: use " + rt.method + ")"})
	case !s.authorized(r):
		s.sendError(w, rt.wire, &apiError{status: http.StatusUnauthorized, message: "Incorrect API key provided."})
	case r.Method == http.MethodPost && !rt.upload && !isJSON(r):
		s.sendError(w, rt.wire, &apiError{status: http.StatusUnsupportedMediaType, message: fmt.Sprintf("Content-Type must be application/json, got %q (HINT: curl -H 'content-type: application/json')", r.Header.Get("Content-Type"))})
	default:
		rt.serve(w, r)
	}
}

// foreign returns the error of a request that a page of another site may have made a browser send; nil
// for other requests. Every page can send requests to this machine, and an answer may cost money. What it
// cannot choose is the Origin, the Host (which names its own site if it rebinds the name to this
// machine), and JSON as the Content-Type: for that a browser asks first, with OPTIONS, and no answer of
// this server permits it. A connection inside the program has any Host.
func (c *Config) foreign(r *http.Request) *apiError {
	at, network := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	host := (&url.URL{Host: r.Host}).Hostname()
	ip, local := net.ParseIP(host), strings.EqualFold(host, "localhost")
	if ip != nil && network {
		local = ip.IsLoopback() || at.IP.Equal(ip)
	}
	if network && !local && !slices.ContainsFunc(c.Hosts, func(name string) bool { return strings.EqualFold(name, host) }) {
		return &apiError{status: http.StatusForbidden, message: fmt.Sprintf("This server does not answer requests for the host %q (HINT: verbatim fake --host NAME allows a name)", host)}
	}
	for _, origin := range r.Header["Origin"] {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return &apiError{status: http.StatusForbidden, message: fmt.Sprintf("This server does not answer requests of pages of another site, %q", origin)}
		}
	}
	return nil
}

// isJSON reports whether the body of a request is JSON by its header, or empty.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json" || r.ContentLength == 0
}

// wireAt returns the wire whose clients send requests to a path that has no route.
func (s *Server) wireAt(r *http.Request) *wire {
	for _, rt := range s.routes {
		if root := rt.wire.root; root != "" && strings.HasPrefix(pathOf(r), root) || rt.header != "" && r.Header.Get(rt.header) != "" {
			return rt.wire
		}
	}
	return s.routes[0].wire
}

// authorized reports whether the request has the key, in any of the places of the protocols.
func (s *Server) authorized(r *http.Request) bool {
	if s.config.Key == "" {
		return true
	}
	h := r.Header
	keys := []string{strings.TrimPrefix(h.Get("Authorization"), "Bearer "), h.Get("X-Api-Key"), h.Get("Api-Key"), h.Get("X-Goog-Api-Key"), r.URL.Query().Get("key")}
	return slices.Contains(keys, s.config.Key)
}

// handleAnswer serves a request for an answer.
func (s *Server) handleAnswer(p *wire, w http.ResponseWriter, r *http.Request) {
	s.counts.enter()
	defer s.counts.leave()
	buffer := s.bodies.Get().(*[]byte)
	defer s.bodies.Put(buffer)
	body, err := readAll((*buffer)[:0], r.Body)
	*buffer = body
	if err != nil {
		s.sendError(w, p, badRequest("The request could not be read: "+err.Error(), ""))
		return
	}
	q, e := p.read(body, r)
	if e != nil {
		s.sendError(w, p, e)
		return
	}
	q.wire = p
	q.stream = q.stream && p.writeStream != nil
	if s.config.Strict && q.model != "" && !slices.Contains(s.config.models(), q.model) {
		s.sendError(w, p, &apiError{status: http.StatusNotFound, code: "model_not_found", message: "The model `" + q.model + "` does not exist."})
		return
	}
	q.model = cmp.Or(q.model, s.config.models()[0])
	s.handle(w, r, q)
}

// readAll appends the bytes of r to b, at most maxBody.
func readAll(b []byte, r io.Reader) ([]byte, error) {
	r = io.LimitReader(r, maxBody)
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

// handle handles one request: the limits, the fault that is drawn for it, the wait for a slot, and
// the answer.
func (s *Server) handle(w http.ResponseWriter, r *http.Request, q *request) {
	q.key = keyOf(q.prompt)
	q.position, q.repeat = s.counts.addRequest(q.key, q.prompt)
	q.id = idOf(q)
	w.Header()[q.wire.idHeader] = []string{q.wire.idPrefix + q.id}
	quota, wait := s.limits.admit(s.clock.Now(), s.clock.Factor)
	if quota != nil && q.wire.setQuota != nil {
		q.wire.setQuota(w.Header(), quota, time.Now())
	}
	if wait > 0 {
		s.sendError(w, q.wire, &apiError{status: http.StatusTooManyRequests, after: wait, message: "Rate limit reached for requests. Please slow down."})
		return
	}
	f := s.fault(q)
	if f != nil && f.description().Stage == stageError {
		s.respondError(w, q, f)
		return
	}
	leave, err := s.limits.takeSlot(r.Context())
	switch {
	case err == errFull:
		s.sendError(w, q.wire, &apiError{status: http.StatusServiceUnavailable, message: "The server is overloaded: its queue is full."})
		return
	case err != nil:
		s.counts.Left.Add(1)
		return // the client is gone
	}
	defer leave()
	s.respond(w, r, q, f)
}

// fault draws the fault of a request and counts it; nil: no fault.
func (s *Server) fault(q *request) *Fault {
	if len(s.config.Faults) == 0 {
		return nil
	}
	f := chooseFault(s.config.Faults, q.position, q.repeat, q.rand(s.config.Seed, drawFault).Float64())
	if f != nil {
		s.counts.fault(f.Kind)
	}
	return f
}

// handleBatchCall serves a call of a batch API, one at a time. It draws whether the server is
// busy, and whether the response is lost.
func (s *responder) handleBatchCall(b *batches, p spokenWire, call batchRoute, w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	rng := rand.New(rand.NewPCG(mix(s.config.Seed+drawBatch<<32), mix(b.calls)))
	busy, lost := rng.Float64() < s.config.Batch.Busy, rng.Float64() < s.config.Batch.Lost
	if busy {
		s.sendError(w, p.wire, &apiError{status: http.StatusServiceUnavailable, message: overloaded})
		return
	}
	out := w
	if lost && call.creates {
		out = discard{http.Header{}}
	}
	p.setHeaders(out.Header())
	if e := call.serve(b, p.batches, out, r); e != nil {
		s.sendError(w, p.wire, e)
		return
	}
	if lost && call.creates {
		s.counts.Broken.Add(1)
		closeConnection(w, true)
	}
}

// A discard is a response that is not sent.
type discard struct{ h http.Header }

func (d discard) Header() http.Header         { return d.h }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// wires returns the wires that the server speaks. Errors on paths of none are those of the first.
func wires() []spokenWire {
	return []spokenWire{
		{chatWire(), openAIBatches()},
		{responsesWire(), nil},
		{anthropicWire(), anthropicBatches()},
		{geminiWire(), geminiBatches()},
		{ollamaWire(), nil},
	}
}

// A spokenWire is a wire with its batch API; nil: it has none.
type spokenWire struct {
	*wire
	batches *batchAPI
}

// A route is a method and a path that the server handles. In the path, {} matches one or more
// characters, up to a slash or a colon.
type route struct {
	method, path string
	header       string // that a request must have; "": none
	wire         *wire  // the protocol of its errors
	upload       bool   // its body is a file, not JSON
	serve        http.HandlerFunc
}

// findRoute returns the route of a request. If none has its method, it is one of another method.
func findRoute(routes []route, r *http.Request) (found route, ok bool) {
	path := pathOf(r)
	for i := range routes {
		if !matches(routes[i].path, path) || routes[i].header != "" && r.Header.Get(routes[i].header) == "" {
			continue
		}
		if found, ok = routes[i], true; found.method == r.Method {
			break
		}
	}
	return found, ok
}

// matches reports whether path matches the pattern of a route.
func matches(pattern, path string) bool {
	for {
		head, rest, open := strings.Cut(pattern, "{}")
		tail, ok := strings.CutPrefix(path, head)
		if !ok || !open {
			return ok && tail == ""
		}
		n := strings.IndexAny(tail, "/:")
		if n < 0 {
			n = len(tail)
		}
		if n == 0 {
			return false
		}
		pattern, path = rest, tail[n:]
	}
}

// pathOf returns the path of a request. Some of Google's clients use v1 instead of v1beta. They
// differ from OpenAI's clients by the header of the key.
func pathOf(r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/v1/"); ok && r.Header["X-Goog-Api-Key"] != nil {
		return "/v1beta/" + rest
	}
	return r.URL.Path
}

// A wire reads the requests and writes the replies of one protocol.
type wire struct {
	name string
	root string // the beginning of its paths; "": that of other wires
	// paths are those of requests for an answer, with POST.
	paths []string
	// modelsPath is the path of the list of models; "": no list. Only requests with the
	// header modelsHeader get this list; "": all do.
	modelsPath, modelsHeader string
	// appendModels appends the list of models.
	appendModels func(b []byte, names []string) []byte
	pages        map[string]string // further paths for GET, and their JSON
	// read reads a request; in a batch it has no *http.Request.
	read func(body []byte, r *http.Request) (*request, *apiError)
	// appendReply appends a reply in one piece.
	appendReply func(b []byte, r *reply) []byte
	// writeStream writes a reply as a stream; nil: the protocol has none.
	writeStream func(s *script, r *reply)
	// appendError appends the body of an error.
	appendError func(b []byte, e *apiError) []byte
	// setQuota sets the headers that state a rate limit; nil: there are none.
	setQuota func(h http.Header, q *quota, now time.Time)

	headers            map[string]string // of every response
	idHeader, idPrefix string            // the header with the id of a response, and the prefix of its value
	jsonLines          bool              // a stream is JSON lines, not server-sent events
	unnamedEvents      bool              // the events of a stream have no types
	waitInBody         bool              // an error states the wait in its body
}

// appendModels appends a list of models between head and tail. one returns a model for its name,
// which is a JSON string.
func appendModels(b []byte, names []string, head string, one func(name string) string, tail string) []byte {
	b = append(b, head...)
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, one(string(rawjson.AppendString(nil, name)))...)
	}
	return append(b, tail...)
}

// An apiError is an error as a server reports it.
type apiError struct {
	status  int
	kind    string // OpenAI's type; "": that of the status
	code    string
	numeric bool // the code is written as a number
	param   string
	message string
	after   time.Duration
	form    string // as Fault.Form
	// upstream is the provider behind a router that failed, as OpenRouter names it; "": none.
	upstream string
}

// seconds returns the wait in whole seconds, rounded up.
func (e *apiError) seconds() int64 { return int64((e.after + time.Second - 1) / time.Second) }

// setHeaders sets the header with the wait. If the body states it, no header does, unless a
// fault names a form for it.
func (e *apiError) setHeaders(h http.Header, waitInBody bool, now time.Time) {
	if e.after <= 0 || waitInBody && e.form == "" {
		return
	}
	switch e.form {
	case "date":
		h.Set("Retry-After", now.Add(time.Duration(e.seconds())*time.Second).UTC().Format(http.TimeFormat))
	case "ms":
		h.Set("Retry-After-Ms", strconv.FormatInt(e.after.Milliseconds(), 10))
	case "", "seconds":
		h.Set("Retry-After", strconv.FormatInt(e.seconds(), 10))
	}
}

// overloaded is the message of status 503.
const overloaded = "The server is currently overloaded. Please retry later."

func badRequest(message, param string) *apiError {
	return &apiError{status: http.StatusBadRequest, message: message, param: param}
}

// Values of headers, which are shared and never changed.
var (
	jsonType   = []string{"application/json"}
	linesType  = []string{"application/x-ndjson"}
	eventsType = []string{"text/event-stream; charset=utf-8"}
	htmlType   = []string{"text/html"}
	noCache    = []string{"no-cache"}
)

// sendJSON sends a JSON value and a line feed.
func sendJSON(w http.ResponseWriter, body []byte) {
	w.Header()["Content-Type"] = jsonType
	w.Write(append(body, '\n'))
}
