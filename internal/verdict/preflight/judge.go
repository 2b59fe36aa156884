package preflight

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/upstream"
)

// A contractJudge judges the replies so far on one contract. It returns a Line without its number.
type contractJudge struct {
	contract Contract
	judge    func(*Test) Line
}

// judges lists the contracts in the order of their numbers.
func judges() []contractJudge {
	return []contractJudge{
		{Greedy, (*Test).judgeGreedy},
		{TokenLimit, func(t *Test) Line { return t.confirm("limit", "limit-again", t.judgeLimit) }},
		{Stop, func(t *Test) Line { return t.confirm("stop", "stop-again", t.judgeStop) }},
		{Temperature, (*Test).judgeTemperature},
		{Seed, (*Test).judgeSeed},
		{System, (*Test).judgeSystem},
		{Streaming, (*Test).judgeStreaming},
		{Finish, (*Test).judgeFinish},
		{Usage, (*Test).judgeUsage},
		{Unicode, (*Test).judgeUnicode},
		{Context, (*Test).judgeContext},
		{Logprobs, (*Test).judgeLogprobs},
		{modelName, (*Test).judgeName},
		{Upstream, (*Test).judgeUpstream},
		{Reasoning, (*Test).judgeReasoning},
	}
}

// contracts lists the contracts in the order of their numbers, from 1.
func contracts() (list []Contract) {
	for _, j := range judges() {
		list = append(list, j.contract)
	}
	return list
}

// judge judges the replies so far on a contract.
func (t *Test) judge(c Contract) Line {
	list := judges()
	return list[slices.IndexFunc(list, func(j contractJudge) bool { return j.contract == c })].judge(t)
}

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

// judgeFinish wants the finish reason "length" of a reply that its token limit ended, in the calls of
// the token limit, and some reason of each reply.
func (t *Test) judgeFinish() Line {
	seen, none := map[string]int{}, 0
	for i := range t.replies {
		r := &t.replies[i]
		if r.state != replied {
			continue
		}
		if r.r.Finish == verbatim.FinishUnknown {
			none++
		}
		seen[finishOf(&r.r)]++
	}
	if len(seen) == 0 {
		return Line{State: Unanswered, Says: "no call has a reply"}
	}
	if _, got := t.call("limit"); got.state == replied {
		line := t.confirm("limit", "limit-again", func(c *Call, r *verbatim.Reply) Line {
			if isBegun(c, r) && !exceeds(c, r) && !reportsLimit(r) {
				return Line{State: Broken, Says: fmt.Sprintf("is %s for a reply that ends inside the answer, at its limit of %d tokens", finishOf(r), c.limit), Evidence: limitEvidence(r)}
			}
			return Line{State: Held}
		})
		if line.State != Held {
			return line
		}
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(seen)) {
		parts = append(parts, fmt.Sprintf("%s %d", reason, seen[reason]))
	}
	if none > 0 {
		return Line{State: Information, Says: fmt.Sprintf("no finish reason comes with %d of the replies", none), Evidence: parts}
	}
	return Line{State: Held, Says: "each reply has one", Evidence: parts}
}

// The bounds on the tokens of moreWords words.
const (
	minMoreTokens = moreWords / 2
	maxMoreTokens = 4 * moreWords
)

// judgeUsage wants plausible token counts.
func (t *Test) judgeUsage() Line {
	for i := range t.replies {
		if r := &t.replies[i]; r.state == replied && t.calls[i].Name != "choices" { // its text is one choice of two
			if bad := impossibleUsage(&r.r); bad != "" {
				return Line{State: Broken, Says: bad, Evidence: []string{quote(r.r.Text) + usageOf(&r.r)}}
			}
		}
	}
	short, missing := t.replyTo("usage-short")
	if missing != nil {
		return *missing
	}
	return t.confirm("usage-long", "usage-again", func(_ *Call, long *verbatim.Reply) Line {
		if short.Usage.Prompt == nil || long.Usage.Prompt == nil {
			return Line{State: NotOffered, Says: "the server reports no prompt tokens"}
		}
		more := *long.Usage.Prompt - *short.Usage.Prompt
		line := Line{State: Held, Says: fmt.Sprintf("%d words more are %d prompt tokens more%s", moreWords, more, t.saysChoices())}
		if more < minMoreTokens || more > maxMoreTokens {
			line.State, line.Says = Broken, fmt.Sprintf("reports %d prompt tokens more for %d words more", more, moreWords)
		}
		return line
	})
}

// saysChoices says what the usage counts of a reply with two choices, as a clause; "" if the reply
// does not show it. Each choice ends at the token limit. A server may send one choice only.
func (t *Test) saysChoices() string {
	c, got := t.call("choices")
	switch {
	case c == nil || got.state == open || got.state == lost:
		return ""
	case got.state == refused:
		return "; n: 2 is refused"
	}
	n, limit := got.r.Usage.Completion, int64(choiceLimit)
	switch {
	case n == nil || !reportsLimit(&got.r) || hasReasoning(&got.r):
		return ""
	case *n >= 2*limit:
		return "; n: 2 counts both choices"
	case *n <= limit:
		return "; n: 2 counts one choice only"
	}
	return ""
}

