package redact

import (
	"strings"

	"verbatim/internal/wire"
)

// ModelName returns the name of a model that is safe to show: an address without its user, password and
// query, on one line of at most 200 characters.
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
	return wire.CleanLine(name, 200)
}
