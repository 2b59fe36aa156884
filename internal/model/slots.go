package model

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"time"

	"verbatim/internal/wire"
)

// slotsWait is the time limit for questions about a server that is near.
const slotsWait = time.Second

// slots returns how many requests the server at e runs at once: by /props of llama.cpp, otherwise the
// usual number for its port; 0: unknown. Only servers on this machine and in private networks are
// asked.
func slots(ctx context.Context, e wire.Endpoint) int {
	if isNear(e.BaseURL) {
		if props, ok := askProps(ctx, e); ok && props.TotalSlots > 0 {
			return props.TotalSlots
		}
	}
	if p, ok := findLocalProvider(e.BaseURL); ok {
		return p.Slots
	}
	return 0
}

// props is the document at /props of llama.cpp.
type props struct {
	TotalSlots int `json:"total_slots"`
	Defaults   struct {
		Context int64 `json:"n_ctx"` // of one slot
	} `json:"default_generation_settings"`
	Modalities *struct{ Vision bool }
	Role       string // "router": it serves several models, each by a process of its own
}

// askProps asks a server for /props; false if it has none. A router is asked for those of the model,
// without loading it.
func askProps(ctx context.Context, e wire.Endpoint) (props, bool) {
	p, ok := readProps(ctx, e, "/props")
	if ok && p.Role == "router" && e.Model != "" {
		return readProps(ctx, e, "/props?model="+url.QueryEscape(e.Model)+"&autoload=false")
	}
	return p, ok
}

func readProps(ctx context.Context, e wire.Endpoint, path string) (p props, ok bool) {
	body, err := wire.GetJSON(ctx, atRoot(e), path)
	return p, err == nil && json.Unmarshal(body, &p) == nil
}

// atRoot returns the endpoint without the path of its base URL, with the time limit slotsWait.
func atRoot(e wire.Endpoint) wire.Endpoint {
	e.Total = slotsWait
	return withoutPath(e)
}

// withoutPath returns the endpoint without the path of its base URL.
func withoutPath(e wire.Endpoint) wire.Endpoint {
	if u, err := url.Parse(e.BaseURL); err == nil {
		u.Path, u.RawPath = "", ""
		e.BaseURL = u.String()
	}
	return e
}

// isNear reports whether an address is on this machine or in a private network.
func isNear(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (isLoopback(base) || net.ParseIP(u.Hostname()).IsPrivate())
}
