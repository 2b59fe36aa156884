package wire

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"verbatim"
)

// classify says what kind of failure a server's error is. status is that of the
// response, or the number in an error that came in an answer that had begun, or 0.
func classify(status int, s *serverError) verbatim.Class {
	switch {
	case s.is("insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded",
		"project_spend_limit_exceeded", "organization_usage_limit_exceeded", "enforced_spend_limit_reached",
		"billing_hard_limit_reached", "billing_not_active", "billing_error"), s.daily,
		s.says("credit balance is too low"), status == http.StatusPaymentRequired:
		return verbatim.Quota
	case s.flagged:
		return verbatim.BadAsk
	case s.is("rate_limit_exceeded", "rate_limit_error", "slow_down", "resource_exhausted"), status == http.StatusTooManyRequests:
		return verbatim.Rate
	case status == http.StatusUnauthorized, status == http.StatusForbidden, s.says("api key not valid"),
		s.is("invalid_api_key", "api_key_invalid", "authentication_error", "permission_error", "unauthenticated", "permission_denied"):
		return verbatim.Auth
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		return verbatim.Overload
	case status == http.StatusNotImplemented, status == http.StatusHTTPVersionNotSupported:
		return verbatim.BadAsk
	case status >= 500:
		return verbatim.Overload
	case status >= 300:
		return verbatim.BadAsk
	case s.page, overflows(s), s.is("invalid_request_error", "model_not_found", "not_found_error"),
		s.is("request_too_large", "invalid_argument", "failed_precondition", "not_found"),
		s.is("invalid_prompt", "bio_policy", "data_residency_mismatch"),
		strings.Contains(s.code, "image"): // a dozen codes that all blame one in the prompt
		return verbatim.BadAsk
	}
	// An error inside an answer, of which the server gives no kind that we know.
	return verbatim.Overload
}

// overflows reports whether the prompt, or the prompt and the room for the
// answer, is longer than what the model takes in.
func overflows(s *serverError) bool {
	return s.is("exceed_context_size_error", "context_length_exceeded") ||
		s.says("context length", "context size", "context window", "context limit", "prompt is too long", "input token count")
}

// advise says what to do about a server's error.
func advise(class verbatim.Class, status int, s *serverError, e Endpoint) string {
	switch {
	case overflows(s):
		return "prompt and answer are longer than the model's context: ask shorter lengths, or start the server with a larger context"
	case class == verbatim.Auth:
		return e.keyHint()
	case class == verbatim.Quota:
		return "the account's money or allowance is used up; nothing more is asked of it until that changes"
	case class == verbatim.Rate:
		return "ask fewer requests at once"
	case s.is("model_not_found") || status == http.StatusNotFound && s.says("model"):
		return fmt.Sprintf("the server has no model %q; name one that it lists at %s%s", Clean(e.Model, 80), e.api(), cmp.Or(e.models, "/models"))
	case status == http.StatusNotFound || s.page && class == verbatim.BadAsk:
		return e.pathHint()
	case s.param == "max_tokens" || s.says("max_tokens"):
		return "the endpoint has its own rule for the length of answers; its message says which"
	case status >= 300 && status < 400:
		return "name the address that it points to; redirects are not followed, so that no key goes astray"
	case class == verbatim.Overload && s.says("loading"):
		return "the server is still loading the model; wait for it"
	case class == verbatim.BadAsk:
		return "the server does not accept the request as it is; its message says why"
	}
	return ""
}

// keyHint says which variable to look at.
func (e Endpoint) keyHint() string {
	switch {
	case e.KeyEnv == "":
		return "the endpoint wants a key"
	case e.Key.IsZero():
		return "set " + e.KeyEnv + " to a key of this endpoint"
	}
	return "the key in " + e.KeyEnv + " was refused; look whether it belongs to this endpoint and may use this model"
}

// pathHint says what is usually wrong with a base URL that leads nowhere.
func (e Endpoint) pathHint() string {
	u, err := e.parse()
	switch {
	case err == nil && e.root != "":
		return fmt.Sprintf("look whether the base URL is that of such an API; its paths usually begin with %s, and %s was asked", e.root, e.api())
	case err == nil && !strings.Contains(u.Path, "/v1"):
		return fmt.Sprintf("the base URL probably lacks /v1: try %s/v1", e.Who())
	}
	return "look whether the base URL is that of an API; it usually ends in /v1"
}

// startHint says how to have a server listen.
func (e Endpoint) startHint() string {
	u, err := e.parse()
	if err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()) {
		return "nothing listens there: start a model server, such as llama-server, ollama serve, lms server start or vllm serve, or look at the port"
	}
	return "nothing listens there: look whether the server runs, and at the port"
}

// explain makes a failure of an error of the network: its class, a text without
// addresses and URLs, which may hold secrets, and what to do. class is what it
// is when nothing better is known.
func explain(class verbatim.Class, err error, e Endpoint) (verbatim.Class, string, error) {
	var bad badURL
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var certificate x509.CertificateInvalidError
	var netErr net.Error
	switch {
	case errors.As(err, &bad):
		return verbatim.BadAsk, "name the model as http://host:port/v1#model", bad.error
	case errors.Is(err, syscall.ECONNREFUSED):
		return verbatim.Transport, e.startHint(), said{"connection refused", err}
	case errors.As(err, &dns):
		return verbatim.Transport, "look at the host's name and at the network", said{"no such host", err}
	case errors.As(err, &unknown), errors.As(err, &host), errors.As(err, &certificate):
		return verbatim.Transport, "look at the host's name; certificates of your own are added to the system's store or named in SSL_CERT_FILE",
			said{"the server's certificate is not accepted: " + Clean(err.Error(), longestMessage), err}
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return verbatim.BadAsk, "write http:// instead of https://", errors.New("the server speaks HTTP, not HTTPS")
	case strings.Contains(err.Error(), "malformed HTTP"):
		return verbatim.BadAsk, "look at the port, and at http:// against https://", errors.New("what answers there is no web server")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return class, "", errors.New("the server closed the connection in the middle")
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return class, "", said{"the connection was reset", err}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return class, "look whether the host is up and reachable", said{"the connection timed out", err}
	}
	return class, "", errors.New(Clean(e.Key.Hide(err.Error()), longestMessage))
}

// A said is an error in words of our own: the network's have addresses in them,
// which may hold secrets. What it was is still to be found by errors.Is and
// errors.As.
type said struct {
	words string
	cause error
}

func (s said) Error() string { return s.words }

func (s said) Unwrap() error { return s.cause }
