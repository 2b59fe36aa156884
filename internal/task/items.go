package task

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// ReadItems reads a file of items: JSON lines as docs/format.md describes them.
// Name is what the file is called, dir is where the paths of its images start, and
// check says what is wrong with an item's grader, or with its answer for that
// grader. The error lists the bad lines, each with its reason; it is a
// *LinesError.
//
// The hash of the ItemFile is that of the file, followed by those of its images
// where it has any.
func ReadItems(name string, data []byte, dir string, check func(*verbatim.Item) error) (*verbatim.ItemFile, []verbatim.Item, error) {
	var items []verbatim.Item
	bad := &LinesError{Name: name}
	seen := map[string]int{} // the line of each id
	images := imageFolder{dir: dir, read: map[string]*verbatim.Image{}}
	sum := sha256.New()
	sum.Write(data)
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		it, err := readItem(line, images, sum)
		if err == nil {
			err = check(&it)
		}
		if err == nil && seen[it.ID] > 0 {
			err = fmt.Errorf("the id %q is on line %d already", it.ID, seen[it.ID])
		}
		if err != nil {
			bad.add(n, err)
			continue
		}
		fillFacts(&it)
		seen[it.ID] = n
		items = append(items, it)
	}
	if bad.Count > 0 {
		return nil, nil, bad
	}
	return &verbatim.ItemFile{Name: name, SHA256: hex.EncodeToString(sum.Sum(nil)), N: len(items)}, items, nil
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
	return enc.Encode(it)
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

func (e *LinesError) Error() string { return strings.Join(e.MessageLines(), "\n  ") }

// MessageLines are the lines of the message: what is wrong, then each bad line.
func (e *LinesError) MessageLines() []string {
	lines := []string{fmt.Sprintf("%s has %d bad lines", e.Name, e.Count)}
	if e.Count == 1 {
		lines[0] = e.Name + " has a bad line"
	}
	for _, l := range e.Lines {
		lines = append(lines, l.Error())
	}
	if e.Count > len(e.Lines) {
		lines = append(lines, fmt.Sprintf("and %d more", e.Count-len(e.Lines)))
	}
	return lines
}

// Hint says where the format is described.
func (e *LinesError) Hint() string {
	return `a line is like {"id": "a-1", "prompt": "Spell PARIS backwards.", "want": "SIRAP"}; docs/format.md describes all fields`
}

// Misuse marks the error as the caller's.
func (e *LinesError) Misuse() bool { return true }
