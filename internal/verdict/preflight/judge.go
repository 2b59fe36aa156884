package preflight

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// suspected is the state of a contract that looks broken after one call. It is broken if the
// second call shows it too.
const suspected State = "suspected"

// judge returns what the replies so far show of a contract, without its number.
func (t *Test) judge(c Contract) Line {
	switch c {
	case Greedy:
		return t.judgeGreedy()
	case TokenLimit:
		return t.twice(TokenLimit, t.judgeLimit)
	case Stop:
		return t.twice(Stop, t.judgeStop)
	case Temperature:
		return t.judgeTemperature()
	case Seed:
		return t.judgeSeed()
	case System:
		return t.judgeSystem()
	case Streaming:
		return t.judgeStreaming()
	case Finish:
		return t.judgeFinish()
	case Usage:
		return t.judgeUsage()
	case Unicode:
		return t.judgeUnicode()
	case Context:
		return t.judgeContext()
	case Logprobs:
		return t.judgeLogprobs()
	case ModelName:
		return t.judgeName()
	case Upstream:
		return t.judgeUpstream()
	}
	return t.judgeReasoning()
}

// call returns the reply to the call of a name. A call that this endpoint does not get has no reply.
func (t *Test) call(name string) (*Call, *reply) {
	for i := range t.calls {
		if t.calls[i].Name == name {
			return &t.calls[i], &t.replies[i]
		}
	}
	return nil, &reply{state: open}
}

// replyTo returns the reply to a call. Without a reply, ok is false and the line says why.
func (t *Test) replyTo(name string) (r *verbatim.Reply, missing Line, ok bool) {
	c, got := t.call(name)
	switch {
	case c == nil:
		return nil, Line{State: NotTestable, Says: "this endpoint cannot be asked in that way"}, false
	case got.state == replied:
		return &got.r, Line{}, true
	case got.state == refused:
		return nil, Line{State: NotOffered, Says: "the request is refused", Evidence: []string{got.refusal}}, false
	}
	return nil, Line{State: Unanswered, Says: "a call has no reply"}, false
}

// repliesTo returns the replies to several calls, all or none.
func (t *Test) repliesTo(names ...string) (list []*verbatim.Reply, missing Line, ok bool) {
	for _, name := range names {
		r, missing, ok := t.replyTo(name)
		if !ok {
			return nil, missing, false
		}
		list = append(list, r)
	}
	return list, Line{}, true
}

// twice judges the calls of a contract with one call, and the second call if the first one
// looks broken.
func (t *Test) twice(c Contract, judge func(*Call, *verbatim.Reply) Line) Line {
	var names []string
	for i := range t.calls {
		if t.calls[i].Contract == c {
			names = append(names, t.calls[i].Name)
		}
	}
	return t.confirm(names[0], names[1], judge)
}

// confirm judges a call, and a second one if the first looks broken.
func (t *Test) confirm(first, second string, judge func(*Call, *verbatim.Reply) Line) Line {
	r, missing, ok := t.replyTo(first)
	if !ok {
		return missing
	}
	call, _ := t.call(first)
	line := judge(call, r)
	if line.State != Broken {
		return line
	}
	if r, missing, ok = t.replyTo(second); !ok {
		if missing.State == Unanswered {
			line.State = suspected
			return line
		}
		return missing
	}
	call, _ = t.call(second)
	again := judge(call, r)
	if again.State != Broken {
		return Line{State: NotTestable, Says: "one of two calls " + line.Says, Evidence: line.Evidence}
	}
	again.Evidence = append(line.Evidence, again.Evidence...)
	return again
}

func (t *Test) judgeGreedy() Line {
	list, missing, ok := t.repliesTo("greedy-1", "greedy-2", "greedy-3")
	if !ok {
		return missing
	}
	texts := distinct(list)
	if len(texts) == 1 {
		return Line{State: Information, Says: "the same text three times at temperature 0"}
	}
	return Line{State: Information, Says: fmt.Sprintf("%d texts of 3 at temperature 0", len(texts)), Evidence: quoted(texts...)}
}

