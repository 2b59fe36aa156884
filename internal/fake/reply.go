package fake

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/rawjson"
)

// A reply is the answer to a request, and how it is written.
type reply struct {
	request        *request
	id             string // hexadecimal, the same for the same request of the same prompt
	created        time.Time
	text           string
	reasoning      string
	tokens         []verbatim.Token // of the text, if log probabilities were requested
	finish         verbatim.Finish
	stopped        string // the stop sequence that ended the text; "": none
	finishOverride string // the finish reason as it is sent; "": the protocol's word for finish
	prompt         int64  // tokens of the prompt
	written        *int64 // tokens of the text, if a Model counted them and obeyed the limit; nil: from bytes
	chunk          int    // bytes of an event of a stream
	live           *live  // text and reasoning come while they are sent; nil: they are there
	field          string // of chat completions, for reasoning
	fingerprint    string
	upstream       string // the provider that a router chose; "": no router

	// The effects of faults.
	usage         string    // of the token counts: "missing", "null", "zero", "twice", "huge"; "": none
	noFinish      bool      // there is no finish reason
	noEnd         bool      // the stream has no end marker
	errorNull     bool      // a member "error" is null
	unknownFields bool      // there is a member that no client knows
	apiError      *apiError // ends a stream after the text
}

// tokenBytes is how many bytes count as a token, rounded up.
const tokenBytes = 4

// imageTokens is the number of tokens that a picture counts as.
const imageTokens = 256

// tokens counts the tokens of n bytes of text.
func tokens(n int) int64 { return int64(n+tokenBytes-1) / tokenBytes }

// promptTokens counts the tokens of a prompt: a quarter of its bytes, rounded up,
// and imageTokens for each picture.
func promptTokens(p verbatim.Prompt) int64 {
	bytes, images := 0, int64(0)
	for _, m := range p {
		for _, part := range m.Content {
			bytes += len(part.Text)
			if part.Image != nil {
				images++
			}
		}
	}
	return tokens(bytes) + images*imageTokens
}

func (r *reply) reasoningTokens() int64  { return tokens(len(r.reasoning)) }
func (r *reply) completionTokens() int64 { return r.textTokens() + r.reasoningTokens() }

func (r *reply) textTokens() int64 { return r.tokensBefore(len(r.text)) }

// tokensBefore counts the tokens of the first n bytes of the text.
func (r *reply) tokensBefore(n int) int64 {
	switch {
	case r.written == nil:
		return tokens(n)
	case n == len(r.text):
		return *r.written
	}
	return *r.written * int64(n) / int64(len(r.text))
}

// finishReason returns the finish reason as it is sent, in the protocol's spelling.
func (r *reply) finishReason(spell func(verbatim.Finish) string) string {
	if r.finishOverride != "" {
		return r.finishOverride
	}
	return spell(r.finish)
}

// appendFinish appends the finish reason as JSON, or null if a fault leaves it out.
func (r *reply) appendFinish(b []byte, spell func(verbatim.Finish) string) []byte {
	if r.noFinish {
		return append(b, "null"...)
	}
	return rawjson.AppendString(b, r.finishReason(spell))
}

// appendUnknown appends the members that faults add: an error of null, and one that no client
// knows.
func (r *reply) appendUnknown(b []byte, name string) []byte {
	if r.errorNull {
		b = append(b, `,"error":null`...)
	}
	if r.unknownFields {
		b = append(b, `,"`+name+`":{"nested":[1,null,{"deep":true}]}`...)
	}
	return b
}

// openUsage begins the object of the token counts. ok is false if a fault leaves them out or
// makes them null.
func (r *reply) openUsage(b []byte, name string) (usage []byte, ok bool) {
	switch r.usage {
	case "missing":
		return b, false
	case "null":
		return append(b, `,"`+name+`":null`...), false
	}
	return append(b, `,"`+name+`":{`...), true
}

// call returns the answer as a call of the tool. ok is false if no tool is to be called, or if the
// answer is no JSON object: then it is text.
func (r *reply) call() (c toolCall, ok bool) {
	ok = r.request.tool != "" && r.finish == verbatim.FinishStop && len(r.text) > 1 && r.text[0] == '{' && rawjson.Valid([]byte(r.text))
	return toolCall{ID: r.id, Tool: r.request.tool, JSON: r.text}, ok
}

