package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/respjson"
	"github.com/openai/openai-go/v3/shared"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// chat is OpenAI's chat completions.
func chat() pair {
	return pair{
		name:     "chat",
		sdk:      "openai-go",
		base:     "/v1",
		ours:     wire.Chat(),
		theirs:   askOpenAIChat,
		stream:   modeltest.ChatStream,
		document: modeltest.ChatDocument,
	}
}

// openAI returns openai-go's client, told to try once.
func openAI(base string, c *http.Client) openai.Client {
	return openai.NewClient(option.WithBaseURL(base+"/v1/"), option.WithAPIKey("secret"), option.WithHTTPClient(c), option.WithMaxRetries(0))
}

// askOpenAIChat asks like users of openai-go: the deltas are joined in their order,
// and the last usage counts.
func askOpenAIChat(ctx context.Context, base string, c *http.Client, q question) reading {
	client := openAI(base, c)
	var r reading
	if !q.stream {
		done, err := client.Chat.Completions.New(ctx, openAIChatParams(q))
		if err != nil {
			r.err = err
			return r
		}
		r.Usage = openAIChatUsage(done.Usage, done.JSON.Usage)
		for _, choice := range done.Choices {
			if choice.Index != 0 {
				continue
			}
			r.Text = choice.Message.Content + choice.Message.Refusal
			r.Reasoning = extraText(choice.Message.JSON.ExtraFields, "reasoning", "reasoning_content")
			r.Finish = openAIFinish(choice.FinishReason, choice.Message.Refusal)
		}
		return r
	}
	s := client.Chat.Completions.NewStreaming(ctx, openAIChatParams(q))
	defer s.Close()
	refusal := ""
	for s.Next() {
		chunk := s.Current()
		if chunk.JSON.Usage.Valid() {
			r.Usage = openAIChatUsage(chunk.Usage, chunk.JSON.Usage)
		}
		for _, choice := range chunk.Choices {
			if choice.Index != 0 {
				continue
			}
			r.Text += choice.Delta.Content + choice.Delta.Refusal
			refusal += choice.Delta.Refusal
			r.Reasoning += extraText(choice.Delta.JSON.ExtraFields, "reasoning", "reasoning_content")
			if choice.FinishReason != "" {
				r.Finish = openAIFinish(choice.FinishReason, refusal)
			}
		}
	}
	r.err = s.Err()
	return r
}

// openAIFinish translates a finish reason into our own, since the SDK does not.
func openAIFinish(raw, refusal string) verbatim.Finish {
	if refusal != "" {
		return verbatim.FinishRefusal
	}
	return wire.Finish(raw)
}

// openAIChatUsage returns the counts that are given.
func openAIChatUsage(u openai.CompletionUsage, there respjson.Field) verbatim.Usage {
	if !there.Valid() {
		return verbatim.Usage{}
	}
	return verbatim.Usage{
		Prompt:     given(u.PromptTokens, u.JSON.PromptTokens),
		Completion: given(u.CompletionTokens, u.JSON.CompletionTokens),
		Reasoning:  given(u.CompletionTokensDetails.ReasoningTokens, u.CompletionTokensDetails.JSON.ReasoningTokens),
		Cached:     given(u.PromptTokensDetails.CachedTokens, u.PromptTokensDetails.JSON.CachedTokens),
	}
}

// given returns a count, nil if it was not in the answer.
func given(n int64, there interface{ Valid() bool }) *int64 {
	if !there.Valid() {
		return nil
	}
	return &n
}

// extraText returns the first text among fields that the SDK does not know.
func extraText(fields map[string]respjson.Field, names ...string) string {
	for _, n := range names {
		var s string
		if json.Unmarshal([]byte(fields[n].Raw()), &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// openAIChatParams returns a question in the SDK's types.
func openAIChatParams(q question) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: model}
	for _, m := range q.prompt {
		p.Messages = append(p.Messages, openAIChatMessage(m))
	}
	if q.maxTokens > 0 {
		p.MaxTokens = openai.Int(int64(q.maxTokens))
	}
	if q.params.Temperature != nil {
		p.Temperature = openai.Float(*q.params.Temperature)
	}
	if q.params.TopP != nil {
		p.TopP = openai.Float(*q.params.TopP)
	}
	if q.params.Seed != nil {
		p.Seed = openai.Int(*q.params.Seed)
	}
	p.ReasoningEffort = shared.ReasoningEffort(q.params.Effort)
	if q.stream {
		p.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	if len(q.params.Extra) > 0 {
		extra := map[string]any{}
		for name, v := range q.params.Extra {
			extra[name] = v
		}
		p.SetExtraFields(extra)
	}
	return p
}

// openAIChatMessage returns one message in the SDK's types.
func openAIChatMessage(m verbatim.Message) openai.ChatCompletionMessageParamUnion {
	text := ""
	if len(m.Content) == 1 {
		text = m.Content[0].Text
	}
	switch m.Role {
	case "system":
		return openai.SystemMessage(text)
	case "assistant":
		return openai.AssistantMessage(text)
	}
	if len(m.Content) == 1 && m.Content[0].Image == nil {
		return openai.UserMessage(text)
	}
	var parts []openai.ChatCompletionContentPartUnionParam
	for _, part := range m.Content {
		if part.Image == nil {
			parts = append(parts, openai.TextContentPart(part.Text))
			continue
		}
		parts = append(parts, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: dataURL(part.Image)}))
	}
	return openai.UserMessage(parts)
}

// dataURL returns an image as a data URL (RFC 2397).
func dataURL(im *verbatim.Image) string {
	return "data:" + im.Media + ";base64," + base64.StdEncoding.EncodeToString(im.Bytes)
}
