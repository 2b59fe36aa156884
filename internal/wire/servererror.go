package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/rawjson"
)

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
