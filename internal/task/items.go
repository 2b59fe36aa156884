package task

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// ReadItems reads a file of items: JSON lines as docs/format.md describes them.
// Name is what the file is called, dir is where the paths of its images start,
// and graders are the names that a line may give as its grader. The error lists
// the bad lines, each with its reason; it is a *LinesError.
func ReadItems(name string, data []byte, dir string, graders []string) (*verbatim.ItemFile, []verbatim.Item, error) {
	var items []verbatim.Item
	bad := &LinesError{Name: name}
	firstUse := map[string]int{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		line = bytes.TrimSpace(line)
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			continue
		}
		it, err := readItem(line, dir, graders)
		if err == nil && firstUse[it.ID] > 0 {
			err = fmt.Errorf("the id %q stands on line %d already", it.ID, firstUse[it.ID])
		}
		if err != nil {
			bad.add(n, err)
			continue
		}
		firstUse[it.ID] = n
		items = append(items, it)
	}
	if bad.Count > 0 {
		return nil, nil, bad
	}
	sum := sha256.New()
	sum.Write(data)
	for _, it := range items {
		for _, m := range it.Prompt {
			for _, p := range m.Content {
				if p.Image != nil {
					sum.Write(p.Image.Bytes)
				}
			}
		}
	}
	return &verbatim.ItemFile{Name: name, SHA256: hex.EncodeToString(sum.Sum(nil)), N: len(items)}, items, nil
}

// A LinesError lists the bad lines of a file: the first twenty of Count.
type LinesError struct {
	Name  string
	Count int
	Lines []error
}

func (e *LinesError) add(line int, err error) {
	e.Count++
	if len(e.Lines) < 20 {
		e.Lines = append(e.Lines, fmt.Errorf("line %d: %w", line, err))
	}
}

func (e *LinesError) Error() string {
	s := fmt.Sprintf("%s has %d bad lines", e.Name, e.Count)
	if e.Count == 1 {
		s = e.Name + " has a bad line"
	}
	for _, l := range e.Lines {
		s += "\n  " + l.Error()
	}
	if e.Count > len(e.Lines) {
		s += fmt.Sprintf("\n  and %d more", e.Count-len(e.Lines))
	}
	return s
}

// Hint says where the format is described.
func (e *LinesError) Hint() string {
	return `a line is like {"id": "a-1", "prompt": "Spell PARIS backwards.", "want": "SIRAP"}; docs/format.md describes all fields`
}

// Misuse marks the error as the caller's.
func (e *LinesError) Misuse() bool { return true }

// fileItem is a line of a file of items.
type fileItem struct {
	ID       string            `json:"id"`
	Messages verbatim.Prompt   `json:"messages,omitempty"`
	Prompt   string            `json:"prompt,omitempty"`
	Want     *verbatim.Answer  `json:"want"`
	Source   *verbatim.Answer  `json:"source,omitempty"`
	Facts    map[string]string `json:"facts,omitempty"`
	Grader   string            `json:"grader,omitempty"`
}

func readItem(line []byte, dir string, graders []string) (verbatim.Item, error) {
	var in fileItem
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return verbatim.Item{}, plainer(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return verbatim.Item{}, errors.New("there is more on the line than one JSON object")
	}
	switch {
	case in.ID == "":
		return verbatim.Item{}, errors.New(`"id" is missing or empty`)
	case in.Want == nil:
		return verbatim.Item{}, errors.New(`"want" is missing or null: it is the one right answer, a string or a list`)
	case in.Prompt == "" && len(in.Messages) == 0:
		return verbatim.Item{}, errors.New(`"messages" (or "prompt") is missing or empty`)
	case in.Prompt != "" && len(in.Messages) > 0:
		return verbatim.Item{}, errors.New(`there are both "prompt" and "messages": leave one out`)
	case in.Grader != "" && !slices.Contains(graders, in.Grader):
		return verbatim.Item{}, fmt.Errorf("there is no grader %q: the graders are %s", in.Grader, strings.Join(graders, ", "))
	}
	if err := suits(in); err != nil {
		return verbatim.Item{}, err
	}
	it := verbatim.Item{ID: in.ID, Prompt: in.Messages, Want: *in.Want, Source: in.Source, Facts: in.Facts, Grader: in.Grader}
	if in.Prompt != "" {
		it.Prompt = verbatim.Prompt{message("user", in.Prompt)}
	}
	if err := readMessages(it.Prompt, dir); err != nil {
		return it, err
	}
	fillFacts(&it)
	return it, nil
}

// suits refuses a grader for another kind of answer than the wanted one.
func suits(in fileItem) error {
	if in.Grader == "" {
		return nil
	}
	forLists := in.Grader == "list" || strings.HasPrefix(in.Grader, "sortbench")
	if forLists != in.Want.IsList() {
		kind := map[bool]string{true: "a list", false: "a string"}
		return fmt.Errorf(`the grader %q is for answers that are %s, and "want" is %s`, in.Grader, kind[forLists], kind[in.Want.IsList()])
	}
	return nil
}

// plainer says what encoding/json says without Go's type names.
func plainer(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("not a JSON object: %s", strings.TrimPrefix(err.Error(), "json: "))
	case errors.As(err, &kind):
		return fmt.Errorf("%q cannot be a %s", kind.Field, kind.Value)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// readMessages checks the messages of a line and reads their images.
func readMessages(p verbatim.Prompt, dir string) error {
	for i := range p {
		switch p[i].Role {
		case "system", "user", "assistant":
		default:
			return fmt.Errorf(`message %d: the role is %q, not "system", "user" or "assistant"`, i+1, p[i].Role)
		}
		if len(p[i].Content) == 0 {
			return fmt.Errorf("message %d has no content", i+1)
		}
		for _, part := range p[i].Content {
			if part.Image == nil {
				continue
			}
			if err := readImage(part.Image, dir); err != nil {
				return fmt.Errorf("message %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func readImage(img *verbatim.Image, dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(img.Path)))
	if err != nil {
		return err
	}
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		img.Media = "image/png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		img.Media = "image/jpeg"
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		img.Media = "image/webp"
	default:
		return fmt.Errorf("%s is not a PNG, JPEG or WebP image", img.Path)
	}
	img.Bytes = data
	return nil
}

// fillFacts gives an item of a user the facts that every report groups by.
func fillFacts(it *verbatim.Item) {
	if it.Facts == nil {
		it.Facts = map[string]string{}
	}
	if it.Facts[verbatim.FactFamily] == "" {
		it.Facts[verbatim.FactFamily] = "items"
	}
	if it.Facts[verbatim.FactLength] == "" {
		n := utf8.RuneCountInString(it.Want.Text)
		if it.Want.IsList() {
			n = len(it.Want.List)
		}
		it.Facts[verbatim.FactLength] = strconv.Itoa(n)
	}
}

// WriteItem writes an item as a line that ReadItems reads.
func WriteItem(w io.Writer, it *verbatim.Item) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(fileItem{ID: it.ID, Messages: it.Prompt, Want: &it.Want, Source: it.Source, Facts: it.Facts, Grader: it.Grader})
}
