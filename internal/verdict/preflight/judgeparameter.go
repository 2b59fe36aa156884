package preflight

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"verbatim"
)

// judgeGreedy says whether the same prompt gets the same text at temperature 0.
func (t *Test) judgeGreedy() Line {
	list, missing := t.repliesTo("greedy-1", "greedy-2", "greedy-3")
	if missing != nil {
		return *missing
	}
	texts := distinct(list)
	if len(texts) == 1 {
		return Line{State: Information, Says: "the same text three times at temperature 0"}
	}
	return Line{State: Information, Says: fmt.Sprintf("%d texts of 3 at temperature 0", len(texts)), Evidence: quoted(texts...)}
}

// judgeLimit wants no more tokens than the limit.
func (t *Test) judgeLimit(c *Call, r *verbatim.Reply) Line {
	line := Line{Evidence: limitEvidence(r)}
	switch {
	case exceeds(c, r):
		line.State, line.Says = Broken, fmt.Sprintf("is longer than its limit of %d tokens", c.limit)
	case reportsLimit(r) || isBegun(c, r):
		line.State, line.Says = Held, fmt.Sprintf("the reply ends at %d tokens", c.limit)
	default:
		line.State, line.Says = NotTestable, "the model wrote something else"
	}
	return line
}

// limitEvidence shows how a reply ended.
func limitEvidence(r *verbatim.Reply) []string {
	return []string{fmt.Sprintf("%s · finish %s%s", quote(r.Text), finishOf(r), usageOf(r))}
}

// exceeds reports whether a reply is longer than its limit, by its text and by its usage.
func exceeds(c *Call, r *verbatim.Reply) bool {
	usage := r.Usage.Completion
	return len(strings.Fields(r.Text)) > c.limit && (usage == nil || *usage > int64(c.limit))
}

// isBegun reports whether a reply ends inside the expected answer.
func isBegun(c *Call, r *verbatim.Reply) bool {
	text := strings.TrimSpace(r.Text)
	return text != "" && strings.HasPrefix(c.Item.Want.Text, text) && text != c.Item.Want.Text
}

// reportsLimit reports whether the server itself says that the token limit ended a reply.
func reportsLimit(r *verbatim.Reply) bool {
	return r.Finish == verbatim.FinishLength && r.FinishRaw != "completed" // package wire corrects "completed"
}

// judgeStop wants the text to end before the stop sequence.
func (t *Test) judgeStop(c *Call, r *verbatim.Reply) Line {
	line := Line{Evidence: []string{"stop " + quote(c.key) + ": " + quote(r.Text)}}
	fields := strings.FieldsFunc(r.Text, func(c rune) bool { return !unicode.IsDigit(c) }) // whatever separates the numbers
	before := ""
	if stop, err := strconv.Atoi(c.key); err == nil {
		before = strconv.Itoa(stop - 1)
	}
	switch {
	case slices.Contains(fields, c.key):
		line.State, line.Says = Broken, "holds its stop sequence"
	case slices.Contains(fields, before):
		line.State, line.Says = Held, "the text ends before the stop sequence"
	default:
		line.State, line.Says = NotTestable, "the text never reaches the stop sequence"
	}
	return line
}

// judgeTemperature wants the texts at a high temperature to differ. The prompt is open, so that
// three texts equal to the one at temperature 0 are as good as impossible.
func (t *Test) judgeTemperature() Line {
	hot, missing := t.repliesTo("hot-1", "hot-2", "hot-3")
	if missing != nil {
		return *missing
	}
	greedy, missing := t.replyTo("greedy-1")
	if missing != nil {
		return *missing
	}
	texts := distinct(hot)
	switch {
	case len(texts) > 1:
		return Line{State: Held, Says: fmt.Sprintf("%d texts of 3 at a high temperature", len(texts)), Evidence: quoted(texts[:2]...)}
	case !sameText(hot[0], greedy):
		return Line{State: NotTestable, Says: "one text three times at a high temperature, and another at temperature 0", Evidence: quoted(texts[0], greedy.Text)}
	case len(strings.Fields(texts[0])) < 5:
		return Line{State: NotTestable, Says: "the model wrote too little to show it", Evidence: quoted(texts...)}
	}
	return Line{State: Broken, Says: "the text of temperature 0 three times at a high temperature", Evidence: quoted(texts...)}
}

