package task

import (
	"bytes"
	"cmp"
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

// ReadItems reads a file of items: JSON lines, which docs/format.md describes. Name is the name of the
// file. Paths of images are relative to dir. Check returns an error if an item's grader is unknown, or
// cannot grade its answer. The error of Read lists the bad lines with their reasons.
//
// The hash of the ItemFile is that of the file, followed by the hashes of its images.
func ReadItems(name string, data []byte, dir string, check func(*verbatim.Item) error) (*verbatim.ItemFile, []verbatim.Item, error) {
	var items []verbatim.Item
	bad := &linesError{Name: name}
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

// fillFacts gives an item of a user the facts by which every report groups items.
func fillFacts(it *verbatim.Item) {
	if it.Facts == nil {
		it.Facts = map[string]string{}
	}
	it.Facts[verbatim.FactFamily] = cmp.Or(it.Facts[verbatim.FactFamily], "items")
	if it.Facts[verbatim.FactLength] == "" {
		n := utf8.RuneCountInString(it.Want.Text)
		if it.Want.IsList() {
			n = len(it.Want.List)
		}
		it.Facts[verbatim.FactLength] = strconv.Itoa(n)
	}
}

// WriteItem writes an item as a line that Read reads.
func WriteItem(w io.Writer, it *verbatim.Item) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(it)
}

// A linesError lists the first twenty bad lines of a file.
type linesError struct {
	Name  string
	Count int
	Lines []error
}

func (e *linesError) add(line int, err error) {
	e.Count++
	if len(e.Lines) < 20 {
		e.Lines = append(e.Lines, fmt.Errorf("line %d: %w", line, err))
	}
}

func (e *linesError) Error() string { return strings.Join(e.MessageLines(), "\n  ") }

// MessageLines returns the lines of the message: the number of bad lines, then each of them.
func (e *linesError) MessageLines() []string {
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

// Hint returns an example of a line and the page that describes the format.
func (e *linesError) Hint() string {
	return `a line is like {"id": "a-1", "prompt": "Spell PARIS backwards.", "want": "SIRAP"}; docs/format.md describes all fields`
}

// misuse reports that it is a usage error.
func (e *linesError) Misuse() bool { return true }
