package fake

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/finish"
)

// Content types, as header values that are shared and never changed.
var (
	jsonType   = []string{"application/json"}
	linesType  = []string{"application/x-ndjson"}
	eventsType = []string{"text/event-stream; charset=utf-8"}
	htmlType   = []string{"text/html"}
	noCache    = []string{"no-cache"}
)

// serve answers an ask that has its slot, under the fault f; nil: no fault.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, a *ask, f *Fault) {
	ctx := r.Context()
	slow := s.slowness()
	if s.clock.sleep(ctx, scale(s.latency(a), slow)) != nil {
		s.counts.broken.Add(1)
		return
	}
	if f != nil && f.kind().stage == stands {
		s.standIn(w, a, f)
		return
	}
	rep, t := s.say(ctx, a)
	if t != nil {
		s.refuse(w, a.protocol, t)
		return
	}
	whole := s.reword(rep, f)
	s.counts.promptTokens.Add(rep.prompt)
	s.counts.completionTokens.Add(rep.completion())
	if rep.trouble != nil && !a.stream {
		s.counts.broken.Add(1)
		s.error200(w, a, rep.trouble)
		return
	}
	sc := s.papers.Get().(*script)
	defer s.papers.Put(sc)
	sc.b, sc.cuts = sc.b[:0], sc.cuts[:0]
	d := delivery{server: s, w: w, ctx: ctx, ask: a, script: sc, slow: slow, whole: whole, announced: -1, stallAt: -1}
	if a.stream {
		a.protocol.stream(sc, rep)
	} else {
		sc.b = a.protocol.whole(sc.b, rep)
		sc.flush(rep.completion())
		d.announced = len(sc.b)
	}
	d.recut(f)
	s.head(w.Header(), a)
	d.play()
}

