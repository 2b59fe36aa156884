package wire

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
)

// classify returns the class of a server's error. status is that of the response, or the
// number in an error within a reply, or 0.
func classify(status int, s *serverError) verbatim.Class {
	switch {
	case exceedsQuota(s), status == http.StatusPaymentRequired:
		return verbatim.Quota
	case s.flagged:
		return verbatim.BadAsk
	case refusesImages(s):
		return verbatim.Unsupported
	case s.hasCode("rate_limit_exceeded", "rate_limit_error", "slow_down", "resource_exhausted"), status == http.StatusTooManyRequests:
		return verbatim.Rate
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired, s.mentions("api key not valid"),
		s.hasCode("invalid_api_key", "api_key_invalid", "authentication_error", "permission_error", "unauthenticated", "permission_denied"):
		return verbatim.Auth
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		return verbatim.Overload
	case status == http.StatusNotImplemented, status == http.StatusHTTPVersionNotSupported:
		return verbatim.BadAsk
	case status >= 500:
		return verbatim.Overload
	case status >= 300:
		return verbatim.BadAsk
	case s.webPage, exceedsContext(s),
		s.hasCode("invalid_request_error", "model_not_found", "not_found_error", "request_too_large", "invalid_argument",
			"failed_precondition", "not_found", "invalid_prompt", "bio_policy", "data_residency_mismatch"),
		strings.Contains(s.code, "image"): // a dozen codes that all blame an image of the prompt
		return verbatim.BadAsk
	}
	// An error within a reply, of an unknown kind.
	return verbatim.Overload
}

// exceedsQuota reports whether money or an allowance is used up that does not return soon.
func exceedsQuota(s *serverError) bool {
	return s.daily || s.mentions("credit balance is too low") ||
		s.hasCode("insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded",
			"project_spend_limit_exceeded", "organization_usage_limit_exceeded", "enforced_spend_limit_reached",
			"billing_hard_limit_reached", "billing_not_active", "billing_error")
}

// refusesImages reports whether the model takes no images, as llama.cpp, vLLM, OpenRouter,
// DeepSeek, Groq and Ollama say it.
func refusesImages(s *serverError) bool {
	return s.mentions("image input is not supported", "support image", "supports image", "unknown variant `image_url`", "image_url is only supported",
		"at most 0 image", "not a multimodal model", "does not support vision", "missing data required for image input")
}

// exceedsContext reports whether the prompt, or the prompt and the token limit together, exceed
// the model's context.
func exceedsContext(s *serverError) bool {
	return s.hasCode("exceed_context_size_error", "context_length_exceeded") ||
		s.mentions("context length", "context size", "context window", "context limit", "prompt is too long", "input token count")
}

// hintFor returns what to do about a server's error, "" if that is unknown.
func hintFor(class verbatim.Class, status int, s *serverError, e Endpoint) string {
	switch {
	case exceedsContext(s):
		return "prompt and reply are longer than the model's context: use shorter lengths, or start the server with a larger context"
	case status == http.StatusProxyAuthRequired:
		return proxyHint
	case class == verbatim.Auth:
		return e.keyHint()
	case class == verbatim.Quota:
		return "the account's credit or quota is used up; no further requests are sent until that changes"
	case class == verbatim.Rate:
		return "lower --concurrency"
	case s.hasCode("model_not_found") || status == http.StatusNotFound && s.mentions("model"):
		return fmt.Sprintf("the server has no model %q; name one that it lists at %s%s", CleanLine(e.Model, 80), e.api(), cmp.Or(e.models, "/models"))
	case status == http.StatusNotFound || s.webPage && class == verbatim.BadAsk:
		return e.pathHint()
	case s.param == "max_tokens" || s.mentions("max_tokens"):
		return "the endpoint has its own rule for the length of replies; its message says which"
	case class == verbatim.BadAsk && (strings.HasPrefix(s.param, "stream") || s.mentions("streaming", "stream_options", "stream is ", `"stream"`, "'stream'", "`stream`")):
		return "the server does not stream replies: add --no-stream"
	case status >= 300 && status < 400:
		return "use the address that it points to; redirects are not followed, because they would send the key to another server"
	case class == verbatim.Overload && s.mentions("loading"):
		return "the server is still loading the model; wait for it"
	case class == verbatim.BadAsk:
		return "the server does not accept the request as it is; its message says why"
	}
	return ""
}

