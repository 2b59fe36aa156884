package conformance

import (
	"context"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// openAIResponses is OpenAI's Responses API.
func openAIResponses() pair {
	return pair{
		name:     "responses",
		sdk:      "openai-go",
		base:     "/v1",
		ours:     wire.Responses(),
		theirs:   askOpenAIResponses,
		stream:   modeltest.ResponsesStream,
		document: modeltest.ResponsesDocument,
	}
}

// askOpenAIResponses asks like users of openai-go: the text is made of the deltas, the
// end is that of the response in the last event.
func askOpenAIResponses(ctx context.Context, base string, c *http.Client, q question) reading {
	client := openAI(base, c)
	var r reading
	if !q.stream {
		done, err := client.Responses.New(ctx, openAIResponsesParams(q))
		if err != nil {
			r.err = err
			return r
		}
		summary := ""
		for _, item := range done.Output {
			for _, part := range item.Summary {
				summary += part.Text
			}
			for _, part := range item.Content {
				switch part.Type {
				case "output_text":
					r.Text += part.Text
				case "refusal":
					r.Text += part.Refusal
					r.Finish = verbatim.FinishRefusal
				case "reasoning_text":
					r.Reasoning += part.Text
				}
			}
		}
		if r.Reasoning == "" {
			r.Reasoning = summary
		}
		r.ends(*done)
		return r
	}
	s := client.Responses.NewStreaming(ctx, openAIResponsesParams(q))
	defer s.Close()
	summary := ""
	for s.Next() {
		switch ev := s.Current(); ev.Type {
		case "response.output_text.delta":
			r.Text += ev.Delta
		case "response.refusal.delta":
			r.Text += ev.Delta
			r.Finish = verbatim.FinishRefusal
		case "response.reasoning_text.delta":
			r.Reasoning += ev.Delta
		case "response.reasoning_summary_text.delta":
			summary += ev.Delta
		case "response.completed", "response.incomplete", "response.failed":
			r.ends(ev.Response)
		}
	}
	if r.Reasoning == "" {
		r.Reasoning = summary
	}
	r.err = s.Err()
	return r
}

// ends adds the finish reason and the usage of a finished response.
func (r *reading) ends(done responses.Response) {
	if done.JSON.Usage.Valid() {
		u := done.Usage
		r.Usage = verbatim.Usage{
			Prompt:     given(u.InputTokens, u.JSON.InputTokens),
			Completion: given(u.OutputTokens, u.JSON.OutputTokens),
			Reasoning:  given(u.OutputTokensDetails.ReasoningTokens, u.OutputTokensDetails.JSON.ReasoningTokens),
			Cached:     given(u.InputTokensDetails.CachedTokens, u.InputTokensDetails.JSON.CachedTokens),
		}
	}
	if r.Finish != verbatim.FinishRefusal {
		raw := string(done.Status)
		if done.IncompleteDetails.Reason != "" {
			raw = done.IncompleteDetails.Reason
		}
		r.Finish = wire.Finish(raw)
	}
}

// openAIResponsesParams returns a question in the SDK's types.
func openAIResponsesParams(q question) responses.ResponseNewParams {
	p := responses.ResponseNewParams{Model: model, Store: openai.Bool(false)}
	for _, m := range q.prompt {
		role := responses.EasyInputMessageRole(m.Role)
		if len(m.Content) == 1 && m.Content[0].Image == nil {
			p.Input.OfInputItemList = append(p.Input.OfInputItemList, responses.ResponseInputItemParamOfMessage(m.Content[0].Text, role))
			continue
		}
		var parts responses.ResponseInputMessageContentListParam
		for _, part := range m.Content {
			if part.Image == nil {
				parts = append(parts, responses.ResponseInputContentParamOfInputText(part.Text))
				continue
			}
			image := responses.ResponseInputContentParamOfInputImage(responses.ResponseInputImageDetailAuto)
			image.OfInputImage.ImageURL = openai.String(dataURL(part.Image))
			parts = append(parts, image)
		}
		p.Input.OfInputItemList = append(p.Input.OfInputItemList, responses.ResponseInputItemParamOfMessage(parts, role))
	}
	if q.maxTokens > 0 {
		p.MaxOutputTokens = openai.Int(int64(q.maxTokens))
	}
	if q.params.Temperature != nil {
		p.Temperature = openai.Float(*q.params.Temperature)
	}
	if q.params.TopP != nil {
		p.TopP = openai.Float(*q.params.TopP)
	}
	p.Reasoning.Effort = shared.ReasoningEffort(q.params.Effort)
	return p
}
