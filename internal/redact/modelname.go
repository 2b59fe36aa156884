package redact

import (
	"strings"

	"verbatim/internal/wire/clean"
)

// ModelName returns a name as it may be shown: an address without its user,
// password and query, and on one line.
func ModelName(name string) string {
	if scheme, rest, found := strings.Cut(name, "://"); found {
		address, model, named := strings.Cut(rest, "#")
		address, _, _ = strings.Cut(address, "?")
		host, path, _ := strings.Cut(address, "/")
		host = host[strings.LastIndex(host, "@")+1:]
		name = scheme + "://" + strings.TrimSuffix(host+"/"+path, "/")
		if named {
			name += "#" + model
		}
	}
	return clean.Line(name, 200)
}
