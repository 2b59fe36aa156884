package modeltest

import (
	"context"

	"verbatim"
	"verbatim/internal/wire"
)

// Send sends a prompt through a protocol and returns the reply.
func Send(ctx context.Context, p *wire.Protocol, e wire.Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (reply verbatim.Reply, err error) {
	err = p.Send(ctx, &e, &verbatim.Request{Prompt: prompt, MaxTokens: maxTokens, Params: params}, &reply)
	return reply, err
}