// judgeLimit wants no more tokens than the limit, and the finish reason that says so.
func (t *Test) judgeLimit(c *Call, r *verbatim.Reply) Line {
	text, usage := strings.TrimSpace(r.Text), r.Usage.Completion
	tooMany := len(strings.Fields(text)) > c.limit && (usage == nil || *usage > int64(c.limit))
	begun := text != "" && strings.HasPrefix(c.Item.Want.Text, text) && text != c.Item.Want.Text
	line := Line{Evidence: []string{fmt.Sprintf("%s · finish %s%s", quote(r.Text), finishOf(r), usageOf(r))}}
	switch {
	case tooMany:
		line.State, line.Says = Broken, fmt.Sprintf("is longer than its limit of %d tokens", c.limit)
	case r.Finish == verbatim.FinishLength && r.FinishRaw != "completed": // which package wire corrects
		line.State, line.Says = Held, fmt.Sprintf("stopped at %d tokens, with the finish reason length", c.limit)
	case begun:
		line.State, line.Says = Broken, fmt.Sprintf("ends inside the answer at a limit of %d tokens, with the finish reason %s", c.limit, finishOf(r))
	default:
		line.State, line.Says = NotTestable, "the model wrote something else"
	}
	return line
}

// judgeStop wants the text to end before the stop sequence.
func (t *Test) judgeStop(c *Call, r *verbatim.Reply) Line {
	line := Line{Evidence: []string{"stop " + quote(c.key) + ": " + quote(r.Text)}}
	fields := strings.Fields(r.Text)
	before := strconv.Itoa(number(c.key) - 1)
	switch {
	case slices.Contains(fields, c.key):
		line.State, line.Says = Broken, "holds its stop sequence"
	case slices.Contains(fields, before):
		line.State, line.Says = Held, "the text ends before the stop sequence"
	default:
		line.State, line.Says = NotTestable, "the text never comes to the stop sequence"
	}
	return line
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// judgeTemperature wants the texts at a high temperature to differ: three that are all equal to
// the greedy one are impossible if the prompt is open.
func (t *Test) judgeTemperature() Line {
	hot, missing, ok := t.repliesTo("hot-1", "hot-2", "hot-3")
	if !ok {
		return missing
	}
	greedy, missing, ok := t.replyTo("greedy-1")
	if !ok {
		return missing
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
	return Line{State: Broken, Says: "three times the text of temperature 0 at a high temperature", Evidence: quoted(texts...)}
}

func (t *Test) judgeSeed() Line {
	list, missing, ok := t.repliesTo("seed-1", "seed-2")
	if !ok {
		return missing
	}
	if len(distinct(list)) == 1 {
		return Line{State: Information, Says: "the same text for the same seed"}
	}
	return Line{State: Information, Says: "another text for the same seed: a seed is a best effort", Evidence: quoted(list[0].Text, list[1].Text)}
}

// judgeSystem wants a demand of the system to be obeyed if the same demand of the user is.
func (t *Test) judgeSystem() Line {
	user, missing, ok := t.replyTo("user")
	if !ok {
		return missing
	}
	call, _ := t.call("user")
	if !obeys(call.key, user.Text) {
		return Line{State: NotTestable, Says: "the model does not obey the same demand of the user", Evidence: quoted(user.Text)}
	}
	return t.confirm("system", "system-again", func(c *Call, r *verbatim.Reply) Line {
		if obeys(c.key, r.Text) {
			return Line{State: Held, Says: "the system prompt is obeyed", Evidence: quoted(r.Text)}
		}
		return Line{State: Broken, Says: "does not obey the system prompt, though the same demand of the user is obeyed", Evidence: []string{"demanded " + quote(c.key) + ": " + quote(r.Text)}}
	})
}

func obeys(word, text string) bool { return strings.Contains(strings.ToUpper(text), word) }

// judgeStreaming wants the same text and the same usage streamed and in one piece.
func (t *Test) judgeStreaming() Line {
	plain, missing, ok := t.repliesTo("greedy-1", "greedy-2", "greedy-3")
	if !ok {
		return missing
	}
	if len(distinct(plain)) > 1 {
		return Line{State: NotTestable, Says: "the text varies by itself at temperature 0"}
	}
	return t.confirm("flipped", "flipped-again", func(_ *Call, r *verbatim.Reply) Line {
		switch a, b := plain[0].Usage.Prompt, r.Usage.Prompt; {
		case !sameText(plain[0], r):
			return Line{State: Broken, Says: "has another text streamed than in one piece", Evidence: quoted(plain[0].Text, r.Text)}
		case a != nil && b != nil && *a != *b:
			return Line{State: Broken, Says: "reports other prompt tokens streamed than in one piece", Evidence: []string{fmt.Sprintf("%d and %d", *a, *b)}}
		}
		return Line{State: Held, Says: "the same text streamed and in one piece"}
	})
}

// sameText reports whether two replies have the same text, as far as their token limits let
// them.
func sameText(a, b *verbatim.Reply) bool {
	switch {
	case a.Finish == verbatim.FinishLength && strings.HasPrefix(b.Text, a.Text):
		return true
	case b.Finish == verbatim.FinishLength && strings.HasPrefix(a.Text, b.Text):
		return true
	}
	return a.Text == b.Text
}

// judgeFinish looks at the finish reasons of all replies.
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
	var parts []string
	for reason, n := range seen {
		parts = append(parts, fmt.Sprintf("%s %d", reason, n))
	}
	slices.Sort(parts)
	if none > 0 {
		return Line{State: Information, Says: fmt.Sprintf("%d replies have no finish reason", none), Evidence: []string{strings.Join(parts, " · ")}}
	}
	return Line{State: Held, Says: "each reply has one", Evidence: []string{strings.Join(parts, " · ")}}
}

// The bounds on the tokens of moreWords words.
const (
	minMoreTokens = moreWords / 2
	maxMoreTokens = 4 * moreWords
)

// judgeUsage wants plausible token counts.
func (t *Test) judgeUsage() Line {
	for i := range t.replies {
		if r := &t.replies[i]; r.state == replied {
			if bad := impossibleUsage(&r.r); bad != "" {
				return Line{State: Broken, Says: bad, Evidence: []string{quote(r.r.Text) + usageOf(&r.r)}}
			}
		}
	}
	short, missing, ok := t.replyTo("usage-short")
	if !ok {
		return missing
	}
	return t.confirm("usage-long", "usage-again", func(_ *Call, long *verbatim.Reply) Line {
		if short.Usage.Prompt == nil || long.Usage.Prompt == nil {
			return Line{State: NotOffered, Says: "the server reports no prompt tokens"}
		}
		more := *long.Usage.Prompt - *short.Usage.Prompt
		line := Line{State: Held, Says: fmt.Sprintf("%d words more are %d prompt tokens more", moreWords, more)}
		if more < minMoreTokens || more > maxMoreTokens {
			line.State, line.Says = Broken, fmt.Sprintf("reports %d prompt tokens more for %d words more", more, moreWords)
		}
		return line
	})
}

// impossibleUsage says what no tokenizer can count; "" if there is nothing.
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

// judgeUnicode wants no broken characters. A wrong copy alone is the model's.
func (t *Test) judgeUnicode() Line {
	judge := func(c *Call, r *verbatim.Reply) Line {
		if bad := brokenText(r.Text); bad != "" && brokenText(c.key) == "" {
			return Line{State: Broken, Says: "holds " + bad, Evidence: quoted(r.Text)}
		}
		if strings.Contains(r.Text, c.key) {
			return Line{State: Held, Says: "every character came back", Evidence: quoted(r.Text)}
		}
		return Line{State: Held, Says: "no broken character came back, though the copy is not exact", Evidence: quoted(r.Text)}
	}
	line := t.confirm("unicode", "unicode-again", judge)
	if line.State != Held {
		return line
	}
	if c, _ := t.call("unicode-flipped"); c != nil {
		r, missing, ok := t.replyTo("unicode-flipped")
		if !ok {
			return missing
		}
		if flipped := judge(c, r); flipped.State == Broken {
			flipped.Says = "a reply " + flipped.Says + " where the other way of streaming has none"
			return flipped
		}
	}
	return line
}

// brokenText names the first sign of a text that was decoded wrongly; "" if there is nothing.
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
	short, missing, ok := t.replyTo("needle-short")
	if !ok {
		return missing
	}
	if c, _ := t.call("needle-short"); !strings.Contains(short.Text, c.key) {
		return Line{State: NotTestable, Says: "the model does not find a code in a short prompt", Evidence: quoted(short.Text)}
	}
	if _, got := t.call("needle-long"); got.state == refused {
		return Line{State: Held, Says: "a prompt of 80 % of the stated context is refused, which is no silent loss", Evidence: []string{got.refusal}}
	}
	return t.confirm("needle-long", "needle-again", func(c *Call, r *verbatim.Reply) Line {
		sent := int64(len(strings.Fields(c.Item.Prompt[0].Content[0].Text)))
		switch n := r.Usage.Prompt; {
		case strings.Contains(r.Text, c.key):
			return Line{State: Held, Says: fmt.Sprintf("the beginning of a prompt of %d words is read", sent)}
		case n == nil || *n >= sent:
			return Line{State: NotTestable, Says: "the model does not find the code in a long prompt", Evidence: quoted(r.Text)}
		default:
			return Line{State: Broken, Says: fmt.Sprintf("was cut without a word: %d prompt tokens for %d words", *n, sent), Evidence: quoted(r.Text)}
		}
	})
}

