package fake

import "net/http"

// Content types, as header values that are shared and never changed.
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