// judgeSeed says whether the same seed gets the same text.
func (t *Test) judgeSeed() Line {
	list, missing := t.repliesTo("seed-1", "seed-2")
	if missing != nil {
		return *missing
	}
	if len(distinct(list)) == 1 {
		return Line{State: Information, Says: "the same text for the same seed"}
	}
	return Line{State: Information, Says: "another text for the same seed: a seed is a best effort", Evidence: quoted(list[0].Text, list[1].Text)}
}

// judgeSystem wants a demand of the system to be obeyed if the same demand of the user is.
func (t *Test) judgeSystem() Line {
	user, missing := t.replyTo("user")
	if missing != nil {
		return *missing
	}
	call, _ := t.call("user")
	if !obeys(call.key, user.Text) {
		return Line{State: NotTestable, Says: "the model does not obey the same instruction from the user", Evidence: quoted(user.Text)}
	}
	return t.confirm("system", "system-again", func(c *Call, r *verbatim.Reply) Line {
		if obeys(c.key, r.Text) {
			return Line{State: Held, Says: "the system prompt is obeyed", Evidence: quoted(r.Text)}
		}
		return Line{State: Broken, Says: "does not obey the system prompt, though it obeys the same instruction from the user", Evidence: []string{"demanded " + quote(c.key) + ": " + quote(r.Text)}}
	})
}

// obeys reports whether a text has the demanded word.
func obeys(word, text string) bool { return strings.Contains(strings.ToUpper(text), word) }

// judgeStreaming wants the same text and the same usage streamed and in one piece.
func (t *Test) judgeStreaming() Line {
	plain, missing := t.repliesTo("greedy-1", "greedy-2", "greedy-3")
	if missing != nil {
		return *missing
	}
	if len(distinct(plain)) > 1 {
		return Line{State: NotTestable, Says: "the text varies by itself at temperature 0"}
	}
	if strings.TrimSpace(plain[0].Text) == "" {
		return Line{State: NotTestable, Says: "the model wrote nothing"}
	}
	// The first call leaves room for reasoning and may be ended by the client, before its usage.
	usual := plain[len(plain)-1]
	return t.confirm("flipped", "flipped-again", func(_ *Call, r *verbatim.Reply) Line {
		switch a, b := usual.Usage.Prompt, r.Usage.Prompt; {
		case !sameText(usual, r):
			return Line{State: Broken, Says: "has another text streamed than in one piece", Evidence: quoted(usual.Text, r.Text)}
		case a != nil && b != nil && *a != *b:
			return Line{State: Broken, Says: "reports other prompt tokens streamed than in one piece", Evidence: []string{fmt.Sprintf("%d and %d", *a, *b)}}
		case otherCompletion(usual, r):
			return Line{State: Broken, Says: "reports other completion tokens streamed than in one piece, for the same text",
				Evidence: []string{fmt.Sprintf("%d and %d for %s", *usual.Usage.Completion, *r.Usage.Completion, quote(r.Text))}}
		}
		return Line{State: Held, Says: "the same text streamed and in one piece"}
	})
}

// otherCompletion reports whether two replies without reasoning count different completion tokens for
// one text that ended in the same way. Reasoning can vary while the text does not.
func otherCompletion(a, b *verbatim.Reply) bool {
	for _, r := range []*verbatim.Reply{a, b} {
		if r.Usage.Completion == nil || hasReasoning(r) {
			return false
		}
	}
	return a.Text == b.Text && a.Finish == b.Finish && *a.Usage.Completion != *b.Usage.Completion
}

// sameText reports whether two replies have the same text, or one is the beginning of the other and
// ended at its token limit.
func sameText(a, b *verbatim.Reply) bool {
	switch {
	case a.Finish == verbatim.FinishLength && strings.HasPrefix(b.Text, a.Text):
		return true
	case b.Finish == verbatim.FinishLength && strings.HasPrefix(a.Text, b.Text):
		return true
	}
	return a.Text == b.Text
}

// distinct returns the different texts of replies, in their order.
func distinct(list []*verbatim.Reply) (texts []string) {
	for i, r := range list {
		if !slices.ContainsFunc(list[:i], func(other *verbatim.Reply) bool { return sameText(other, r) }) {
			texts = append(texts, r.Text)
		}
	}
	return texts
}