// impossibleUsage says which count of tokens is impossible for any tokenizer; "" if none is.
func impossibleUsage(r *verbatim.Reply) string {
	n := r.Usage.Completion
	switch size := int64(len(r.Text) + len(r.Reasoning)); {
	case n == nil || r.Usage.Reasoning != nil && *r.Usage.Reasoning > 0 && r.Reasoning == "":
		return "" // hidden reasoning counts, too
	case *n == 0 && strings.TrimSpace(r.Text) != "":
		return "a reply with text counts 0 completion tokens"
	case *n > size+4: // an end of the text and of the reasoning may count
		return "a reply counts more completion tokens than it has bytes"
	}
	return ""
}

// judgeUnicode wants no broken characters. A copy that is only wrong is the fault of the model.
func (t *Test) judgeUnicode() Line {
	judge := func(c *Call, r *verbatim.Reply) Line {
		if bad := brokenText(r.Text); bad != "" && brokenText(c.key) == "" {
			return Line{State: Broken, Says: "holds " + bad, Evidence: quoted(r.Text)}
		}
		switch {
		case strings.Contains(r.Text, c.key):
			return Line{State: Held, Says: "every character came back", Evidence: quoted(r.Text)}
		case !strings.ContainsFunc(r.Text, func(c rune) bool { return c > unicode.MaxASCII }):
			return Line{State: NotTestable, Says: "the model writes no character beyond ASCII", Evidence: quoted(r.Text)}
		}
		return Line{State: Held, Says: "no broken character came back, though the copy is not exact", Evidence: quoted(r.Text)}
	}
	line := t.confirm("unicode", "unicode-again", judge)
	if line.State != Held && line.State != NotTestable {
		return line
	}
	if c, _ := t.call("unicode-flipped"); c != nil {
		r, missing := t.replyTo("unicode-flipped")
		if missing != nil {
			return *missing
		}
		if flipped := judge(c, r); flipped.State == Broken {
			flipped.Says = "a reply " + flipped.Says + " where the other way of streaming has none"
			return flipped
		}
	}
	return line
}

// brokenText names the first sign that a text was decoded wrongly; "" if there is no sign.
func brokenText(text string) string {
	switch {
	case !utf8.ValidString(text):
		return "bytes that are not UTF-8"
	case strings.ContainsRune(text, utf8.RuneError):
		return "a replacement character (U+FFFD)"
	}
	for _, s := range []string{"Ã©", "Ã\u0083", "ðŸ", "â€", "æ¼¢"} { // UTF-8 read as Latin-1 or Windows-1252
		if strings.Contains(text, s) {
			return "UTF-8 that was read as another encoding"
		}
	}
	return ""
}

// judgeContext wants a prompt within the stated context to be read whole, or refused.
func (t *Test) judgeContext() Line {
	if c, _ := t.call("needle-long"); c == nil {
		return Line{State: NotTestable, Says: "the server does not say how long its context is; --context names it"}
	}
	short, missing := t.replyTo("needle-short")
	if missing != nil {
		return *missing
	}
	if c, _ := t.call("needle-short"); !strings.Contains(short.Text, c.key) {
		return Line{State: NotTestable, Says: "the model does not find a code in a short prompt", Evidence: quoted(short.Text)}
	}
	if _, got := t.call("needle-long"); got.state == refused {
		return Line{State: Held, Says: "a prompt of 80 % of the stated context is refused, so nothing is lost without notice", Evidence: []string{got.refusal}}
	}
	return t.confirm("needle-long", "needle-again", func(c *Call, r *verbatim.Reply) Line {
		sent := int64(len(strings.Fields(c.Item.Prompt[0].Content[0].Text)))
		switch n := r.Usage.Prompt; {
		case strings.Contains(r.Text, c.key):
			return Line{State: Held, Says: fmt.Sprintf("the beginning of a prompt of %d words is read", sent)}
		case n == nil || *n >= sent:
			return Line{State: NotTestable, Says: "the model does not find the code in a long prompt", Evidence: quoted(r.Text)}
		default:
			return Line{State: Broken, Says: fmt.Sprintf("was cut without notice: %d prompt tokens for %d words", *n, sent), Evidence: quoted(r.Text)}
		}
	})
}