// spell returns the protocol's word for the finish reason; called is its word for a call.
func (r *reply) spell(spell func(verbatim.Finish) string, called string) func(verbatim.Finish) string {
	if _, ok := r.call(); ok {
		return func(verbatim.Finish) string { return called }
	}
	return spell
}

// idOf returns the id of the reply to a request.
func idOf(q *request) string {
	var b [20]byte
	copy(b[:], q.key[:])
	binary.BigEndian.PutUint32(b[16:], uint32(q.repeat))
	return hex.EncodeToString(b[4:])
}

// pieces cuts text into pieces of the reply's chunk size, whole characters each.
func (r *reply) pieces(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := min(len(text), r.chunk)
			for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) {
				n--
			}
			if n == 0 {
				_, n = utf8.DecodeRuneInString(text)
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// setTokens sets the tokens of the text, if log probabilities were requested. Those of a Model
// stay if they spell the text. All others are made up: the same for the same prompt, with
// probabilities that sum to at most 1.
func (r *reply) setTokens(seed uint64) {
	n := r.request.params.Logprobs
	if n <= 0 {
		r.tokens = nil
		return
	}
	if spellTokens(r.tokens) == r.text && len(r.tokens) > 0 {
		return
	}
	hi, lo := binary.LittleEndian.Uint64(r.request.key[:8]), binary.LittleEndian.Uint64(r.request.key[8:])
	r.tokens = makeUpLogprobs(r.text, n, rand.New(rand.NewPCG(hi^mix(seed+drawLogprobs<<32), lo)))
}

// reasons reports whether there is reasoning.
func (r *reply) reasons() bool {
	return r.reasoning != "" || r.live != nil && r.live.ahead[0] != ""
}

// reasoningPieces cuts the reasoning into the pieces of a stream.
func (r *reply) reasoningPieces() func(yield func(string) bool) {
	if r.live != nil {
		return r.livePieces(0)
	}
	return r.pieces(r.reasoning)
}

// textPieces cuts the text into the pieces of a stream. With log probabilities, each piece is
// as few tokens as are whole characters together.
func (r *reply) textPieces() func(yield func(string, []verbatim.Token) bool) {
	return func(yield func(string, []verbatim.Token) bool) {
		if len(r.tokens) == 0 {
			pieces := r.pieces(r.text)
			if r.live != nil {
				pieces = r.livePieces(1)
			}
			for piece := range pieces {
				if !yield(piece, nil) {
					return
				}
			}
			return
		}
		from := 0
		for to := 1; to <= len(r.tokens); to++ {
			piece := spellTokens(r.tokens[from:to])
			if !utf8.ValidString(piece) && to < len(r.tokens) {
				continue
			}
			if !yield(piece, r.tokens[from:to]) {
				return
			}
			from = to
		}
	}
}

// appendCount appends before, which ends in the name of a member, and a number of tokens, or what
// a fault reports in its place.
func (r *reply) appendCount(b []byte, before string, n int64) []byte {
	b = append(b, before...)
	switch r.usage {
	case "zero":
		return append(b, '0')
	case "null":
		return append(b, "null"...)
	case "huge":
		return append(b, "99999999999999999999"...)
	}
	return strconv.AppendInt(b, n, 10)
}

// cutToTokens returns text if it is within the token limit, otherwise its beginning and true.
func cutToTokens(text string, limit int) (beginning string, isCut bool) {
	if tokens(len(text)) <= int64(limit) {
		return text, false
	}
	n := limit * tokenBytes
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n], true
}

// appendUsage appends the token counts, which usage writes for a number of completion tokens; a
// fault has them written twice.
func (r *reply) appendUsage(b []byte, usage func(b []byte, r *reply, completion int64) []byte) []byte {
	if r.usage == "twice" {
		b = usage(b, r, r.completionTokens()/2)
	}
	return usage(b, r, r.completionTokens())
}

// appendStringOrNull appends s as a JSON string, or null for "".
func appendStringOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return rawjson.AppendString(b, s)
}

