package wire

import (
	"context"

	"verbatim"
)

// AskResponses is Responses for recordings: their bounds are smaller than such as
// Responses sends.
func AskResponses(ctx context.Context, e Endpoint, prompt verbatim.Prompt, bound int) (verbatim.Reply, error) {
	return responses(bound).askByValue(ctx, e, prompt, 0, verbatim.Params{})
}