func scale(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// head sets the headers of an answer.
func (s *Server) head(h http.Header, a *ask) {
	s.name(h, a.protocol)
	h["Content-Type"] = a.mediaType()
	if a.stream {
		h["Cache-Control"] = noCache
	}
}

// name sets the headers that every response of a protocol has.
func (s *Server) name(h http.Header, p *protocol) {
	if p == &chat {
		h["Openai-Processing-Ms"] = []string{"1"}
		h["Openai-Version"] = []string{"2020-10-01"}
	}
}

// mediaType returns the content type of the answer to an ask.
func (a *ask) mediaType() []string {
	switch {
	case !a.stream || a.array:
		return jsonType
	case a.protocol.lines:
		return linesType
	}
	return eventsType
}

// refusal sends the error that is a fault.
func (s *Server) refusal(w http.ResponseWriter, a *ask, f *Fault) {
	k := f.kind()
	t := &trouble{status: k.status, message: http.StatusText(k.status), after: f.After, form: f.Form}
	switch f.Kind {
	case "429":
		t.message = "Rate limit reached for " + a.model + " on requests per min (RPM). Please slow down."
	case "quota":
		t.kind, t.code = "insufficient_quota", "insufficient_quota"
		t.message = "You exceeded your current quota, please check your plan and billing details."
	case "400":
		t.param = f.Param
		if t.param == "" {
			t.param = "temperature"
		}
		t.code = "unsupported_parameter"
		t.message = "Unsupported parameter: '" + t.param + "' is not supported with this model."
	case "context":
		t.code, t.param = "context_length_exceeded", "messages"
		t.message = "This model's maximum context length is 16 tokens. However, your messages resulted in " + strconv.FormatInt(promptTokens(a.prompt), 10) + " tokens."
	case "401":
		t.message = "Incorrect API key provided."
	case "403":
		t.message = "You are not allowed to use this model."
	case "404":
		t.code, t.message = "model_not_found", "The model `"+a.model+"` does not exist or you do not have access to it."
	case "500":
		t.message = "The server had an error while processing your request. Sorry about that!"
	case "502":
		s.counts.refused.Add(1)
		s.counts.status(t.status)
		w.Header()["Content-Type"] = htmlType
		w.WriteHeader(t.status)
		w.Write([]byte(page(t.status)))
		return
	case "503", "529":
		t.message = "The server is currently overloaded. Please try again later."
	case "loading":
		t.kind, t.message = "unavailable_error", "Loading model"
	}
	s.refuse(w, a.protocol, t)
}

// standIn sends what stands in place of an answer.
func (s *Server) standIn(w http.ResponseWriter, a *ask, f *Fault) {
	s.counts.broken.Add(1)
	h := w.Header()
	switch f.Kind {
	case "reset":
		drop(w, true)
	case "hangup":
		drop(w, false)
	case "empty":
		h["Content-Type"] = a.mediaType()
		w.WriteHeader(http.StatusOK)
	case "page":
		h["Content-Type"] = htmlType
		w.Write([]byte("<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>Log in to the network</h1></body></html>\n"))
	case "error200":
		s.error200(w, a, &trouble{status: http.StatusInternalServerError, message: "The engine failed."})
	case "numeric":
		h["Content-Type"] = jsonType
		b := []byte(`{"id":"gen-` + a.id + `","object":"chat.completion","choices":[],"error":`)
		b = openAIErrorObject(b, &trouble{status: 502, code: "502", numeric: true, message: "The provider returned an error."})
		w.Write(append(b, '}'))
	}
}

// error200 sends an error with a status of success.
func (s *Server) error200(w http.ResponseWriter, a *ask, t *trouble) {
	w.Header()["Content-Type"] = jsonType
	w.Write(a.protocol.refuse(nil, t))
}

// reword changes the reply as the fault says. It reports whether what a client
// will have is a whole answer, if it has all of it.
func (s *Server) reword(r *reply, f *Fault) (whole bool) {
	if f == nil {
		return true
	}
	share := f.At
	if share <= 0 || share >= 1 {
		share = 0.5
	}
	switch f.Kind {
	case "midway":
		r.text = headOf(r.text, share)
		r.trouble = &trouble{status: http.StatusInternalServerError, message: "The engine failed in the middle of the answer.", code: "server_error"}
		return false
	case "unended":
		r.noFinish, r.noEnd = true, true
		return false
	case "undone":
		r.noEnd = true
		r.noFinish = !r.ask.stream
		return false
	case "unfinished":
		r.noFinish = true
		return false
	case "mojibake":
		r.text = mojibake(r.text)
	case "not-utf8":
		head := headOf(r.text, 0.5)
		r.text = head + "\xff" + r.text[len(head):]
	case "length":
		r.text, r.finish = headOf(r.text, share), verbatim.FinishLength
	case "filter":
		r.text, r.finish = "", verbatim.FinishFilter
	case "refusal":
		r.text, r.finish = "I'm sorry, but I can't help with that.", verbatim.FinishRefusal
	case "finish":
		r.word = f.Word
		return finish.Of(f.Word) != finish.Failure
	case "error-null":
		r.errorNull = true
	case "unknown":
		r.strange = true
	case "usage-missing", "usage-null", "usage-zero", "usage-twice", "usage-huge":
		r.usage = f.Kind[len("usage-"):]
	case "cut", "murmur":
		return false
	case "stall":
		return f.For > 0
	}
	return true
}

// headOf returns the first share of a text, whole characters.
func headOf(text string, share float64) string {
	e := []rune(text)
	return string(e[:int(float64(len(e))*share)])
}

// mojibake reads the UTF-8 of a text as Latin-1; a text of ASCII alone loses a
// character to U+FFFD.
func mojibake(text string) string {
	var out []rune
	for i := range len(text) {
		out = append(out, rune(text[i]))
	}
	if len(out) == len([]rune(text)) && len(out) > 0 {
		out[len(out)/2] = '\ufffd'
	}
	return string(out)
}

// A delivery is a script on its way.
type delivery struct {
	server *Server
	w      http.ResponseWriter
	ctx    context.Context
	ask    *ask
	script *script
	slow   float64
	whole  bool // the client has a whole answer once it has all of this

	announced int           // the Content-Length; -1 is none
	end       string        // as Fault.End
	stallAt   int           // before which of the cuts it stalls; -1 is none
	stallFor  time.Duration // 0 is endless
	every     time.Duration // between the cuts
	murmur    string        // what is said for ever in place of the script
	closes    bool          // the connection is closed afterwards
}
