package fake

import (
	"net/http"
	"time"

	"verbatim/internal/fake/limit"
	"verbatim/internal/rawjson"
)

// A wire is how requests of one protocol are read and replies are written.
type wire struct {
	name string
	// paths are where requests for an answer arrive, with POST.
	paths []string
	// modelsPath is where the list of models is, for requests with the header
	// modelsHeader, if one is named.
	modelsPath, modelsHeader string
	// appendModels appends the list of models.
	appendModels func(b []byte, names []string) []byte
	pages        map[string]string // further paths for GET, and what is there
	// read reads a request; in a batch it has no *http.Request.
	read func(body []byte, r *http.Request) (*request, *apiError)
	// appendReply appends a reply in one piece.
	appendReply func(b []byte, r *reply) []byte
	// writeStream writes a reply as a stream; nil: the protocol has none.
	writeStream func(s *script, r *reply)
	// appendError appends the body of an error.
	appendError func(b []byte, e *apiError) []byte
	// setQuota sets the headers that state a rate limit; nil: there are none.
	setQuota func(h http.Header, q *limit.Quota, now time.Time)

	headers            map[string]string // of every response
	idHeader, idPrefix string            // of the header that names a response
	jsonLines          bool              // a stream is JSON lines, not server-sent events
	unnamedEvents      bool              // the events of a stream have no types
	waitInBody         bool              // an error states the wait in its body
}

// appendModels appends a list of models between head and tail; one returns a model for
// its name as a JSON string.
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
