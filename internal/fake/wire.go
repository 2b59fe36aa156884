package fake

import (
	"net/http"
	"time"

	"verbatim/internal/rawjson"
)

// A wire reads the requests and writes the replies of one protocol.
type wire struct {
	name string
	// paths are those of requests for an answer, with POST.
	paths []string
	// modelsPath is the path of the list of models; "": no list. Only requests with the
	// header modelsHeader get this list; "": all do.
	modelsPath, modelsHeader string
	// appendModels appends the list of models.
	appendModels func(b []byte, names []string) []byte
	pages        map[string]string // further paths for GET, and their JSON
	// read reads a request; in a batch it has no *http.Request.
	read func(body []byte, r *http.Request) (*request, *apiError)
	// appendReply appends a reply in one piece.
	appendReply func(b []byte, r *reply) []byte
	// writeStream writes a reply as a stream; nil: the protocol has none.
	writeStream func(s *script, r *reply)
	// appendError appends the body of an error.
	appendError func(b []byte, e *apiError) []byte
	// setQuota sets the headers that state a rate limit; nil: there are none.
	setQuota func(h http.Header, q *quota, now time.Time)

	headers            map[string]string // of every response
	idHeader, idPrefix string            // the header with the id of a response, and the prefix of its value
	jsonLines          bool              // a stream is JSON lines, not server-sent events
	unnamedEvents      bool              // the events of a stream have no types
	waitInBody         bool              // an error states the wait in its body
}

// appendModels appends a list of models between head and tail. one returns a model for its name,
// which is a JSON string.
func appendModels(b []byte, names []string, head string, one func(name string) string, tail string) []byte {
	b = append(b, head...)
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, one(string(rawjson.AppendString(nil, name)))...)
	}
	return append(b, tail...)
}
