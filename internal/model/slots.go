package model

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"time"

	"verbatim/internal/provider"
	"verbatim/internal/wire"
)

// slotsWait is how long a server has to say what it knows of itself.
const slotsWait = time.Second

// slots returns how many requests the server at e runs at once: as llama.cpp says at
// /props, otherwise as is usual on its port; 0 is unknown. Only servers on this machine and
// in private networks are asked.
func slots(ctx context.Context, e wire.Endpoint) int {
	if isNear(e.BaseURL) {
		if props, ok := askProps(ctx, e); ok && props.TotalSlots > 0 {
			return props.TotalSlots
		}
	}
	if p, ok := provider.FindLocal(e.BaseURL); ok {
		return p.Slots
	}
	return 0
}

// props is what llama.cpp says of itself.
type props struct {
	TotalSlots int `json:"total_slots"`
	Defaults   struct {
		Context int64 `json:"n_ctx"` // of one slot
	} `json:"default_generation_settings"`
	Modalities *struct{ Vision bool }
	Role       string // "router" where it serves several models, each from a process of its own
}

// askProps asks a server for its /props; false where it has none. A router is asked for those
// of the model, which it does not load for that.
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

// atRoot returns the endpoint's server without a path, asked for what it knows at once.
func atRoot(e wire.Endpoint) wire.Endpoint {
	if u, err := url.Parse(e.BaseURL); err == nil {
		u.Path, u.RawPath = "", ""
		e.BaseURL = u.String()
	}
	e.Total = slotsWait
	return e
}

// isNear reports whether an address is on this machine or in a private network.
func isNear(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (provider.IsLoopback(base) || net.ParseIP(u.Hostname()).IsPrivate())
}
