package fake

import (
	"net/http"
	"strconv"
	"time"
)

// A protocol is how asks are read and replies are written.
type protocol struct {
	name string
	// read reads a request. path is that of the request's URL, and query its query.
	read func(body []byte, r *http.Request) (*ask, *trouble)
	// whole appends a reply in one piece.
	whole func(b []byte, r *reply) []byte
	// stream writes a reply in pieces.
	stream func(s *script, r *reply)
	// refuse appends the body of an error.
	refuse func(b []byte, t *trouble) []byte
	// lines says that a stream is JSON lines and not server-sent events.
	lines bool
	// idHeader is the header that names a response.
	idHeader, idPrefix string
}

// A trouble is an error as a server reports it.
type trouble struct {
	status  int
	kind    string // OpenAI's type; "" is what goes with the status
	code    string
	numeric bool // the code is written as a number
	param   string
	message string
	after   time.Duration
	form    string // how the wait is told
}

// seconds returns the wait in whole seconds, rounded up.
func (t *trouble) seconds() int64 { return int64((t.after + time.Second - 1) / time.Second) }

// header sets the headers of the trouble. Gemini tells a wait in the body alone,
// unless it is asked for a form that only a header has.
func (t *trouble) header(h http.Header, p *protocol, now time.Time) {
	if t.after <= 0 || p == &gemini && t.form == "" {
		return
	}
	switch t.form {
	case "date":
		h.Set("Retry-After", now.Add(time.Duration(t.seconds())*time.Second).UTC().Format(http.TimeFormat))
	case "ms":
		h.Set("Retry-After-Ms", strconv.FormatInt(t.after.Milliseconds(), 10))
	case "", "seconds":
		h.Set("Retry-After", strconv.FormatInt(t.seconds(), 10))
	}
}

func badRequest(message, param string) *trouble {
	return &trouble{status: http.StatusBadRequest, message: message, param: param}
}

// page is what proxies answer in place of an API.
func page(status int) string {
	title := strconv.Itoa(status) + " " + http.StatusText(status)
	return "<html>\r\n<head><title>" + title + "</title></head>\r\n<body>\r\n<center><h1>" + title +
		"</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
}
