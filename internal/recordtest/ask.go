package recordtest

import (
	"context"

	"verbatim"
)

// Ask returns the reply of m to r.
func Ask(ctx context.Context, m verbatim.Model, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = m.Ask(ctx, &r, &reply)
	return reply, err
}