// keyHint returns the hint for a request that was refused for its key.
func (e Endpoint) keyHint() string {
	switch {
	case e.KeyEnv == "":
		return "the endpoint wants a key"
	case e.Key.IsZero():
		return "set " + e.KeyEnv + " to a key of this endpoint"
	}
	return "the key in " + e.KeyEnv + " was refused; look whether it belongs to this endpoint and may use this model"
}

// pathHint returns what is usually wrong with a base URL at which there is no API.
func (e Endpoint) pathHint() string {
	u, err := e.parse()
	switch {
	case err == nil && e.root != "":
		return fmt.Sprintf("look whether the base URL belongs to such an API; its paths usually begin with %s, and the request went to %s", e.root, e.api())
	case err == nil && !strings.Contains(u.Path, "/v1"):
		return fmt.Sprintf("the base URL probably lacks /v1: use %s/v1", e.Who())
	}
	return "look whether the base URL belongs to an API; it usually ends in /v1"
}

// startHint returns the hint for an address at which nothing listens.
func (e Endpoint) startHint() string {
	u, err := e.parse()
	if err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()) {
		return "nothing listens there: start a model server, such as llama-server, ollama serve, lms server start or vllm serve, or check the port"
	}
	return "nothing listens there: look whether the server runs, and at the port"
}

// classifyNetworkError returns the class of a network error, a hint, and the error without
// addresses and URLs, which may hold secrets. The class of most errors is otherwise.
func classifyNetworkError(otherwise verbatim.Class, err error, e Endpoint) (class verbatim.Class, hint string, sanitized error) {
	var bad badURL
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var certificate x509.CertificateInvalidError
	var netErr net.Error
	var op *net.OpError
	switch {
	case errors.As(err, &bad):
		return verbatim.BadAsk, "name the model as http://host:port/v1#model", bad.error
	case errors.As(err, &op) && op.Op == "proxyconnect": // by net/http; its Err names the proxy, without a password
		return verbatim.Transport, proxyHint, sanitizedError{"the proxy cannot be used: " + CleanLine(op.Err.Error(), maxMessage), err}
	case errors.Is(err, syscall.ECONNREFUSED):
		return verbatim.Transport, e.startHint(), sanitizedError{"connection refused", err}
	case errors.As(err, &dns):
		return verbatim.Transport, "look at the host's name and at the network", sanitizedError{"no such host", err}
	case errors.As(err, &unknown), errors.As(err, &host), errors.As(err, &certificate):
		return verbatim.Transport, "look at the host's name; certificates of your own are added to the system's store or named in SSL_CERT_FILE",
			sanitizedError{"the server's certificate is not accepted: " + CleanLine(err.Error(), maxMessage), err}
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return verbatim.BadAsk, "write http:// instead of https://", errors.New("the server speaks HTTP, not HTTPS")
	case strings.Contains(err.Error(), "malformed HTTP"):
		return verbatim.BadAsk, "check the port, and whether the address begins with http:// or https://", errors.New("the server does not speak HTTP")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return otherwise, "", errors.New("the server closed the connection before the end of the reply")
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return otherwise, "", sanitizedError{"the connection was reset", err}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return otherwise, "look whether the host is up and reachable", sanitizedError{"the connection timed out", err}
	}
	return otherwise, "", errors.New(CleanLine(e.Key.Hide(err.Error()), maxMessage))
}

// proxyHint is the hint for a proxy that is between this program and the server.
const proxyHint = "look at HTTPS_PROXY, HTTP_PROXY or the proxy in verbatim.toml; a host in NO_PROXY is reached without one"

// A sanitizedError is a network error without addresses, which may hold secrets. errors.Is
// and errors.As find the cause.
type sanitizedError struct {
	words string
	cause error
}

func (s sanitizedError) Error() string { return s.words }

func (s sanitizedError) Unwrap() error { return s.cause }

