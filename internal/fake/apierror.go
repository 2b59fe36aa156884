package fake

import (
	"net/http"
	"strconv"
	"time"
)

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
