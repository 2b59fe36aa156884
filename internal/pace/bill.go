package pace

import "verbatim"

// bytesPerToken is above the mean size of a token in any text and any tokenizer in use. A server
// that reports fewer tokens than that implies has not counted.
const bytesPerToken = 32

// bill sets Reply.Cost and Reply.Claimed. The cost is the larger of the server's claim and of its
// token counts at the known price. If the token counts are not credible, the cost is unknown, and
// bill returns its maximum. Without a price the claim is the cost.
func bill(price *verbatim.Price, q verbatim.Request, reply *verbatim.Reply) (maxCost *verbatim.Money) {
	if price == nil {
		return nil
	}
	claimed := reply.Cost
	q.MaxTokens = max(q.MaxTokens, len(reply.Text)+len(reply.Reasoning))
	bound := min(Reservation(*price, q), verbatim.MaxMoney)
	own := Cost(*price, reply.Usage)
	switch {
	case bound > 0 && (own == nil || !credible(reply, q.Prompt)):
		reply.Cost, reply.Claimed = nil, claimed
		if claimed != nil {
			bound = max(bound, *claimed)
		}
		return &bound
	case own != nil && (claimed == nil || *claimed < *own):
		reply.Cost, reply.Claimed = new(min(*own, verbatim.MaxMoney)), claimed
	}
	return nil
}

// credible reports whether the token counts of a reply can be those of its prompt and
// its text.
func credible(reply *verbatim.Reply, prompt verbatim.Prompt) bool {
	u := reply.Usage
	if u.Prompt == nil || u.Completion == nil {
		return false
	}
	sent, images := 0, false
	for _, m := range prompt {
		for _, part := range m.Content {
			sent += len(part.Text)
			images = images || part.Image != nil
		}
	}
	return plausible(*u.Prompt, sent) && plausible(output(u), len(reply.Text)+len(reply.Reasoning)) && (!images || *u.Prompt > 0)
}

// plausible reports whether a text of that many bytes can have that many tokens.
func plausible(tokens int64, bytes int) bool {
	return tokens >= 0 && tokens <= maxTokens && tokens*bytesPerToken >= int64(bytes)
}