// route draws the upstream that answers, and applies its faults to the text. The error is that
// of an upstream that fails.
func (r *reply) route(c *Config) *apiError {
	var candidates []Upstream
	for _, u := range c.Upstreams {
		if len(r.request.providers) == 0 || u.Stray || slices.Contains(r.request.providers, u.Name) {
			candidates = append(candidates, u)
		}
	}
	if len(candidates) == 0 {
		candidates = c.Upstreams // a router falls back rather than fail
	}
	u := candidates[r.request.rand(c.Seed, drawUpstream).IntN(len(candidates))]
	r.upstream = u.Name
	if u.Short {
		_, n := utf8.DecodeLastRuneInString(r.text)
		r.text = r.text[:len(r.text)-n]
	}
	if u.Fails {
		return &apiError{status: http.StatusServiceUnavailable, message: "Provider returned error", upstream: u.Name}
	}
	return nil
}

// unknownPrompt is the answer to a prompt that no item has.
const unknownPrompt = "This server knows no item with this prompt: start it with the same flags as the run, or with --echo."

// answer makes the reply to a request. The error is that of a Model or of an upstream. live says that the
// reply may be one that has only begun.
func answer(ctx context.Context, c *Config, n *counter, q *request, live bool) (*reply, *apiError) {
	r := &reply{request: q, id: q.id, created: time.Now(), finish: verbatim.FinishStop, fingerprint: "fp_fake", prompt: promptTokens(q.prompt),
		chunk: cmp.Or(c.Chunk, 16), field: cmp.Or(c.Reasoning, "reasoning_content")}
	var it *verbatim.Item
	if c.Item != nil && !c.Echo {
		it = c.Item(q.prompt)
	}
	switch {
	case c.Echo:
		r.text = textOf(question(q.prompt))
	case it == nil && (c.Model == nil || c.Item != nil && !c.Any):
		n.Unknown.Add(1)
		r.text = unknownPrompt
	case c.Model != nil:
		if e := askModel(ctx, c.Model, q, it, r, live); e != nil {
			return nil, e
		}
		if r.live != nil {
			if c.Count != nil {
				r.prompt, _ = c.Count(q.prompt) // the model has read it
			}
			return r, nil
		}
	default:
		r.text = c.answerItem(q, it)
	}
	if len(c.Upstreams) > 0 {
		if e := r.route(c); e != nil {
			return nil, e
		}
	}
	for _, sequence := range q.stop {
		if i := strings.Index(r.text, sequence); i >= 0 && sequence != "" {
			r.text, r.finish, r.written, r.stopped = r.text[:i], verbatim.FinishStop, nil, sequence
		}
	}
	if r.written == nil {
		r.truncate(q.maxTokens)
	}
	return r, nil
}

// truncate cuts the reasoning, and the text after it, to a token limit; 0: no limit.
func (r *reply) truncate(limit int) {
	if limit <= 0 {
		return
	}
	var reasoningCut, textCut bool
	r.reasoning, reasoningCut = cutToTokens(r.reasoning, limit)
	r.text, textCut = cutToTokens(r.text, limit-int(r.reasoningTokens()))
	if reasoningCut || textCut {
		r.finish, r.stopped = verbatim.FinishLength, ""
	}
}

// answerItem returns the right answer to an item, or with the probability c.Wrong a wrong one. An
// item that nothing spoils gets the right one.
func (c *Config) answerItem(q *request, it *verbatim.Item) string {
	rnd := q.rand(c.Seed, drawAnswer)
	if rnd.Float64() >= c.Wrong {
		return damage.Right(it)
	}
	spoilers := damage.Spoilers(damage.Grader(it))
	rnd.Shuffle(len(spoilers), func(i, j int) { spoilers[i], spoilers[j] = spoilers[j], spoilers[i] })
	for _, sp := range spoilers {
		if text, ok := sp.Spoil(rnd, it); ok {
			return text
		}
	}
	return damage.Right(it)
}

