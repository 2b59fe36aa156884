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
	case status == http.StatusUnauthorized, status == http.StatusForbidden, s.mentions("api key not valid"),
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
	switch {
	case errors.As(err, &bad):
		return verbatim.BadAsk, "name the model as http://host:port/v1#model", bad.error
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

// A sanitizedError is a network error without addresses, which may hold secrets. errors.Is
// and errors.As find the cause.
type sanitizedError struct {
	words string
	cause error
}

func (s sanitizedError) Error() string { return s.words }

func (s sanitizedError) Unwrap() error { return s.cause }
