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

// slotsWait is how long a server has to say how many requests it runs at once.
const slotsWait = time.Second

// slots returns how many requests the server at e runs at once: as llama.cpp says at
// /props, otherwise as is usual on its port; 0 is unknown. Only servers on this machine and
// in private networks are asked.
func slots(ctx context.Context, e wire.Endpoint) int {
	if isNear(e.BaseURL) {
		at := e
		at.Total = slotsWait
		if u, err := url.Parse(e.BaseURL); err == nil {
			u.Path, u.RawPath = "", ""
			at.BaseURL = u.String()
		}
		var props struct {
			TotalSlots int `json:"total_slots"`
		}
		if body, err := wire.GetJSON(ctx, at, "/props"); err == nil && json.Unmarshal(body, &props) == nil && props.TotalSlots > 0 {
			return props.TotalSlots
		}
	}
	if p, ok := provider.FindLocal(e.BaseURL); ok {
		return p.Slots
	}
	return 0
}

// isNear reports whether an address is on this machine or in a private network.
func isNear(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (provider.IsLoopback(base) || net.ParseIP(u.Hostname()).IsPrivate())
}
