package nano

import (
	"strings"

	"verbatim"
)

// A sequence is the input of the network: tokens with their places.
type sequence struct {
	vocabulary vocabulary
	tokens     []token
	places     []place
	// count is the number of tokens. Those beyond the Context are counted only: the sequence is too
	// long to be read, and a prompt may be of any size.
	count int
}

// sequence returns the sequence of a prompt, up to the token that begins the answer. It leaves out
// images. An unknown role counts as the user's.
func (n *Network) sequence(p verbatim.Prompt) *sequence {
	s := &sequence{vocabulary: n.vocabulary}
	for _, m := range p {
		content := textOf(m)
		switch m.Role {
		case "system":
			s.add(systemToken, place{})
			s.instruction(content)
		case "assistant":
			s.add(assistantToken, place{})
			s.answer(content)
			s.add(endToken, place{})
		default:
			s.add(userToken, place{})
			s.question(content)
		}
	}
	s.add(assistantToken, place{})
	return s
}

// textOf joins the texts of a message.
func textOf(m verbatim.Message) string {
	if len(m.Content) == 1 {
		return m.Content[0].Text
	}
	var b strings.Builder
	for _, part := range m.Content {
		b.WriteString(part.Text)
	}
	return b.String()
}

func (s *sequence) add(t token, at place) {
	if s.count++; s.count <= Context {
		s.tokens, s.places = append(s.tokens, t), append(s.places, at)
	}
}

// instruction adds the phrases and words of an instruction.
func (s *sequence) instruction(content string) {
	for len(content) > 0 {
		t, size, ok := s.vocabulary.instruction(content)
		if ok {
			s.add(t, place{})
		}
		content = content[size:]
	}
}

// question adds the message of a user: the instruction, from before and after the content, and then
// the content.
func (s *sequence) question(content string) {
	q := divide(content)
	s.instruction(q.before)
	s.instruction(q.after)
	switch a, b, isSum := addends(q); {
	case isSum:
		s.text(a, 0)
		s.text(b, 1)
	case q.mark == '[':
		s.list(q.input)
	default:
		s.text(q.input, 0)
	}
}

// text adds a text, or a number of a sum, as the field with a number.
func (s *sequence) text(content string, field int32) {
	rest := int32(min(len(content), Context)) + 1
	s.add(textToken, place{field: field, rest: rest})
	for i := range len(content) {
		s.add(token(content[i]), place{index: int32(i + 1), field: field, rest: rest - int32(i+1)})
	}
}

// list adds a list.
func (s *sequence) list(content string) {
	s.add(listToken, place{rest: 1})
	start := len(s.tokens)
	s.marked(content)
	setRests(s.tokens[start:], s.places[start:])
}

// answer adds an earlier answer of the assistant.
func (s *sequence) answer(content string) {
	if strings.HasPrefix(content, "[") {
		s.marked(content)
		return
	}
	for i := range len(content) {
		s.add(token(content[i]), place{index: int32(i + 1)})
	}
}

// marked adds the marks and bytes of a list.
func (s *sequence) marked(content string) {
	var c counter
	for len(content) > 0 {
		t, size := listed(content)
		s.add(t, c.next(t))
		content = content[size:]
	}
}

// A question is the message of a user in three parts. input is the content.
type question struct {
	before, input, after string
	mark                 byte // the mark before the content: '"', '[', or ':' without either
}

// divide finds the content of a message: the text between quotation marks or brackets, whichever come
// first, otherwise the text after the last colon.
func divide(content string) question {
	start := strings.IndexAny(content, `"[`)
	if start < 0 {
		if start = strings.LastIndex(content, ": "); start < 0 {
			return question{before: content, mark: ':'}
		}
		start += len(": ")
		return question{before: content[:start], input: content[start:], mark: ':'}
	}
	q := question{before: content[:start], mark: content[start]}
	if q.mark == '[' {
		stop := len(content)
		if last := strings.LastIndexByte(content, ']'); last > start {
			stop = last + 1
		}
		q.input, q.after = content[start:stop], content[stop:]
		return q
	}
	q.input = content[start+1:]
	if last := strings.LastIndexByte(q.input, '"'); last >= 0 {
		q.input, q.after = q.input[:last], q.input[last+1:]
	}
	return q
}

// addends returns the two numbers of a sum, such as "1" "-2". ok is false for other content.
func addends(q question) (a, b string, ok bool) {
	if q.mark != '"' {
		return "", "", false
	}
	a, b, ok = strings.Cut(q.input, `" "`)
	return a, b, ok && isInteger(a) && isInteger(b)
}

func isInteger(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}