// A serverError is an error that a server reports, in any of the shapes that servers use.
type serverError struct {
	message  string
	kind     string // the field "type"
	code     string // a word or a number
	param    string
	reason   string        // a further word of Google's, such as "API_KEY_INVALID"
	daily    bool          // a daily quota is used up
	flagged  bool          // a content filter stopped the prompt
	webPage  bool          // the response is a web page
	notJSON  bool          // the response is neither JSON nor a web page
	upstream string        // the server behind a router, if the error names it
	after    time.Duration // how long the client should wait; 0: unknown
}

// ErrNotAPI is the error of a response that is no JSON: a web page, or plain text.
var ErrNotAPI = errors.New("not an API")

// Is reports whether target is ErrNotAPI and the response was not JSON.
func (s *serverError) Is(target error) bool { return target == ErrNotAPI && (s.webPage || s.notJSON) }

// Error returns the message, otherwise the code or the type.
func (s *serverError) Error() string {
	return cmp.Or(s.message, s.code, s.kind, "the server gives no reason")
}

// status returns the code as an HTTP status, 0 if it is not one.
func (s *serverError) status() int {
	n, err := strconv.Atoi(s.code)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

// hasCode reports whether the code, the type or the reason is one of words, in any case.
func (s *serverError) hasCode(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.EqualFold(s.code, w) || strings.EqualFold(s.kind, w) || strings.EqualFold(s.reason, w)
	})
}

// mentions reports whether the message contains one of the phrases, which are in lower case.
func (s *serverError) mentions(phrases ...string) bool {
	message := strings.ToLower(s.message)
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(message, p) })
}

// readError reads the body of an error response. The texts of the error are safe to print,
// limited in length and without the key.
func readError(body []byte, key Key) *serverError {
	body = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(body), []byte("\xEF\xBB\xBF")))
	if len(body) > 0 && body[0] == '<' {
		return &serverError{webPage: true, message: CleanLine("a web page answered, not an API: "+key.Hide(pageTitle(body)), maxMessage)}
	}
	if rawjson.Valid(body) {
		return parseError(body, key, ofBody)
	}
	return &serverError{notJSON: true, message: CleanLine(key.Hide(string(body)), maxMessage)}
}

// The levels of parseError: how many objects an error may be nested in, within a whole body or
// within the value of a member "error".
const (
	ofBody   = 2
	ofMember = 1
)

// parseError reads the shapes in which servers put errors: {"error": {…}},
// {"error": "…"}, the object itself, {"detail": …} as FastAPI has it, and an
// array of one of these. levels limits how deep they are nested.
func parseError(raw []byte, key Key, levels int) *serverError {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		raw = list[0]
	}
	var o struct {
		Error, Message, Detail, Type, Code, Param, Status, Details json.RawMessage
		Metadata                                                   struct {
			Flagged  json.RawMessage `json:"flagged_input"`
			Provider json.RawMessage `json:"provider_name"` // OpenRouter's
		}
	}
	text := func(raw json.RawMessage) string { return serverText(raw, key) }
	if err := json.Unmarshal(raw, &o); err != nil && len(o.Error)+len(o.Message) == 0 {
		return &serverError{message: text(raw)}
	}
	if rawjson.IsSet(o.Error) && levels > 0 {
		inner := parseError(o.Error, key, levels-1)
		// Some servers have the number outside and the message inside.
		inner.code = cmp.Or(inner.code, text(o.Code))
		inner.message = cmp.Or(inner.message, text(o.Message))
		return inner
	}
	e := &serverError{
		message:  cmp.Or(text(o.Message), text(o.Detail)),
		kind:     cmp.Or(text(o.Type), text(o.Status)),
		code:     text(o.Code),
		param:    text(o.Param),
		flagged:  rawjson.IsSet(o.Metadata.Flagged),
		upstream: CleanLine(text(o.Metadata.Provider), maxValue),
	}
	e.addDetails(o.Details)
	return e
}

// ServerMessage returns the message of the error in raw, in any of the shapes that parseError
// reads. It is safe to print and free of the key.
func ServerMessage(raw []byte, key Key) string { return parseError(raw, key, ofMember).Error() }