// askModel sets the answer of the Model to a request; it is nil if no item has the prompt. If streamed is
// set, the answer may be one that has only begun.
func askModel(ctx context.Context, m verbatim.Model, q *request, it *verbatim.Item, r *reply, streamed bool) *apiError {
	if it == nil {
		it = &verbatim.Item{Prompt: q.prompt}
	}
	in := &verbatim.Request{Item: it, Trial: q.repeat, Attempt: 1, Prompt: q.prompt, MaxTokens: q.maxTokens, Params: q.params}
	l := &live{}
	if streamed {
		l = startLive(ctx, m, in)
	} else {
		l.over, l.err = true, m.Ask(ctx, in, &l.reply)
	}
	switch {
	case !l.over:
		r.live = l
	case l.err != nil:
		return modelError(l.err)
	default:
		r.take(&l.reply)
	}
	return nil
}

// modelError returns the error of a Model as a server reports it.
func modelError(err error) *apiError {
	e := &apiError{status: http.StatusInternalServerError, message: err.Error()}
	var f *verbatim.Failure
	switch {
	case errors.As(err, &f) && f.Status >= 400 && f.Status <= 599:
		e.status, e.after = f.Status, f.After
	case f != nil && f.Class == verbatim.BadAsk:
		e.status = http.StatusBadRequest
	}
	return e
}

// take sets the answer of a Model.
func (r *reply) take(got *verbatim.Reply) {
	r.text, r.reasoning, r.finish, r.tokens = got.Text, got.Reasoning, got.Finish, got.Tokens
	if got.Fingerprint != "" {
		r.fingerprint = got.Fingerprint
	}
	if n := got.Usage.Completion; n != nil && (r.request.maxTokens <= 0 || *n <= int64(r.request.maxTokens)) {
		r.written = new(max(0, *n-r.reasoningTokens()))
	}
	if got.Usage.Prompt != nil {
		r.prompt = *got.Usage.Prompt
	}
	if r.finish == verbatim.FinishUnknown || r.finish == verbatim.FinishOther {
		r.finish = verbatim.FinishStop
	}
}

// An Index finds items by their prompts: by the last message of the user. So a system prompt
// and examples before it do not matter. The zero value is empty. Item is safe for
// concurrent use, Add is not.
type Index struct{ items map[key]*verbatim.Item }

// NewIndex returns an index of items.
func NewIndex(items ...verbatim.Item) *Index {
	x := &Index{}
	for i := range items {
		x.Add(items[i].Prompt, &items[i])
	}
	return x
}

// Add adds an item with the prompt that asks it.
func (x *Index) Add(p verbatim.Prompt, it *verbatim.Item) {
	if x.items == nil {
		x.items = map[key]*verbatim.Item{}
	}
	x.items[keyOf(question(p))] = it
}

// Item returns the item that a prompt asks, nil if no item has it. It is a function for
// Config.Item.
func (x *Index) Item(p verbatim.Prompt) *verbatim.Item { return x.items[keyOf(question(p))] }

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
		q = s.config.Disobeys.request(*q)
	}
	// Where something else depends on the whole reply, it is awaited.
	live := q.stream && f == nil && len(s.config.Disobeys)+len(s.config.Upstreams)+q.params.Logprobs+len(q.stop) == 0 && q.tool == ""
	rep, e := answer(ctx, s.config, s.counts, q, live)
	if e != nil {
		s.sendError(w, q.wire, e)
		return
	}
	whole := rep.change(f)
	rep.setTokens(s.config.Seed)
	if len(s.config.Disobeys) > 0 {
		before := s.before.Swap(new(rep.text))
		s.config.Disobeys.change(rep, s.counts.InFlight.Load(), *cmp.Or(before, new(string)))
	}
	if rep.apiError != nil && !q.stream {
		s.counts.Broken.Add(1)
		s.error200(w, q, rep.apiError)
		return
	}
	sc := s.scripts.Get().(*script)
	defer s.scripts.Put(sc)
	sc.b, sc.pieces, sc.flushed = sc.b[:0], sc.pieces[:0], nil
	d := delivery{config: s.config, clock: s.clock, counts: s.counts, w: w, ctx: ctx, request: q, script: sc, slowness: slow, whole: whole, announced: -1, stallAt: -1}
	s.setReplyHeaders(w.Header(), q)
	if q.stream {
		d.follow(rep)
		q.wire.writeStream(sc, rep)
		d.whole = d.whole && rep.apiError == nil
	} else {
		sc.b = q.wire.appendReply(sc.b, rep)
		sc.flush(rep.completionTokens())
		d.announced = len(sc.b)
	}
	s.counts.PromptTokens.Add(rep.prompt)
	s.counts.CompletionTokens.Add(rep.completionTokens())
	d.changeDelivery(f)
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

