package wire

import (
	"encoding/base64"
	"errors"
	"fmt"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/rawjson"
)

// bodyMessages returns the JSON array of the messages of a prompt, from the message with the
// index from on. appendMessage appends one to dst. Errors name the number of the message,
// which counts from 1 and from the beginning of the prompt.
func bodyMessages(prompt verbatim.Prompt, from int, appendMessage func(dst []byte, m verbatim.Message) ([]byte, error)) ([]byte, error) {
	if len(prompt) == 0 {
		return nil, errors.New("the prompt is empty")
	}
	b := append(make([]byte, 0, roomFor(prompt[from:])), '[')
	for i, m := range prompt[from:] {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendMessage(b, m); err == nil {
			err = checkParts(m.Content)
		}
		if err != nil {
			return nil, fmt.Errorf("message %d of the prompt: %w", from+i+1, err)
		}
	}
	return append(b, ']'), nil
}

// roomFor returns about the number of bytes that messages take, without escapes.
func roomFor(messages verbatim.Prompt) int {
	n := 2
	for _, m := range messages {
		n += 48
		for _, p := range m.Content {
			n += len(p.Text) + 32
			if p.Image != nil {
				n += base64.StdEncoding.EncodedLen(len(p.Image.Bytes)) + 64
			}
		}
	}
	return n
}

// checkParts refuses parts that cannot be sent as they are.
func checkParts(parts []verbatim.Part) error {
	for _, p := range parts {
		switch {
		case p.Image == nil && !utf8.ValidString(p.Text):
			return errors.New("the text is not valid UTF-8 and cannot be sent unchanged")
		case p.Image != nil && (len(p.Image.Bytes) == 0 || p.Image.Media == ""):
			return errors.New("an image has no bytes or no media type")
		}
	}
	return nil
}

// systemParts returns the parts of the system messages that a prompt begins with, and the number
// of these messages. It is for protocols that have one place for them, before all others. A
// later system message is refused, because moving it would change the prompt. So are images
// in system messages, and a prompt without other messages.
func systemParts(prompt verbatim.Prompt) (parts []verbatim.Part, n int, err error) {
	for n < len(prompt) && prompt[n].Role == "system" {
		for _, p := range prompt[n].Content {
			if p.Image != nil {
				return nil, 0, fmt.Errorf("message %d of the prompt: a system message holds only text in this protocol", n+1)
			}
			parts = append(parts, p)
		}
		if err := checkParts(prompt[n].Content); err != nil {
			return nil, 0, fmt.Errorf("message %d of the prompt: %w", n+1, err)
		}
		n++
	}
	for i, m := range prompt[n:] {
		if m.Role == "system" {
			return nil, 0, fmt.Errorf("message %d of the prompt: this protocol has a place for system messages only before all others", n+i+1)
		}
	}
	if n > 0 && n == len(prompt) {
		return nil, 0, errors.New("the prompt has only system messages: this protocol requires a user message")
	}
	return parts, n, nil
}

// appendMessage appends a message as {"role": …, "content": …}; appendPart is as in
// appendContent.
func appendMessage(dst []byte, m verbatim.Message, appendPart func(dst []byte, p verbatim.Part) []byte) []byte {
	dst = rawjson.AppendString(append(dst, `{"role":`...), m.Role)
	dst = append(dst, `,"content":`...)
	return append(appendContent(dst, m.Content, appendPart), '}')
}

// appendContent appends the content of a message: a single text as a string, which every
// server reads, anything else as an array of parts. appendPart appends one part.
func appendContent(dst []byte, parts []verbatim.Part, appendPart func(dst []byte, p verbatim.Part) []byte) []byte {
	switch {
	case len(parts) == 0:
		return append(dst, `""`...)
	case len(parts) == 1 && parts[0].Image == nil:
		return rawjson.AppendString(dst, parts[0].Text)
	}
	return appendParts(dst, parts, appendPart)
}

// appendParts appends an array of parts. appendPart appends one part.
func appendParts(dst []byte, parts []verbatim.Part, appendPart func(dst []byte, p verbatim.Part) []byte) []byte {
	dst = append(dst, '[')
	for i, p := range parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendPart(dst, p)
	}
	return append(dst, ']')
}

// appendBase64 appends an image as a JSON string: its bytes in base64.
func appendBase64(dst []byte, im *verbatim.Image) []byte {
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), im.Bytes), '"')
}

// appendDataURI appends an image as a JSON string: a data URI.
func appendDataURI(dst []byte, im *verbatim.Image) []byte {
	dst = rawjson.AppendString(dst, "data:"+im.Media+";base64,")
	return append(base64.StdEncoding.AppendEncode(dst[:len(dst)-1], im.Bytes), '"')
}
