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
}

// askProps asks a server for its /props; false where it has none.
func askProps(ctx context.Context, e wire.Endpoint) (p props, ok bool) {
	body, err := wire.GetJSON(ctx, atRoot(e), "/props")
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
