package fake

import (
	"net/http"
	"strconv"
	"time"

	"verbatim/internal/rawjson"
)

// What OpenAI's protocols, chat completions and responses, have in common.

// invalidJSON is what servers say to a body that is not what it should be.
func invalidJSON(err error) *apiError {
	return badRequest("We could not parse the JSON body of your request: "+err.Error(), "")
}

// openAIError appends an error in OpenAI's shape.
func openAIError(b []byte, t *apiError) []byte {
	b = append(b, `{"error":`...)
	b = openAIErrorObject(b, t)
	return append(b, '}')
}

func openAIErrorObject(b []byte, t *apiError) []byte {
	kind, code := t.kind, t.code
	if kind == "" {
		kind = openAIKind(t.status)
	}
	if code == "" {
		code = openAICode(t.status)
	}
	b = append(b, `{"message":`...)
	b = rawjson.AppendString(b, t.message)
	b = append(b, `,"type":`...)
	b = rawjson.AppendString(b, kind)
	b = append(b, `,"param":`...)
	b = appendStringOrNull(b, t.param)
	b = append(b, `,"code":`...)
	if t.numeric {
		b = append(b, code...)
	} else {
		b = appendStringOrNull(b, code)
	}
	return append(b, '}')
}

func openAIKind(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return "requests"
	case status < 500:
		return "invalid_request_error"
	}
	return "server_error"
}

func openAICode(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "invalid_api_key"
	case http.StatusTooManyRequests:
		return "rate_limit_exceeded"
	}
	return ""
}

func setOpenAIQuota(h http.Header, q *quota, _ time.Time) {
	h.Set("X-Ratelimit-Limit-Requests", strconv.Itoa(q.limit))
	h.Set("X-Ratelimit-Remaining-Requests", strconv.Itoa(q.remaining))
	h.Set("X-Ratelimit-Reset-Requests", q.reset.Round(time.Millisecond).String())
}

func appendOpenAIModels(b []byte, names []string) []byte {
	return appendModels(b, names, `{"object":"list","data":[`, func(name string) string {
		return `{"id":` + name + `,"object":"model","created":1767225600,"owned_by":"verbatim-fake"}`
	}, "]}")
}
