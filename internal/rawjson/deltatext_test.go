//go:build goexperiment.jsonv2

package rawjson

import (
	"bytes"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"errors"
	"io"
	"strings"
	"testing"
)

// A textReader reads events with a jsontext.Decoder, which it uses again for each.
type textReader struct {
	source  bytes.Reader
	decoder *jsontext.Decoder
}

func (r *textReader) append(dst, event []byte) ([]byte, bool) {
	r.source.Reset(event)
	if r.decoder == nil {
		r.decoder = jsontext.NewDecoder(&r.source)
	} else {
		r.decoder.Reset(&r.source)
	}
	var ok bool
	if dst, ok = r.object(dst, []string{"choices", "delta", "content"}); !ok {
		return dst, false
	}
	_, err := r.decoder.ReadToken()
	return dst, errors.Is(err, io.EOF)
}

// object walks an object for the member with the first name, and goes down for the others.
func (r *textReader) object(dst []byte, names []string) ([]byte, bool) {
	if t, err := r.decoder.ReadToken(); err != nil || t.Kind() != '{' {
		return dst, false
	}
	for r.decoder.PeekKind() != '}' {
		name, err := r.decoder.ReadToken()
		if err != nil {
			return dst, false
		}
		found := name.String() == names[0]
		switch kind := r.decoder.PeekKind(); {
		case found && len(names) == 1 && kind == '"':
			raw, err := r.decoder.ReadValue()
			if err != nil {
				return dst, false
			}
			if dst, err = jsontext.AppendUnquote(dst, raw); err != nil {
				return dst, false
			}
		case found && len(names) > 1 && kind == '{':
			var ok bool
			if dst, ok = r.object(dst, names[1:]); !ok {
				return dst, false
			}
		case found && len(names) > 1 && kind == '[':
			if _, err := r.decoder.ReadToken(); err != nil {
				return dst, false
			}
			for r.decoder.PeekKind() != ']' {
				var ok bool
				if dst, ok = r.object(dst, names[1:]); !ok {
					return dst, false
				}
			}
			if _, err := r.decoder.ReadToken(); err != nil {
				return dst, false
			}
		default:
			if err := r.decoder.SkipValue(); err != nil {
				return dst, false
			}
		}
	}
	_, err := r.decoder.ReadToken()
	return dst, err == nil
}

func appendDecodedV2(dst, event []byte) ([]byte, bool) {
	var c chunk
	if jsonv2.Unmarshal(event, &c) != nil {
		return dst, false
	}
	for i := range c.Choices {
		dst = append(dst, c.Choices[i].Delta.Content...)
	}
	return dst, true
}

// BenchmarkDeltaText measures jsontext at the work of BenchmarkDelta.
func BenchmarkDeltaText(b *testing.B) {
	benchmarkDelta(b, "jsontext", new(textReader).append)
	benchmarkDelta(b, "encoding-json-v2", appendDecodedV2)
}

// TestUnquote shows what jsontext does with texts that are not Unicode, which is the
// reason for this package: it replaces them, or returns an error.
func TestUnquote(t *testing.T) {
	for _, c := range []struct{ raw, ours string }{
		{`"a\ud83d"`, "a\xed\xa0\xbd"},
		{"\"a\xff\"", "a\xff"},
	} {
		ours, ok := AppendText(nil, []byte(c.raw))
		if !ok || string(ours) != c.ours {
			t.Errorf("%q: %q, %v", c.raw, ours, ok)
		}
		theirs, err := jsontext.AppendUnquote(nil, c.raw)
		if err == nil || string(theirs) != "a\ufffd" {
			t.Errorf("%q: jsontext returns %q, %v", c.raw, theirs, err)
		}
		d := jsontext.NewDecoder(strings.NewReader(c.raw))
		if _, err := d.ReadValue(); err == nil {
			t.Errorf("%q: jsontext reads it", c.raw)
		}
		d = jsontext.NewDecoder(strings.NewReader(c.raw), jsontext.AllowInvalidUTF8(true))
		if token, err := d.ReadToken(); err != nil || token.String() != "a\ufffd" {
			t.Errorf("%q: where that is allowed, jsontext returns %q, %v", c.raw, token, err)
		}
	}
}
