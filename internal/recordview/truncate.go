package recordview

import (
	"maps"
	"slices"

	"verbatim"
	"verbatim/internal/pylit"
)

// The bounds of a sample: bytes of texts, and numbers of elements.
const (
	maxAsked = 600 // bytes of the prompt, the expected answer, its source and the reasoning, each
	maxReply = 2000
	maxWord  = 300 // bytes of names, labels, details, facts and tokens
	maxFew   = 20  // facts, flags, attempts, tokens, edits
	maxDrawn = 400 // characters of an aligned text
	maxPairs = 24  // rows of aligned lists
)

// Truncate shortens the fields that may be long. It returns the names of the shortened fields, as
// in the JSON form.
func (s *View) Truncate() []string {
	var left []string
	note := func(field string, cut bool) {
		if cut && !slices.Contains(left, field) {
			left = append(left, field)
		}
	}
	word := func(field string, text *string) { note(field, shortenText(text, maxWord)) }
	word("item", &s.Item)
	word("run", &s.Run.Name)
	word("run", &s.Run.Model)
	note("facts", shortenFacts(&s.Facts))
	note("messages", shortenPrompt(&s.Prompt))
	note("want", shortenAnswer(&s.Want))
	if s.Source != nil {
		source := *s.Source
		note("source", shortenAnswer(&source))
		s.Source = &source
	}
	if v := s.Verdict; v != nil {
		word("verdict", &v.Label)
		word("verdict", &v.Detail)
		word("verdict", &v.Repair)
		word("verdict", &v.Grader)
		note("verdict", shortenList(&v.Flags))
	}
	if r := s.Reply; r != nil {
		note("reply.text", r.shorten(&r.text, &r.Text, &r.TextB64, maxReply))
		note("reply.reasoning", r.shorten(&r.reasoning, &r.Reasoning, &r.ReasoningB64, maxAsked))
		word("reply", &r.FinishRaw)
		word("reply", &r.ServedModel)
		word("reply", &r.RequestID)
		word("reply", &r.Fingerprint)
		note("reply", shortenFacts(&r.Limits))
		note("reply.tokens", shortenTokens(&r.Tokens))
	}
	if f := s.Failure; f != nil {
		word("failure", &f.Message)
		word("failure", &f.Hint)
		word("failure", &f.Who)
	}
	if len(s.Attempts) > maxFew {
		s.Attempts = slices.Clone(s.Attempts[:maxFew])
		note("attempts", true)
	}
	if s.Difference != nil {
		note("difference", s.Difference.shorten())
	}
	if s.Departure != nil {
		note("departure", s.Departure.shorten())
	}
	return left
}

// The functions below shorten a value if it is long, and report whether they did.

func shortenText(text *string, size int) bool {
	if len(*text) <= size {
		return false
	}
	*text = firstPart(*text, size)
	return true
}

func shortenList(list *[]string) bool {
	cut := len(*list) > maxFew
	short := slices.Clone((*list)[:min(len(*list), maxFew)])
	for i := range short {
		cut = shortenText(&short[i], maxWord) || cut
	}
	*list = short
	return cut
}

// shortenTokens shortens tokens and their alternatives.
func shortenTokens(tokens *[]verbatim.Token) bool {
	cut := len(*tokens) > maxFew
	short := slices.Clone((*tokens)[:min(len(*tokens), maxFew)])
	for i := range short {
		cut = shortenText(&short[i].Text, maxWord) || cut
		cut = shortenTokens(&short[i].Top) || cut
	}
	*tokens = short
	return cut
}

// shorten keeps the first alternatives.
func (d *Departure) shorten() bool {
	cut := len(d.Alternatives) > maxFew
	d.Alternatives = slices.Clone(d.Alternatives[:min(len(d.Alternatives), maxFew)])
	for i := range d.Alternatives {
		cut = shortenText(&d.Alternatives[i].Text, maxWord) || cut
	}
	return shortenText(&d.Token.Text, maxWord) || cut
}

// shortenFacts keeps the first facts by name.
func shortenFacts(facts *map[string]string) bool {
	if *facts == nil {
		return false
	}
	names := slices.Sorted(maps.Keys(*facts))
	cut := len(names) > maxFew
	short := make(map[string]string)
	for _, name := range names[:min(len(names), maxFew)] {
		value := (*facts)[name]
		cut = shortenText(&name, maxWord) || cut
		cut = shortenText(&value, maxWord) || cut
		short[name] = value
	}
	*facts = short
	return cut
}

