package fake

import (
	"net/http"
	"strings"
)

// A route is where requests of one kind arrive. {} in its path stands for one or
// more characters up to a slash or a colon.
type route struct {
	method, path string
	protocol     *protocol
	serve        func(*Server, http.ResponseWriter, *http.Request)
}

// routes lists the routes, the busiest first.
func routes() []route {
	return []route{
		{"POST", "/v1/chat/completions", &chat, answer(&chat)},
		{"POST", "/openai/deployments/{}/chat/completions", &chat, answer(&chat)},
		{"GET", "/v1/models", &chat, listModels},
	}
}

var table = routes()

// find returns the route of a path.
func find(path string) (route, bool) {
	for i := range table {
		if matches(table[i].path, path) {
			return table[i], true
		}
	}
	return route{}, false
}

// matches reports whether path fits a pattern.
func matches(pattern, path string) bool {
	for {
		head, rest, open := strings.Cut(pattern, "{}")
		tail, ok := strings.CutPrefix(path, head)
		if !ok || !open {
			return ok && tail == ""
		}
		n := strings.IndexAny(tail, "/:")
		if n < 0 {
			n = len(tail)
		}
		if n == 0 {
			return false
		}
		pattern, path = rest, tail[n:]
	}
}
