package price

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/input"
)

// formatName is the format of a table of prices.
const formatName = "verbatim/prices/1"

// A tariffJSON is a tariff in a table of prices, in dollars for a million tokens.
type tariffJSON struct {
	Provider string          `json:"provider"`
	Model    string          `json:"model"`
	Also     []string        `json:"also"`
	From     string          `json:"from"`
	Context  *int64          `json:"context"`
	Input    *verbatim.Money `json:"input"`
	Cached   *verbatim.Money `json:"cached"`
	Output   *verbatim.Money `json:"output"`
	Request  verbatim.Money  `json:"request"`
	Batch    *float64        `json:"batch"`
	UpTo     *int64          `json:"up_to"`
	Varies   string          `json:"varies"`

	MaxOutput *int64 `json:"max_output"`
	Reasons   *bool  `json:"reasoning"`
}

// Read reads a table of prices: a JSON object with "format" ("verbatim/prices/1"), "source", "as_of"
// and, after them, "models", a list of objects; docs/models.md describes it. An unknown field, a
// price without input or output, and a model that is listed twice give an *input.FileError with the
// line. file is the name of the file in errors.
func Read(file string, data []byte) (Table, error) {
	r := reader{file: file, data: data, in: json.NewDecoder(bytes.NewReader(data))}
	if err := r.document(); err != nil {
		return Table{}, err
	}
	return Table{[][]Tariff{r.tariffs}}, nil
}

type reader struct {
	file    string
	data    []byte
	in      *json.Decoder
	head    map[string]string
	tariffs []Tariff
	seen    map[string]bool
}

// advice is the hint of every error in a table of prices.
const advice = `docs/models.md describes tables of prices; a line is {"provider": "openai", "model": "gpt-5", "input": 1.25, "output": 10}`

// fault returns an error at an offset.
func (r *reader) fault(offset int64, format string, args ...any) error {
	before := r.data[:min(int(offset), len(r.data))]
	return &input.FileError{File: r.file, Line: 1 + bytes.Count(before, []byte("\n")), Reason: fmt.Sprintf(format, args...), Advice: advice}
}

// unreadable returns the error for an error of package json at an offset.
func (r *reader) unreadable(offset int64, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return r.fault(syntax.Offset, "this is not JSON: %v", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.fault(int64(len(r.data)), "the file ends in the middle")
	}
	return r.fault(offset, "%s", strings.TrimPrefix(err.Error(), "json: "))
}

// next returns the offset at which the next value begins.
func (r *reader) next() int64 {
	at := int(r.in.InputOffset())
	return int64(at + len(r.data[at:]) - len(bytes.TrimLeft(r.data[at:], " \t\r\n,:")))
}

func (r *reader) document() error {
	r.head, r.seen = map[string]string{}, map[string]bool{}
	if t, err := r.in.Token(); err != nil {
		return r.unreadable(0, err)
	} else if t != json.Delim('{') {
		return r.fault(0, "this is not a table of prices: it must begin with {")
	}
	for r.in.More() {
		at := r.next()
		name, err := r.in.Token()
		if err != nil {
			return r.unreadable(at, err)
		}
		if err := r.field(at, name.(string)); err != nil {
			return err
		}
	}
	if _, err := r.in.Token(); err != nil {
		return r.unreadable(r.in.InputOffset(), err)
	}
	if rest := bytes.TrimSpace(r.data[r.in.InputOffset():]); len(rest) > 0 {
		return r.fault(r.in.InputOffset(), "there is text after the end of the table")
	}
	if len(r.tariffs) == 0 {
		return r.fault(0, "the table lists no models")
	}
	return nil
}

// field reads the field of the document whose name begins at offset at.
func (r *reader) field(at int64, name string) error {
	switch name {
	case "format", "source", "limits_source", "as_of":
		var value string
		if err := r.in.Decode(&value); err != nil {
			return r.unreadable(at, err)
		}
		if name == "format" && value != formatName {
			return r.fault(at, "the format is %q, not %q", value, formatName)
		}
		if name == "as_of" && !IsDay(value) {
			return r.fault(at, "as_of is not a day, such as 2026-11-21")
		}
		r.head[name] = value
		return nil
	case "models":
		for _, before := range []string{"format", "source", "as_of"} {
			if r.head[before] == "" {
				return r.fault(at, "%q must come before \"models\"", before)
			}
		}
		return r.models(at)
	}
	return r.fault(at, "there is no field %q", name)
}

func (r *reader) models(at int64) error {
	if t, err := r.in.Token(); err != nil {
		return r.unreadable(at, err)
	} else if t != json.Delim('[') {
		return r.fault(at, "models must be a list")
	}
	for r.in.More() {
		at := r.next()
		var raw json.RawMessage
		if err := r.in.Decode(&raw); err != nil {
			return r.unreadable(at, err)
		}
		in := json.NewDecoder(bytes.NewReader(raw))
		in.DisallowUnknownFields()
		var line tariffJSON
		if err := in.Decode(&line); err != nil {
			return r.fault(at, "%s", strings.TrimPrefix(err.Error(), "json: "))
		}
		t, err := line.tariff(r.head["source"], r.head["as_of"])
		if err != nil {
			return r.fault(at, "%v", err)
		}
		for _, name := range append([]string{t.Model}, t.Also...) {
			key := t.Provider + "\n" + strings.ToLower(name) + "\n" + t.From
			if r.seen[key] {
				return r.fault(at, "%s of %s is listed twice", name, t.Provider)
			}
			r.seen[key] = true
		}
		r.tariffs = append(r.tariffs, t)
	}
	if _, err := r.in.Token(); err != nil {
		return r.unreadable(at, err)
	}
	return nil
}

// tariff returns the tariff of a line of a table, or says what is wrong with the line.
func (l tariffJSON) tariff(source, asOf string) (Tariff, error) {
	t := Tariff{Provider: l.Provider, Model: l.Model, Also: l.Also, From: l.From, UpTo: l.UpTo, Context: l.Context, MaxOutput: l.MaxOutput, Reasons: l.Reasons, Varies: l.Varies}
	switch {
	case l.Provider == "" || l.Model == "" || slices.Contains(l.Also, ""):
		return t, errors.New("a model needs its provider and its name")
	case l.From != "" && !IsDay(l.From):
		return t, errors.New("from is not a day, such as 2027-01-01")
	case l.Context != nil && *l.Context < 1, l.UpTo != nil && *l.UpTo < 1, l.MaxOutput != nil && *l.MaxOutput < 1:
		return t, errors.New("context, max_output and up_to are numbers of tokens, 1 or more")
	case l.Batch != nil && (*l.Batch < 0 || *l.Batch > 1):
		return t, errors.New("batch is the factor of the price in a batch: it must be from 0 to 1")
	case (l.Input == nil) != (l.Output == nil):
		return t, errors.New("a price needs both input and output")
	case l.Input != nil && l.Varies != "":
		return t, errors.New("a model has either a price or varies: leave out input and output, or leave out varies")
	case l.Input == nil && (l.Cached != nil || l.Request != 0 || l.Batch != nil || l.UpTo != nil):
		return t, errors.New("there is no price: input and output are missing")
	case l.Input != nil:
		t.Price = &verbatim.Price{Input: *l.Input, Cached: l.Cached, Output: *l.Output, Request: l.Request, Batch: l.Batch, Source: source, AsOf: asOf}
	}
	return t, nil
}