// makeUpLogprobs divides a text into tokens and makes up their probabilities and those of n alternatives
// each. The same random numbers make the same tokens. The probabilities of a token's alternatives
// sum to at most 1.
func makeUpLogprobs(text string, n int, random *rand.Rand) (tokens []verbatim.Token) {
	for text != "" {
		size := min(len(text), tokenBytes)
		for size < len(text) && !utf8.RuneStart(text[size]) {
			size++
		}
		share := 0.5 + 0.49*random.Float64()
		t := verbatim.Token{Text: text[:size], Logprob: math.Log(share)}
		t.Top = []verbatim.Token{{Text: t.Text, Logprob: t.Logprob}}
		for left := 1 - share; len(t.Top) < n; {
			part := left * (0.3 + 0.4*random.Float64())
			left -= part
			t.Top = append(t.Top, verbatim.Token{Text: t.Text + strconv.Itoa(len(t.Top)), Logprob: math.Log(part)})
		}
		tokens = append(tokens, t)
		text = text[size:]
	}
	return tokens
}

// spellTokens returns the text of tokens.
func spellTokens(tokens []verbatim.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.Text)
	}
	return b.String()
}

// appendChatLogprobs appends the value of "logprobs" in a choice of chat completions.
func appendChatLogprobs(b []byte, tokens []verbatim.Token) []byte {
	if len(tokens) == 0 {
		return append(b, "null"...)
	}
	b = append(b, `{"content":`...)
	b = appendLogprobList(b, tokens)
	return append(b, `,"refusal":null}`...)
}

// appendLogprobList appends a list of tokens with their alternatives, as chat completions, the Responses
// API and Ollama have it.
func appendLogprobList(b []byte, tokens []verbatim.Token) []byte {
	b = append(b, '[')
	for i, t := range tokens {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendToken(b, t)
		b = append(b, `,"top_logprobs":[`...)
		for j, other := range t.Top {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(appendToken(b, other), '}')
		}
		b = append(b, "]}"...)
	}
	return append(b, ']')
}

// appendToken appends a token as an object without its closing brace.
func appendToken(b []byte, t verbatim.Token) []byte {
	b = append(b, `{"token":`...)
	b = rawjson.AppendString(b, strings.ToValidUTF8(t.Text, "\ufffd"))
	b = append(b, `,"bytes":[`...)
	for i := range len(t.Text) {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(t.Text[i]), 10)
	}
	b = append(b, `],"logprob":`...)
	return appendNumber(b, t.Logprob)
}

// appendNumber appends a log probability. As on other servers, -9999 is that of probability zero.
func appendNumber(b []byte, p float64) []byte {
	return strconv.AppendFloat(b, max(p, -9999), 'g', -1, 64)
}

// appendGeminiLogprobs appends `,"logprobsResult":…` of tokens; nothing without tokens.
func appendGeminiLogprobs(b []byte, tokens []verbatim.Token) []byte {
	if len(tokens) == 0 {
		return b
	}
	candidate := func(t verbatim.Token) {
		b = append(b, `{"token":`...)
		b = rawjson.AppendString(b, strings.ToValidUTF8(t.Text, "\ufffd"))
		b = append(b, `,"tokenId":1,"logProbability":`...)
		b = append(appendNumber(b, t.Logprob), '}')
	}
	separate := func(i int) {
		if i > 0 {
			b = append(b, ',')
		}
	}
	b = append(b, `,"logprobsResult":{"topCandidates":[`...)
	for i, t := range tokens {
		separate(i)
		b = append(b, `{"candidates":[`...)
		for j, other := range t.Top {
			separate(j)
			candidate(other)
		}
		b = append(b, "]}"...)
	}
	b = append(b, `],"chosenCandidates":[`...)
	for i, t := range tokens {
		separate(i)
		candidate(t)
	}
	return append(b, "]}"...)
}
