package conformance

import (
	"context"
	"encoding/base64"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/respjson"

	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// anthropicMessages is Anthropic's Messages API.
func anthropicMessages() pair {
	return pair{
		name:     "anthropic",
		sdk:      "anthropic-sdk-go",
		base:     "/v1",
		ours:     wire.Anthropic(),
		theirs:   askAnthropic,
		stream:   modeltest.AnthropicStream,
		document: modeltest.AnthropicDocument,
	}
}

// askAnthropic asks like users of the SDK: its own accumulator joins the message.
func askAnthropic(ctx context.Context, base string, c *http.Client, q question) reading {
	client := anthropic.NewClient(option.WithBaseURL(base+"/"), option.WithAPIKey("secret"), option.WithHTTPClient(c), option.WithMaxRetries(0))
	var r reading
	if !q.stream {
		m, err := client.Messages.New(ctx, anthropicParams(q))
		if err != nil {
			r.err = err
			return r
		}
		r.message(*m)
		if m.JSON.Usage.Valid() {
			r.countAnthropic(m.Usage.InputTokens, m.Usage.CacheCreationInputTokens, m.Usage.CacheReadInputTokens, m.Usage.JSON.InputTokens, m.Usage.JSON.CacheReadInputTokens,
				given(m.Usage.OutputTokens, m.Usage.JSON.OutputTokens), given(m.Usage.OutputTokensDetails.ThinkingTokens, m.Usage.OutputTokensDetails.JSON.ThinkingTokens))
		}
		return r
	}
	s := client.Messages.NewStreaming(ctx, anthropicParams(q))
	defer s.Close()
	var m anthropic.Message
	for s.Next() {
		ev := s.Current()
		if err := m.Accumulate(ev); err != nil {
			r.err = err
			break
		}
		if u := ev.Message.Usage; ev.Message.JSON.Usage.Valid() {
			r.countAnthropic(u.InputTokens, u.CacheCreationInputTokens, u.CacheReadInputTokens, u.JSON.InputTokens, u.JSON.CacheReadInputTokens,
				given(u.OutputTokens, u.JSON.OutputTokens), given(u.OutputTokensDetails.ThinkingTokens, u.OutputTokensDetails.JSON.ThinkingTokens))
		}
		if u := ev.Usage; ev.JSON.Usage.Valid() {
			r.countAnthropic(m.Usage.InputTokens, m.Usage.CacheCreationInputTokens, m.Usage.CacheReadInputTokens, u.JSON.InputTokens, u.JSON.CacheReadInputTokens,
				given(u.OutputTokens, u.JSON.OutputTokens), given(u.OutputTokensDetails.ThinkingTokens, u.OutputTokensDetails.JSON.ThinkingTokens))
		}
	}
	if r.err == nil {
		r.err = s.Err()
	}
	r.message(m)
	return r
}

// message adds the text of a message, its thoughts and its stop reason.
func (r *reading) message(m anthropic.Message) {
	for _, block := range m.Content {
		switch block.Type {
		case "text":
			r.Text += block.Text
		case "thinking":
			r.Reasoning += block.Thinking
		}
	}
	r.Finish = wire.Finish(string(m.StopReason))
}

// countAnthropic adds a usage. The input is the sum of the tokens that were read
// from the cache, those that were written to it, and the others.
func (r *reading) countAnthropic(fresh, written, cached int64, hasFresh, hasCached respjson.Field, out, thought *int64) {
	if hasFresh.Valid() {
		r.Usage.Prompt = number(fresh + written + cached)
	}
	if hasCached.Valid() {
		r.Usage.Cached = &cached
	}
	if out != nil {
		r.Usage.Completion = out
	}
	if thought != nil {
		r.Usage.Reasoning = thought
	}
}

// anthropicParams returns a question in the SDK's types.
func anthropicParams(q question) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: model, MaxTokens: int64(q.maxTokens)}
	for _, m := range q.prompt {
		var blocks []anthropic.ContentBlockParamUnion
		for _, part := range m.Content {
			switch {
			case m.Role == "system":
				p.System = append(p.System, anthropic.TextBlockParam{Text: part.Text})
			case part.Image == nil:
				blocks = append(blocks, anthropic.NewTextBlock(part.Text))
			default:
				blocks = append(blocks, anthropic.NewImageBlockBase64(part.Image.Media, base64.StdEncoding.EncodeToString(part.Image.Bytes)))
			}
		}
		switch m.Role {
		case "user":
			p.Messages = append(p.Messages, anthropic.NewUserMessage(blocks...))
		case "assistant":
			p.Messages = append(p.Messages, anthropic.NewAssistantMessage(blocks...))
		}
	}
	if q.params.Temperature != nil {
		p.Temperature = anthropic.Float(*q.params.Temperature)
	}
	if q.params.TopP != nil {
		p.TopP = anthropic.Float(*q.params.TopP)
	}
	p.OutputConfig.Effort = anthropic.OutputConfigEffort(q.params.Effort)
	if q.params.ReasoningBudget != nil {
		p.Thinking = anthropic.ThinkingConfigParamOfEnabled(*q.params.ReasoningBudget)
		p.Thinking.OfEnabled.Display = anthropic.ThinkingConfigEnabledDisplaySummarized
	}
	return p
}