// judgeLogprobs wants log probabilities that are possible, and says whether they are those before or
// after sampling: whether the temperature changes them.
func (t *Test) judgeLogprobs() Line {
	list, missing := t.repliesTo("tokens-1", "tokens-2")
	if missing != nil {
		return *missing
	}
	first, second := list[0].Tokens, list[1].Tokens
	if list[0].Text == "" || list[1].Text == "" {
		return Line{State: NotTestable, Says: "the model wrote nothing"}
	}
	if len(first) == 0 || len(second) == 0 || len(first[0].Top) == 0 || len(second[0].Top) == 0 {
		return Line{State: NotOffered, Says: "the parameter is accepted, but no list is returned"}
	}
	for _, token := range []verbatim.Token{first[0], second[0]} {
		sum, isAmong := 0.0, false
		lowest := 0.0
		for _, other := range token.Top {
			sum += math.Exp(other.Logprob)
			isAmong = isAmong || other.Text == token.Text
			lowest = min(lowest, other.Logprob)
		}
		evidence := []string{fmt.Sprintf("%s %.4f in a list of %d with the sum %.4f", quote(token.Text), token.Logprob, len(token.Top), sum)}
		switch {
		case sum > 1+1e-4:
			return Line{State: Broken, Says: "the probabilities at a position sum to more than 1", Evidence: evidence}
		case !isAmong && token.Logprob > lowest+1e-6:
			return Line{State: Broken, Says: "the chosen token is more probable than the list that it is not in", Evidence: evidence}
		}
	}
	says := fmt.Sprintf("%d alternatives, after sampling: the temperature changes them", len(first[0].Top))
	if sameList(first[0].Top, second[0].Top) {
		says = fmt.Sprintf("%d alternatives, before sampling: the temperature does not change them", len(first[0].Top))
	}
	return Line{State: Held, Says: says}
}

// sameList reports whether two lists have the same tokens with nearly the same numbers. A
// temperature of 0.1 moves them further.
func sameList(a, b []verbatim.Token) bool {
	return slices.EqualFunc(a, b, func(x, y verbatim.Token) bool {
		return x.Text == y.Text && !(math.Abs(x.Logprob-y.Logprob) > 0.5)
	})
}

// judgeName wants a model name that no server has to be refused.
func (t *Test) judgeName() Line {
	c, got := t.call("name")
	switch {
	case c == nil:
		return Line{State: NotTestable, Says: "the model is not chosen by name"}
	case got.state == replied:
		return Line{State: Information, Says: "any name is served: a name that no server has got an answer", Evidence: []string{"served as " + quote(got.r.ServedModel)}}
	case got.state == refused:
		return Line{State: Held, Says: "a name that no server has is refused", Evidence: []string{got.refusal}}
	}
	return Line{State: Held, Says: "a name that no server has got no answer"}
}

// judgeUpstream lists who served, if the replies say it, and which upstreams failed.
func (t *Test) judgeUpstream() Line {
	var names []string
	failed := upstream.Failures{}
	for i := range t.replies {
		r := &t.replies[i]
		failed.Merge(r.failed)
		if r.state != replied || t.calls[i].Way == renamed {
			continue
		}
		if name := t.served(i); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	l := Line{State: Information, Evidence: quoted(names...)}
	switch len(names) {
	case 0:
		l.Says = "the replies do not say who served them"
	case 1:
		l.Says = "all replies name the same server"
	default:
		l.Says = fmt.Sprintf("%d upstreams served: pin one before you compare", len(names))
	}
	if words := failed.Words(); len(words) > 0 {
		l.Says += "; failed upstreams: " + strings.Join(words, "; ")
	}
	return l
}

// served names what served a call: model, fingerprint, and what a router adds.
func (t *Test) served(i int) string {
	r := &t.replies[i].r
	names := []string{r.ServedModel, r.Fingerprint}
	if t.config.Upstream != nil {
		names = append(names, t.config.Upstream(r))
	}
	return strings.Join(slices.Compact(slices.DeleteFunc(names, func(s string) bool { return s == "" })), " ")
}

// judgeReasoning says what a low reasoning effort leads to.
func (t *Test) judgeReasoning() Line {
	r, missing := t.replyTo("effort")
	if missing != nil {
		return *missing
	}
	switch n := r.Usage.Reasoning; {
	case n != nil && *n > 0:
		return Line{State: Information, Says: fmt.Sprintf("%d reasoning tokens at a low effort", *n)}
	case r.Reasoning != "":
		return Line{State: Information, Says: fmt.Sprintf("%d bytes of reasoning at a low effort", len(r.Reasoning))}
	}
	return Line{State: Information, Says: "the parameter is accepted, and no reasoning shows"}
}

// mostEvidence is the number of characters of a text that are shown.
const mostEvidence = 160

// quote returns a text as evidence: quoted, and the beginning of a long one.
func quote(text string) string {
	if r := []rune(text); len(r) > mostEvidence {
		return strconv.Quote(string(r[:mostEvidence])) + "…"
	}
	return strconv.Quote(text)
}

// quoted quotes each of some texts.
func quoted(texts ...string) (out []string) {
	for _, text := range texts {
		out = append(out, quote(text))
	}
	return out
}

// finishOf is the finish reason of a reply as it is printed.
func finishOf(r *verbatim.Reply) string {
	switch {
	case r.FinishRaw == "completed":
		return r.FinishRaw
	case r.Finish == verbatim.FinishUnknown:
		return "none"
	}
	return string(r.Finish)
}

// usageOf is the number of completion tokens of a reply as it is printed; "" if it is not reported.
func usageOf(r *verbatim.Reply) string {
	if r.Usage.Completion == nil {
		return ""
	}
	return fmt.Sprintf(" · %d completion tokens", *r.Usage.Completion)
}
