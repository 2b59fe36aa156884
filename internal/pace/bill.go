package pace

import "verbatim"

// bytesPerToken is more text than a token holds on average, in any text and any
// tokenizer in use. A server that reports fewer tokens has not counted.
const bytesPerToken = 32

// bill fills Reply.Cost and Reply.Claimed. The server's claim counts where it is more
// than what its own token counts cost at the known price, and never where it is less.
// Where the token counts are not credible the cost is not known: bill then returns the
// most that it may have been, nil without a price.
func bill(price *verbatim.Price, q verbatim.Request, reply *verbatim.Reply) *verbatim.Money {
	if price == nil {
		return nil // the claim is all there is
	}
	claimed := reply.Cost
	q.MaxTokens = max(q.MaxTokens, len(reply.Text)+len(reply.Reasoning))
	most := min(Reservation(*price, q), verbatim.MaxMoney)
	own := Cost(*price, reply.Usage)
	if most > 0 && (own == nil || !credible(reply, q.Prompt)) {
		reply.Cost, reply.Claimed = nil, claimed
		if claimed != nil {
			most = max(most, *claimed)
		}
		return &most
	}
	switch {
	case own == nil: // and the price is nothing
		return nil
	case claimed == nil || *claimed < *own:
		cost := min(*own, verbatim.MaxMoney)
		reply.Cost, reply.Claimed = &cost, claimed
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

// plausible reports whether a text of so many bytes can have so many tokens.
func plausible(tokens int64, bytes int) bool {
	return tokens >= 0 && tokens <= mostTokens && tokens*bytesPerToken >= int64(bytes)
}
