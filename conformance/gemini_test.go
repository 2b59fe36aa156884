package conformance

import (
	"context"
	"net/http"

	"google.golang.org/genai"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// gemini is Google's generateContent.
func gemini() pair {
	return pair{
		name:       "gemini",
		sdk:        "genai",
		base:       "/v1beta",
		ours:       wire.Gemini(),
		theirs:     askGemini,
		stream:     modeltest.GeminiStream,
		document:   modeltest.GeminiDocument,
		zeroIsNone: true,
	}
}

// askGemini asks like users of genai. Counts of the SDK are numbers, not pointers:
// a count that is not given is zero.
func askGemini(ctx context.Context, base string, c *http.Client, q question) reading {
	var r reading
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: "secret", Backend: genai.BackendGeminiAPI, HTTPClient: c, HTTPOptions: genai.HTTPOptions{BaseURL: base + "/"},
	})
	if err != nil {
		return reading{err: err}
	}
	contents, config := geminiParams(q)
	if !q.stream {
		res, err := client.Models.GenerateContent(ctx, model, contents, config)
		if err != nil {
			return reading{err: err}
		}
		r.takeGemini(res)
		return r
	}
	for res, err := range client.Models.GenerateContentStream(ctx, model, contents, config) {
		if err != nil {
			r.err = err
			break
		}
		r.takeGemini(res)
	}
	return r
}

// takeGemini adds a response, or a piece of a stream.
func (r *reading) takeGemini(res *genai.GenerateContentResponse) {
	if f := res.PromptFeedback; f != nil && f.BlockReason != "" {
		r.Finish = verbatim.FinishFilter
	}
	for _, candidate := range res.Candidates {
		if candidate.Index != 0 {
			continue
		}
		if candidate.Content != nil {
			for _, part := range candidate.Content.Parts {
				if part.Thought {
					r.Reasoning += part.Text
				} else {
					r.Text += part.Text
				}
			}
		}
		if candidate.FinishReason != "" {
			r.Finish = wire.Finish(string(candidate.FinishReason))
		}
	}
	if u := res.UsageMetadata; u != nil {
		r.Usage = verbatim.Usage{
			Prompt:     positive(u.PromptTokenCount),
			Completion: positive(u.CandidatesTokenCount + u.ThoughtsTokenCount),
			Reasoning:  positive(u.ThoughtsTokenCount),
			Cached:     positive(u.CachedContentTokenCount),
		}
	}
}

// positive returns a number of tokens; nil for zero, which is a count that is not given.
func positive[N int | int32](n N) *int64 {
	if n == 0 {
		return nil
	}
	return number(int64(n))
}

// geminiParams returns a question in the SDK's types.
func geminiParams(q question) ([]*genai.Content, *genai.GenerateContentConfig) {
	config := &genai.GenerateContentConfig{MaxOutputTokens: int32(q.maxTokens)}
	var contents []*genai.Content
	for _, m := range q.prompt {
		var parts []*genai.Part
		for _, part := range m.Content {
			if part.Image == nil {
				parts = append(parts, genai.NewPartFromText(part.Text))
			} else {
				parts = append(parts, genai.NewPartFromBytes(part.Image.Bytes, part.Image.Media))
			}
		}
		switch m.Role {
		case "system":
			config.SystemInstruction = &genai.Content{Parts: parts}
		case "assistant":
			contents = append(contents, genai.NewContentFromParts(parts, genai.RoleModel))
		default:
			contents = append(contents, genai.NewContentFromParts(parts, genai.RoleUser))
		}
	}
	if q.params.Temperature != nil {
		config.Temperature = genai.Ptr(float32(*q.params.Temperature))
	}
	if q.params.TopP != nil {
		config.TopP = genai.Ptr(float32(*q.params.TopP))
	}
	if q.params.Seed != nil {
		config.Seed = genai.Ptr(int32(*q.params.Seed))
	}
	if q.params.Effort != "" || q.params.ReasoningBudget != nil {
		config.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true, ThinkingLevel: genai.ThinkingLevel(q.params.Effort)}
		if n := q.params.ReasoningBudget; n != nil {
			config.ThinkingConfig.ThinkingBudget = genai.Ptr(int32(*n))
			config.ThinkingConfig.IncludeThoughts = *n != 0
		}
	}
	return contents, config
}
