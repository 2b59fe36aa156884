package wire

import (
	"context"

	"verbatim"
)

// SendPrompt sends a prompt and returns the reply.
func (p *Protocol) SendPrompt(ctx context.Context, e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (reply verbatim.Reply, err error) {
	err = p.Send(ctx, &e, &verbatim.Request{Prompt: prompt, MaxTokens: maxTokens, Params: params}, &reply)
	return reply, err
}

// SendResponses is Responses().SendPromptPrompt for recordings: their token limits are smaller than
// those that Send accepts.
func SendResponses(ctx context.Context, e Endpoint, prompt verbatim.Prompt, maxTokens int) (verbatim.Reply, error) {
	p := Responses()
	write := p.request
	p.request = func(e Endpoint, prompt verbatim.Prompt, _ int, params verbatim.Params) (request, error) {
		return write(e, prompt, 0, params)
	}
	return p.SendPrompt(ctx, e, prompt, maxTokens, verbatim.Params{})
}
