package fake

import (
	"net/http"
	"strings"
)

// A route is where requests of one kind arrive. {} in its path stands for one or
// more characters up to a slash or a colon.
type route struct {
	method, path string
	header       string // that a request must have; "": none
	wire         *wire  // of its errors
	serve        http.HandlerFunc
}

// findRoute returns the route of a request: that of its method, where the path has
// several.
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

// pathOf returns the path of a request. Google's clients ask for v1 where others
// ask for v1beta, and differ from OpenAI's by the header of their key.
func pathOf(r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/v1/"); ok && r.Header["X-Goog-Api-Key"] != nil {
		return "/v1beta/" + rest
	}
	return r.URL.Path
}