// addDetails adds the details of an error of Google's APIs, which have the types of
// google/rpc/error_details.proto: how long to wait, which quota is used up, and one word for
// the reason.
func (s *serverError) addDetails(details []byte) {
	rawjson.Elements(details, func(detail []byte) {
		switch kind := Word(rawjson.Member(detail, "@type")); {
		case strings.HasSuffix(kind, ".RetryInfo"):
			delay, _ := strings.CutSuffix(Word(rawjson.Member(detail, "retryDelay")), "s")
			if seconds, err := strconv.ParseFloat(delay, 64); err == nil {
				s.after = retrySeconds(seconds)
			}
		case strings.HasSuffix(kind, ".QuotaFailure"):
			rawjson.Elements(rawjson.Member(detail, "violations"), func(violation []byte) {
				s.daily = s.daily || strings.Contains(Word(rawjson.Member(violation, "quotaId")), "PerDay")
			})
		case strings.HasSuffix(kind, ".ErrorInfo"):
			s.reason = Word(rawjson.Member(detail, "reason"))
		}
	})
}

// attempt returns the record of the call.
func (c *call) attempt() verbatim.Attempt {
	a := verbatim.Attempt{Start: c.start, Status: c.status, Bytes: c.bytes, RequestID: requestID(c.header)}
	if !c.start.IsZero() { // a line of a batch has no time of its own
		a.Total = time.Since(c.start)
	}
	return a
}

// Failure returns f with the name of the endpoint and one attempt, for errors that come from
// no request.
func (e Endpoint) Failure(f verbatim.Failure) error { return (&call{e: e}).failure(f, "") }

// failure returns f with the status, the endpoint and the attempts of the call. partial is the
// text of the reply that has arrived.
func (c *call) failure(f verbatim.Failure, partial string) error {
	f.Status = c.status
	f.Who = c.e.Who()
	if after := retryAfterHeader(c.header, time.Now()); after > 0 {
		f.After = after // the header overrides the body
	}
	a := c.attempt()
	a.Class, a.Partial = f.Class, HeadAndTail(partial)
	if f.Err != nil {
		a.Err, a.Upstream = f.Err.Error(), c.failedUpstream(f.Err)
	}
	f.Attempts = append(c.resent, a)
	return &f
}

// networkFailure returns the failure of reading or writing. If a time limit or the caller
// ended the call, that is the reason, and not the broken connection that resulted.
func (c *call) networkFailure(class verbatim.Class, err error, partial string) error {
	cause := context.Cause(c.ctx)
	var limit limitError
	var tooLong tooLongError
	var tooLarge TooLarge
	var unreadable unreadableError
	switch {
	case errors.As(cause, &limit):
		return c.failure(verbatim.Failure{Class: verbatim.Deadline, Err: limit,
			Hint: "raise the time limit, lower --concurrency, or check whether the server is stuck"}, partial)
	case c.parent.Err() != nil:
		return c.failure(verbatim.Failure{Class: verbatim.Deadline, Err: c.parent.Err()}, partial)
	case errors.As(err, &tooLong), errors.As(err, &tooLarge), errors.As(err, &unreadable):
		return c.failure(verbatim.Failure{Class: verbatim.Content, Err: err}, partial)
	}
	class, hint, text := classifyNetworkError(class, err, c.e)
	return c.failure(verbatim.Failure{Class: class, Err: text, Hint: hint}, partial)
}

// statusFailure returns the failure of a response whose status is not 2xx.
func (c *call) statusFailure(res *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(c.body(res), 64<<10))
	var unreadable unreadableError // its encoding is unknown: the status has to do
	if err != nil && len(body) == 0 && !errors.As(err, &unreadable) {
		return c.networkFailure(verbatim.Transport, err, "")
	}
	s := readError(body, c.e.Key)
	if to := res.Header.Get("Location"); to != "" && res.StatusCode/100 == 3 {
		s = &serverError{message: "it points to " + CleanLine(c.e.Key.Hide(to), maxMessage)}
	}
	if len(body) == 0 && s.message == "" {
		s.message = http.StatusText(res.StatusCode)
	}
	return c.serverFailure(res.StatusCode, s, "")
}