// judgeLogprobs says whether log probabilities are offered, and whether they are those before
// or after sampling.
func (t *Test) judgeLogprobs() Line {
	list, missing, ok := t.repliesTo("tokens-1", "tokens-2")
	if !ok {
		return missing
	}
	first, second := list[0].Tokens, list[1].Tokens
	if list[0].Text == "" || list[1].Text == "" {
		return Line{State: NotTestable, Says: "the model wrote nothing"}
	}
	if len(first) == 0 || len(second) == 0 || len(first[0].Top) == 0 || len(second[0].Top) == 0 {
		return Line{State: NotOffered, Says: "the parameter is accepted, and no list comes"}
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
			return Line{State: Broken, Says: "the probabilities of a place sum to more than 1", Evidence: evidence}
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

// sameList reports whether two lists have the same tokens with nearly the same numbers: less
// apart than a temperature of 0.1 moves them.
func sameList(a, b []verbatim.Token) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Text != b[i].Text || math.Abs(a[i].Logprob-b[i].Logprob) > 0.5 {
			return false
		}
	}
	return true
}

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

// judgeUpstream lists who served, as far as replies say it.
func (t *Test) judgeUpstream() Line {
	var names []string
	for i := range t.replies {
		r := &t.replies[i]
		if r.state != replied || t.calls[i].Way == Renamed {
			continue
		}
		if name := t.served(i); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch len(names) {
	case 0:
		return Line{State: Information, Says: "the replies do not say who served them"}
	case 1:
		return Line{State: Information, Says: "all replies name the same server", Evidence: quoted(names...)}
	}
	return Line{State: Information, Says: fmt.Sprintf("%d upstreams served: pin one before you compare", len(names)), Evidence: quoted(names...)}
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

func (t *Test) judgeReasoning() Line {
	r, missing, ok := t.replyTo("effort")
	if !ok {
		return missing
	}
	switch n := r.Usage.Reasoning; {
	case n != nil && *n > 0:
		return Line{State: Information, Says: fmt.Sprintf("%d reasoning tokens at a low effort", *n)}
	case r.Reasoning != "":
		return Line{State: Information, Says: fmt.Sprintf("%d bytes of reasoning at a low effort", len(r.Reasoning))}
	}
	return Line{State: Information, Says: "the parameter is accepted, and no reasoning shows"}
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

// mostEvidence is the number of characters of a text that are shown.
const mostEvidence = 160

// quote returns a text as evidence: quoted, and the beginning of a long one.
func quote(text string) string {
	if r := []rune(text); len(r) > mostEvidence {
		return strconv.Quote(string(r[:mostEvidence])) + "…"
	}
	return strconv.Quote(text)
}

func quoted(texts ...string) (out []string) {
	for _, text := range texts {
		out = append(out, quote(text))
	}
	return out
}

func finishOf(r *verbatim.Reply) string {
	if r.FinishRaw == "completed" {
		return r.FinishRaw
	}
	if r.Finish == verbatim.FinishUnknown {
		return "none"
	}
	return string(r.Finish)
}

func usageOf(r *verbatim.Reply) string {
	if r.Usage.Completion == nil {
		return ""
	}
	return fmt.Sprintf(" · %d completion tokens", *r.Usage.Completion)
}
