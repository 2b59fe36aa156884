package fake

import (
	"cmp"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A responder answers requests that have been read.
type responder struct {
	config  *Config
	clock   clock
	counts  *counter
	scripts sync.Pool              // of *script
	before  atomic.Pointer[string] // the text of the newest reply
}

// respond answers a request that has its slot, under the fault f; nil: no fault.
func (s *responder) respond(w http.ResponseWriter, r *http.Request, q *request, f *Fault) {
	ctx := r.Context()
	slow := s.config.Pace.slowness(s.counts.InFlight.Load())
	if s.clock.Sleep(ctx, scale(s.config.Pace.delay(q.rand(s.config.Seed, drawLatency)), slow)) != nil {
		s.counts.Broken.Add(1)
		return
	}
	if f != nil && f.description().Stage == stageInstead {
		s.respondInstead(w, q, f)
		return
	}
	if len(s.config.Disobeys) > 0 {
		q = q.disobeyed(s.config.Disobeys)
	}
	rep, e := answer(ctx, s.config, s.counts, q)
	if e != nil {
		s.sendError(w, q.wire, e)
		return
	}
	whole := rep.change(f)
	rep.setTokens(s.config.Seed)
	if len(s.config.Disobeys) > 0 {
		s.disobey(rep)
	}
	s.counts.PromptTokens.Add(rep.prompt)
	s.counts.CompletionTokens.Add(rep.completionTokens())
	if rep.apiError != nil && !q.stream {
		s.counts.Broken.Add(1)
		s.error200(w, q, rep.apiError)
		return
	}
	sc := s.scripts.Get().(*script)
	defer s.scripts.Put(sc)
	sc.b, sc.pieces = sc.b[:0], sc.pieces[:0]
	d := delivery{config: s.config, clock: s.clock, counts: s.counts, w: w, ctx: ctx, request: q, script: sc, slowness: slow, whole: whole, announced: -1, stallAt: -1}
	if q.stream {
		q.wire.writeStream(sc, rep)
	} else {
		sc.b = q.wire.appendReply(sc.b, rep)
		sc.flush(rep.completionTokens())
		d.announced = len(sc.b)
	}
	d.changeDelivery(f)
	s.setReplyHeaders(w.Header(), q)
	d.deliver()
}

// setReplyHeaders sets the headers of an answer.
func (s *responder) setReplyHeaders(h http.Header, q *request) {
	q.wire.setHeaders(h)
	h["Content-Type"] = q.mediaType()
	if q.stream {
		h["Cache-Control"] = noCache
	}
}

// setHeaders sets the headers that every response of the wire has.
func (w *wire) setHeaders(h http.Header) {
	for name, value := range w.headers {
		h[name] = []string{value}
	}
}

// mediaType returns the content type of the answer to a request.
func (q *request) mediaType() []string {
	switch {
	case !q.stream || q.array:
		return jsonType
	case q.wire.jsonLines:
		return linesType
	}
	return eventsType
}

// respondError sends the error of the fault f.
func (s *responder) respondError(w http.ResponseWriter, q *request, f *Fault) {
	k := f.description()
	e := &apiError{status: k.Status, message: http.StatusText(k.Status), after: f.After, form: f.Form}
	switch f.Kind {
	case "429":
		e.message = "Rate limit reached for " + q.model + " on requests per min (RPM). Please slow down."
	case "quota":
		e.kind, e.code = "insufficient_quota", "insufficient_quota"
		e.message = "You exceeded your current quota, please check your plan and billing details."
	case "400":
		e.param = cmp.Or(f.Param, "temperature")
		e.code = "unsupported_parameter"
		e.message = "Unsupported parameter: '" + e.param + "' is not supported with this model."
	case "context":
		e.code, e.param = "context_length_exceeded", "messages"
		e.message = "This model's maximum context length is 16 tokens. However, your messages resulted in " + strconv.FormatInt(promptTokens(q.prompt), 10) + " tokens."
	case "401":
		e.message = "Incorrect API key provided."
	case "403":
		e.message = "You are not allowed to use this model."
	case "404":
		e.code, e.message = "model_not_found", "The model `"+q.model+"` does not exist or you do not have access to it."
	case "500":
		e.message = "The server had an error while processing your request. Sorry about that!"
	case "502":
		s.counts.Refused.Add(1)
		s.counts.Status(e.status)
		w.Header()["Content-Type"] = htmlType
		w.WriteHeader(e.status)
		w.Write([]byte(proxyPage(e.status)))
		return
	case "503", "529":
		e.message = overloaded
	case "loading":
		e.kind, e.message = "unavailable_error", "Loading model"
	}
	s.sendError(w, q.wire, e)
}

// respondInstead does what the fault f does instead of an answer.
func (s *responder) respondInstead(w http.ResponseWriter, q *request, f *Fault) {
	s.counts.Broken.Add(1)
	h := w.Header()
	switch f.Kind {
	case "reset":
		closeConnection(w, true)
	case "hangup":
		closeConnection(w, false)
	case "empty":
		h["Content-Type"] = q.mediaType()
		w.WriteHeader(http.StatusOK)
	case "page":
		h["Content-Type"] = htmlType
		w.Write([]byte("<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>Log in to the network</h1></body></html>\n"))
	case "error200":
		s.error200(w, q, &apiError{status: http.StatusInternalServerError, message: "The engine failed."})
	case "numeric":
		h["Content-Type"] = jsonType
		b := []byte(`{"id":"gen-` + q.id + `","object":"chat.completion","choices":[],"error":`)
		b = openAIErrorObject(b, &apiError{status: 502, code: "502", numeric: true, message: "The provider returned an error."})
		w.Write(append(b, '}'))
	}
}

// error200 sends an error with status 200.
func (s *responder) error200(w http.ResponseWriter, q *request, e *apiError) {
	w.Header()["Content-Type"] = jsonType
	w.Write(q.wire.appendError(nil, e))
}

// proxyPage returns the web page that a proxy sends as an error.
func proxyPage(status int) string {
	title := strconv.Itoa(status) + " " + http.StatusText(status)
	return "<html>\r\n<head><title>" + title + "</title></head>\r\n<body>\r\n<center><h1>" + title +
		"</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
}

// sendError sends an error and counts the request as refused.
func (s *responder) sendError(w http.ResponseWriter, p *wire, e *apiError) {
	s.counts.Refused.Add(1)
	s.writeError(w, p, e)
}

// writeError sends an error.
func (s *responder) writeError(w http.ResponseWriter, p *wire, e *apiError) {
	s.counts.Status(e.status)
	h := w.Header()
	e.setHeaders(h, p.waitInBody, time.Now())
	h["Content-Type"] = jsonType
	p.setHeaders(h)
	w.WriteHeader(e.status)
	w.Write(append(p.appendError(nil, e), '\n'))
}

// disobey changes the reply as the contracts require that the server breaks.
func (s *responder) disobey(r *reply) {
	load := contractLoad{InFlight: s.counts.InFlight.Load(), Call: r.request.position}
	text := r.text
	if before := s.before.Swap(&text); before != nil {
		load.Before = *before
	}
	_, call := r.call()
	sent := s.config.Disobeys.Reply(contractReply{Text: r.text, Finish: r.finish, Prompt: r.prompt, Completion: r.textTokens(), Tokens: r.tokens, Call: call}, r.request.stream, load)
	if s.config.Disobeys["count"] {
		r.written = new(sent.Completion)
	}
	r.text, r.finish, r.prompt, r.tokens = sent.Text, sent.Finish, sent.Prompt, sent.Tokens
}
