package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/rawjson"
	"verbatim/internal/wire/apikey"
	"verbatim/internal/wire/clean"
	"verbatim/internal/wire/retry"
)

// A serverError is an error that a server reports, in any of the shapes that servers use.
type serverError struct {
	message  string
	kind     string // the field "type"
	code     string // a word or a number
	param    string
	reason   string        // Google's additional word, such as "API_KEY_INVALID"
	daily    bool          // a daily quota is used up
	flagged  bool          // a content filter stopped the prompt
	webPage  bool          // a web page came, not an API's error
	notJSON  bool          // not JSON at all
	upstream string        // of a router, if the error names it
	after    time.Duration // how long it wants the client to wait; 0: unknown
}

// ErrNotAPI is the error of a response that is no JSON: a web page, or plain text.
var ErrNotAPI = errors.New("not an API")

// Is reports whether target is ErrNotAPI and the response was no API's.
func (s *serverError) Is(target error) bool { return target == ErrNotAPI && (s.webPage || s.notJSON) }

// Error returns the message, or the code if the message is missing.
func (s *serverError) Error() string {
	for _, v := range []string{s.message, s.code, s.kind} {
		if v != "" {
			return v
		}
	}
	return "the server gives no reason"
}

// status returns the code as an HTTP status, 0 if it is not one.
func (s *serverError) status() int {
	n, err := strconv.Atoi(s.code)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

// hasCode reports whether the code, the type or the reason is one of words.
func (s *serverError) hasCode(words ...string) bool {
	for _, w := range words {
		if strings.EqualFold(s.code, w) || strings.EqualFold(s.kind, w) || strings.EqualFold(s.reason, w) {
			return true
		}
	}
	return false
}

// mentions reports whether the message contains one of the phrases, in lower case.
func (s *serverError) mentions(phrases ...string) bool {
	m := strings.ToLower(s.message)
	for _, p := range phrases {
		if strings.Contains(m, p) {
			return true
		}
	}
	return false
}

// readError reads the body of an error response. The server's words are safe to print,
// limited in length and without the key.
func readError(body []byte, key apikey.Key) *serverError {
	body = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(body), []byte("\xEF\xBB\xBF")))
	if len(body) > 0 && body[0] == '<' {
		return &serverError{webPage: true, message: clean.Line("a web page answered, not an API: "+key.Hide(pageTitle(body)), maxMessage)}
	}
	if rawjson.Valid(body) {
		return parseError(body, key, ofBody)
	}
	return &serverError{notJSON: true, message: clean.Line(key.Hide(string(body)), maxMessage)}
}

// How many objects an error is nested in at most: in a whole body, or in the value of its member.
const (
	ofBody   = 2
	ofMember = 1
)

// parseError reads the shapes in which servers put errors: {"error": {…}},
// {"error": "…"}, the object itself, {"detail": …} as FastAPI has it, and an
// array of one of these. levels limits the depth: a server may nest them without end.
func parseError(raw []byte, key apikey.Key, levels int) *serverError {
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
	if err := json.Unmarshal(raw, &o); err != nil && len(o.Error)+len(o.Message) == 0 {
		return &serverError{message: serverText(raw, key)}
	}
	if rawjson.IsSet(o.Error) && levels > 0 {
		inner := parseError(o.Error, key, levels-1)
		// Some servers have the number outside and the words inside.
		if inner.code == "" {
			inner.code = serverText(o.Code, key)
		}
		if inner.message == "" {
			inner.message = serverText(o.Message, key)
		}
		return inner
	}
	e := &serverError{
		message:  serverText(o.Message, key),
		kind:     serverText(o.Type, key),
		code:     serverText(o.Code, key),
		param:    serverText(o.Param, key),
		flagged:  rawjson.IsSet(o.Metadata.Flagged),
		upstream: clean.Line(serverText(o.Metadata.Provider, key), maxValue),
	}
	if e.message == "" {
		e.message = serverText(o.Detail, key)
	}
	if e.kind == "" {
		e.kind = serverText(o.Status, key)
	}
	e.addDetails(o.Details)
	return e
}

// ServerMessage returns what a server says in raw, an error in any of the shapes that
// parseError reads. It is safe to print and free of the key.
func ServerMessage(raw []byte, key apikey.Key) string { return parseError(raw, key, ofMember).Error() }

// addDetails reads what Google's APIs add to an error, by the type of a protocol buffer
// (google/rpc/error_details.proto): how long to wait, which quota is used up, and one word
// for the reason.
func (s *serverError) addDetails(details []byte) {
	rawjson.Elements(details, func(detail []byte) {
		switch kind := Word(rawjson.Member(detail, "@type")); {
		case strings.HasSuffix(kind, ".RetryInfo"):
			delay, _ := strings.CutSuffix(Word(rawjson.Member(detail, "retryDelay")), "s")
			if seconds, err := strconv.ParseFloat(delay, 64); err == nil {
				s.after = retry.Seconds(seconds)
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
