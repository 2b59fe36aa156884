package verifying

import (
	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/task"
)

// ownParams is a Source whose requests have the parameters of their run. These differ between the
// sides if the endpoints are compared as they are.
type ownParams struct {
	verbatim.Source
	params verbatim.Params
	limits func(*verbatim.Item) (reply, content int) // nil: those of the test
}

// Next implements verbatim.Source.
func (s *ownParams) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	requests, err := s.Source.Next(done)
	for i := range requests {
		r := &requests[i]
		structure := r.Params.Structure
		r.Params = s.params
		r.Params.Structure = structure
		if r.Params.SystemAs == model.SystemAsUser { // only servers move the system prompt by themselves
			r.Prompt, _ = model.SystemInUser(r.Prompt)
		}
		if s.limits != nil {
			r.MaxTokens, r.ContentTokens = s.limits(r.Item)
		}
	}
	return requests, err
}

// limitsOf returns the token limits of an item: a token for each byte of the right answer and a few
// more. There is no room for talk, since only the beginning of a text is compared. A limit that the
// user set is for reasoning and text together.
func limitsOf(params verbatim.Params) func(*verbatim.Item) (reply, content int) {
	const least, more = 28, 8
	bare := task.MaxTokens(&verbatim.Item{}, 0)
	return func(it *verbatim.Item) (reply, content int) {
		if params.MaxTokens > 0 {
			return params.MaxTokens, params.MaxTokens
		}
		content = max(least, task.MaxTokens(it, 0)-bare+more)
		return content + params.ReasoningTokens, content
	}
}
