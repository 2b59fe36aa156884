package wire

import (
	"context"

	"verbatim"
)

// SendResponses is Responses().Send for recordings: their token limits are smaller than
// those that Send accepts.
func SendResponses(ctx context.Context, e Endpoint, prompt verbatim.Prompt, maxTokens int) (verbatim.Reply, error) {
	p := Responses()
	write := p.request
	p.request = func(e Endpoint, prompt verbatim.Prompt, _ int, params verbatim.Params) (request, error) {
		return write(e, prompt, 0, params)
	}
	return p.Send(ctx, e, prompt, maxTokens, verbatim.Params{})
}