// serverFailure returns the failure that a server reports with a status, or with 0 if it
// names none. partial is as in failure.
func (c *call) serverFailure(status int, s *serverError, partial string) error {
	class := classify(status, s)
	return c.failure(verbatim.Failure{Class: class, Err: s, After: s.after, Hint: hintFor(class, status, s, c.e)}, partial)
}

// replyFailure returns the failure of a reply that began with a status of success.
func (c *call) replyFailure(err error, a *partialReply, p *Protocol) error {
	partial := string(a.text)
	var s *serverError
	var unreadable unreadableError
	var cut cutError
	switch {
	case errors.As(err, &s):
		return c.serverFailure(s.status(), s, partial)
	case errors.As(err, &unreadable):
		return c.failure(verbatim.Failure{Class: verbatim.Content, Err: err,
			Hint: "the endpoint does not follow the protocol: " + p.Title}, partial)
	case errors.As(err, &cut) && a.done:
		// Nothing broke: the server does the same each time, and each time is billed.
		return c.failure(verbatim.Failure{Class: verbatim.Content, Err: err,
			Hint: "the server ended the reply but did not say why, so it may be incomplete; it is not sent again: look for an update or a setting of the server"}, partial)
	case errors.As(err, &cut):
		return c.failure(verbatim.Failure{Class: verbatim.Cut, Err: err, Hint: cut.hint(c.bytes)}, partial)
	}
	// Once a server has begun to reply, whatever ends it early is a cut.
	return c.networkFailure(verbatim.Cut, err, partial)
}

// retryAfterHeader returns how long the server asks the client to wait: the header Retry-retryAfterHeader-Ms, or
// Retry-After in seconds or as a date. A date is compared with the server's own clock if the
// headers have it, otherwise with now. 0 is unknown.
func retryAfterHeader(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return retrySeconds(ms / 1000)
	}
	v := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(v, 64); err == nil {
		return retrySeconds(seconds)
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now))
}

// retrySeconds converts seconds, at most a year. Negative ones and NaN are 0.
func retrySeconds(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds <= 0 {
		return 0
	}
	return time.Duration(min(seconds, 365*24*3600) * float64(time.Second))
}

// readOptionalCount is Count with nil for what is no count.
func readOptionalCount(raw json.RawMessage) *int64 {
	if n, ok := ReadCount(raw); ok {
		return &n
	}
	return nil
}

// maxCount is the largest number that Count accepts: no reply has more tokens, no batch
// more requests.
const maxCount = 1_000_000_000

// ReadCount returns a whole number from 0 to maxCount, also if it is written as 3.0 or 3e0. ok is
// false for anything else.
func ReadCount(raw json.RawMessage) (n int64, ok bool) {
	if len(raw) == 0 || raw[0] < '0' || raw[0] > '9' {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, n <= maxCount
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return int64(f), err == nil && f <= maxCount && f == float64(int64(f))
}

// readDollars returns an amount of dollars that a provider reports, rounded to the unit of Money;
// nil if raw is no amount from 0 to a million.
func readDollars(raw json.RawMessage) *verbatim.Money {
	if len(raw) == 0 || len(raw) > 40 || raw[0] < '0' || raw[0] > '9' {
		return nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f > 1e6 {
		return nil
	}
	exact, ok := new(big.Rat).SetString(string(raw))
	if !ok {
		return nil
	}
	exact.Mul(exact, new(big.Rat).SetInt64(int64(verbatim.Dollar)))
	exact.Add(exact, big.NewRat(1, 2))
	return new(verbatim.Money(new(big.Int).Quo(exact.Num(), exact.Denom()).Int64()))
}

// readSeconds is Span with the unit second.
func readSeconds(raw json.RawMessage) *time.Duration { return readSpan(raw, time.Second) }

// readSpan returns a duration that a server reports as a number of units; nil if raw is no number
// from 0 to a year.
func readSpan(raw json.RawMessage, unit time.Duration) *time.Duration {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(f >= 0) || f > float64(365*24*time.Hour/unit) {
		return nil
	}
	return new(time.Duration(f * float64(unit)))
}
