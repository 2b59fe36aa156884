package fake

import (
	"net/http"
	"strings"
)

// A route is a method and a path that the server handles. In the path, {} matches one or more
// characters, up to a slash or a colon.
type route struct {
	method, path string
	header       string // that a request must have; "": none
	wire         *wire  // the protocol of its errors
	serve        http.HandlerFunc
}

// findRoute returns the route of a request. If none has its method, it is one of another method.
func findRoute(routes []route, r *http.Request) (found route, ok bool) {
	path := pathOf(r)
	for i := range routes {
		if !matches(routes[i].path, path) || routes[i].header != "" && r.Header.Get(routes[i].header) == "" {
			continue
		}
		if found, ok = routes[i], true; found.method == r.Method {
			break
		}
	}
	return found, ok
}

// matches reports whether path matches the pattern of a route.
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

// pathOf returns the path of a request. Some of Google's clients use v1 instead of v1beta. They
// differ from OpenAI's clients by the header of the key.
func pathOf(r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/v1/"); ok && r.Header["X-Goog-Api-Key"] != nil {
		return "/v1beta/" + rest
	}
	return r.URL.Path
}