// shortenPrompt keeps the start of a prompt, and of images their names and thumbnails.
func shortenPrompt(p *verbatim.Prompt) bool {
	var short verbatim.Prompt
	room, cut := maxAsked, false
	for _, m := range *p {
		if room <= 0 || len(short) == maxFew {
			*p = short
			return true
		}
		message := verbatim.Message{Role: firstPart(m.Role, maxWord)}
		for _, part := range m.Content {
			if room <= 0 || len(message.Content) == maxFew {
				cut = true
				break
			}
			if part.Image != nil {
				part.Image, cut = thumbnailOf(part.Image), true
			}
			cut = shortenText(&part.Text, room) || cut
			room -= len(part.Text)
			message.Content = append(message.Content, part)
		}
		short = append(short, message)
	}
	*p = short
	return cut
}

// thumbnailOf returns the image with the bytes of a thumbnail, or without bytes.
func thumbnailOf(m *verbatim.Image) *verbatim.Image {
	small := &verbatim.Image{Path: firstPart(m.Path, maxWord), Media: firstPart(m.Media, maxWord), Bytes: Thumbnail(m, ThumbnailSide)}
	if small.Bytes != nil {
		small.Media = "image/png"
	}
	return small
}

// shortenAnswer keeps the start of a text, or the first items of a list.
func shortenAnswer(a *verbatim.Answer) bool {
	if !a.IsList() {
		return shortenText(&a.Text, maxAsked)
	}
	room := maxAsked
	for i, item := range a.List {
		// Only strings are long. A long one is not formatted, because that takes time.
		text, isText := item.(string)
		if isText && len(text) > room {
			room = -1
		} else {
			room -= len(pylit.Format(item)) + 2
		}
		if room >= 0 && i < maxAsked {
			continue
		}
		a.List = slices.Clone(a.List[:i])
		if i == 0 && isText {
			a.List = []any{firstPart(text, maxAsked)}
		}
		return true
	}
	return false
}

// shorten keeps the start of a text of the reply, and sets the field that holds it: plain, or b64.
func (r *Reply) shorten(text *string, plain **string, b64 *string, size int) bool {
	if !shortenText(text, size) {
		return false
	}
	*plain, *b64 = textOrBytes(*text)
	return true
}

// shorten keeps the first differences.
func (d *Difference) shorten() bool {
	cut := false
	if len(d.Edits) > maxFew {
		d.Edits, cut = slices.Clone(d.Edits[:maxFew]), true
	}
	for i := range d.Edits {
		cut = shortenText(&d.Edits[i].Want, maxWord) || cut
		cut = shortenText(&d.Edits[i].Reply, maxWord) || cut
	}
	if len(d.chars) > maxDrawn {
		d.chars = append(slices.Clone(d.chars[:maxDrawn]), charPair{op: leftOut, want: "…and more…"})
		cut = true
	}
	if len(d.items) > maxPairs {
		d.items = append(slices.Clone(d.items[:maxPairs]), itemRow{op: leftOut, wantAt: -1, replyAt: -1, note: "and more"})
		cut = true
	}
	cut = shortenText(&d.want, maxAsked) || cut
	return shortenText(&d.reply, maxAsked) || cut
}

// Size estimates the number of bytes of a shortened sample on a page, where a row or a character of
// a difference takes more than its letters.
func (s *View) Size() int {
	n := 500 + len(s.Item) + len(AnswerText(s.Want))
	for _, m := range s.Prompt {
		for _, part := range m.Content {
			n += len(part.Text)
		}
	}
	if r := s.Reply; r != nil {
		n += len(r.text) + len(r.reasoning) + tokensSize(r.Tokens)
	}
	if d := s.Difference; d != nil {
		n += 12*len(d.chars) + 150*len(d.items) + len(d.want) + len(d.reply)
		for _, r := range d.items {
			n += len(r.want) + len(r.reply) + len(r.note)
		}
		for i := range d.Edits {
			n += len(d.Edits[i].Want) + len(d.Edits[i].Reply)
		}
	}
	return n
}

// tokensSize returns the bytes of the texts of tokens and their alternatives.
func tokensSize(tokens []verbatim.Token) (n int) {
	for _, t := range tokens {
		n += len(t.Text) + tokensSize(t.Top)
	}
	return n
}
