package task

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
)

// ReadItems reads a file of items: JSON lines, which docs/format.md describes, or rows of another shape
// (Rows), whose fields Fields finds. Name is the name of the file. Paths of images are relative to
// dir. Check returns an error if an item's grader is unknown, or cannot grade its answer. The error of
// Read lists the bad lines with their reasons.
//
// The hash of the ItemFile is that of the file, followed by the hashes of its images and by the fields
// that the user named.
func ReadItems(name string, data []byte, dir string, of *Fields, check func(*verbatim.Item) error) (*verbatim.ItemFile, []verbatim.Item, error) {
	var items []verbatim.Item
	bad := &linesError{Name: name}
	seen := map[string]string{} // the place of each id
	images := imageFolder{dir: dir, read: map[string]*verbatim.Image{}}
	sum := sha256.New()
	sum.Write(data)
	var misnamed namesError // of the first row that has it: the others have it too
	err := Rows(name, data, func(unit string, n int, row []byte) {
		if misnamed.error != nil {
			return
		}
		it, err := readItem(row, n, of, images, sum)
		if err == nil {
			err = check(&it)
		}
		place := fmt.Sprintf("%s %d", unit, n)
		if err == nil && seen[it.ID] != "" {
			err = fmt.Errorf("the id %q is on %s already", it.ID, seen[it.ID])
		}
		if err != nil {
			errors.As(err, &misnamed)
			bad.add(place, err)
			return
		}
		fillFacts(&it)
		seen[it.ID] = place
		items = append(items, it)
	})
	if err != nil {
		return nil, nil, err
	}
	if bad.Count > 0 {
		return nil, nil, bad
	}
	for _, part := range slices.Sorted(maps.Keys(of.chosen)) {
		fmt.Fprintf(sum, "%s=%q", part, of.chosen[part])
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

func (e *linesError) add(place string, err error) {
	e.Count++
	if len(e.Lines) < 20 {
		e.Lines = append(e.Lines, fmt.Errorf("%s: %w", place, err))
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

// readItem reads row n of a file of items. An item without an id gets one of n and its content. It writes the hashes of images to sum that no earlier row
// names.
func readItem(line []byte, n int, of *Fields, images imageFolder, sum io.Writer) (verbatim.Item, error) {
	var it verbatim.Item
	if err := exactText(line); err != nil {
		return it, err
	}
	fields, err := members(line)
	if err == nil && !isOwn(fields) {
		fields, err = of.own(fields)
	}
	if err != nil {
		return it, err
	}
	for _, name := range []string{"id", "want"} { // a number is a text as it is written
		if value := fields[name]; len(value) > 0 && (value[0] == '-' || value[0] >= '0' && value[0] <= '9') {
			fields[name] = rawjson.AppendString(nil, string(value))
		}
	}
	var prompt string
	var want *verbatim.Answer
	into := map[string]any{"id": &it.ID, "messages": &it.Prompt, "prompt": &prompt, "want": &want, "accept": &it.Accept, "mistakes": &it.Mistakes, "source": &it.Source, "facts": &it.Facts, "grader": &it.Grader}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if into[name] == nil {
			return it, unknownField(name, slices.Sorted(maps.Keys(into)))
		}
		if err := json.Unmarshal(fields[name], into[name]); err != nil {
			return it, fieldError(name, err)
		}
	}
	switch {
	case it.ID == "" && fields["id"] != nil:
		return it, errors.New(`"id" is missing or empty`)
	case len(it.ID) > longestID:
		return it, fmt.Errorf("the id has %d bytes, more than %d", len(it.ID), longestID)
	case strings.ContainsFunc(it.ID, unprintable):
		return it, fmt.Errorf("the id %q holds a character that cannot be seen", it.ID)
	case want == nil && len(it.Accept) == 0:
		return it, errors.New(`"want" is missing or null: it is the one right answer, a string or a list`)
	case prompt != "" && it.Prompt != nil:
		return it, errors.New(`there are both "prompt" and "messages": leave one out`)
	case prompt == "" && len(it.Prompt) == 0:
		return it, errors.New(`"messages" (or "prompt") is missing or empty`)
	}
	if prompt != "" {
		it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: prompt}}}}
	}
	if want == nil { // the first of several right answers stands for all of them
		want, it.Accept = &it.Accept[0], it.Accept[1:]
	}
	it.Want = *want
	if err := checkAnswers(&it); err != nil {
		return it, err
	}
	if it.ID == "" { // another row at this place of a later file is another item
		content, err := json.Marshal([]any{it.Prompt, it.Want, it.Accept})
		if err != nil {
			return it, err
		}
		digest := sha256.Sum256(content)
		it.ID = fmt.Sprintf("%d/%x", n, digest[:6])
	}
	return it, readMessages(it.Prompt, images, sum)
}

// checkAnswers checks the answers of an item. It removes accepted answers that are equal to the
// expected one.
func checkAnswers(it *verbatim.Item) error {
	if err := CheckWant(it); err != nil {
		return err
	}
	same := func(a, b verbatim.Answer) bool {
		x, _ := a.MarshalJSON()
		y, _ := b.MarshalJSON()
		return bytes.Equal(x, y)
	}
	it.Accept = slices.DeleteFunc(it.Accept, func(a verbatim.Answer) bool { return same(a, it.Want) })
	if len(it.Accept) == 0 {
		it.Accept = nil
	}
	for i, a := range it.Accept {
		if err := checkText(a, it.Grader); err != nil {
			return fmt.Errorf("accepted answer %d: %w", i+1, err)
		}
	}
	for i, m := range it.Mistakes {
		if slices.ContainsFunc(append(it.Accept, it.Want), func(a verbatim.Answer) bool { return same(a, m.Answer) }) {
			return fmt.Errorf("the answer of mistake %d is a right one", i+1)
		}
	}
	return nil
}

// longestID bounds an id, in bytes: people type it.
const longestID = 1000

// unprintable reports whether a character is a control character, moves others, or is a space other
// than U+0020.
func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// CheckWant refuses expected texts that no reply can equal, or that an empty reply equals.
func CheckWant(it *verbatim.Item) error { return checkText(it.Want, it.Grader) }

// checkText checks a right answer for a grader.
func checkText(want verbatim.Answer, grader string) error {
	switch {
	case want.IsList():
		return nil
	case want.Text == "":
		return errors.New(`"want" is empty: an empty reply would be right`)
	case pylit.Strip(want.Text) != want.Text && grader != "text-raw":
		return errors.New(`"want" begins or ends with white space, which replies are stripped of, so that none could be right: give the grader "text-raw"`)
	}
	return nil
}

// readMessages checks the messages of a line and reads their images.
func readMessages(p verbatim.Prompt, images imageFolder, sum io.Writer) error {
	for i := range p {
		switch p[i].Role {
		case "system", "user", "assistant":
		default:
			return fmt.Errorf(`message %d: the role is %q, not "system", "user" or "assistant"`, i+1, p[i].Role)
		}
		empty := true
		for j, part := range p[i].Content {
			empty = empty && part.Image == nil && strings.TrimSpace(part.Text) == ""
			if part.Image == nil {
				continue
			}
			if len(part.Image.Bytes) > 0 {
				if err := checkInline(part.Image); err != nil {
					return fmt.Errorf("message %d: %w", i+1, err)
				}
				continue
			}
			img, err := images.image(part.Image.Path, sum)
			if err != nil {
				return fmt.Errorf("message %d: %w", i+1, err)
			}
			p[i].Content[j].Image = img
		}
		if empty {
			return fmt.Errorf("message %d is empty", i+1)
		}
	}
	return nil
}

// exactText refuses bytes that are not UTF-8, and escapes of half a surrogate pair. encoding/json
// replaces both by U+FFFD without an error.
func exactText(line []byte) error {
	for i := 0; i < len(line); {
		if line[i] == '\\' {
			n := escape(line[i:])
			if n == 0 {
				return fmt.Errorf("%s at byte %d is one half of a character", line[i:i+6], i+1)
			}
			i += n
			continue
		}
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n == 1 {
			return fmt.Errorf("byte %d is not UTF-8", i+1)
		}
		i += n
	}
	return nil
}

// escape returns the length of the escape that b begins with; 0 for half a surrogate pair. The JSON
// reader refuses malformed escapes.
func escape(b []byte) int {
	switch half(b) {
	case 0xd800:
		if half(b[6:]) == 0xdc00 {
			return 12
		}
		return 0
	case 0xdc00:
		return 0
	}
	return min(2, len(b))
}

// half returns 0xd800 if b begins with an escaped first half of a surrogate pair, 0xdc00 for a second
// half, and otherwise 0.
func half(b []byte) uint64 {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if n &= 0xfc00; err == nil && (n == 0xd800 || n == 0xdc00) {
		return n
	}
	return 0
}

// members splits a JSON object into its fields. Unlike encoding/json it refuses a name that occurs
// twice, and keeps the case of names.
func members(line []byte) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	fields := map[string]json.RawMessage{}
	for dec.More() {
		var value json.RawMessage
		t, err := dec.Token()
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil {
			return nil, notJSON(err)
		}
		name, _ := t.(string)
		if fields[name] != nil {
			return nil, fmt.Errorf("there are two fields %q", name)
		}
		fields[name] = value
	}
	if _, err := dec.Token(); err != nil {
		return nil, notJSON(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more on the line than one JSON object")
	}
	return fields, nil
}

// notJSON returns the error of a line that is no JSON object.
func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("not a JSON object: the line ends too soon")
	}
	return fmt.Errorf("not a JSON object: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// unknownField returns the error of a field that lines do not have.
func unknownField(name string, known []string) error {
	if near := input.Nearest(strings.ToLower(name), known); near != "" {
		return fmt.Errorf("there is no field %q: did you mean %q?", name, near)
	}
	return fmt.Errorf("there is no field %q: the fields are %s", name, strings.Join(known, ", "))
}

// fieldError returns an error of encoding/json without Go's type names.
func fieldError(name string, err error) error {
	if name == "facts" {
		return errors.New(`"facts" is an object whose values are strings, as in {"length": "16"}`)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%q holds a JSON %s where none belongs", name, kind.Value)
	}
	return fmt.Errorf("%q: %s", name, strings.TrimPrefix(err.Error(), "json: "))
}

// mostImage bounds the size of an image file, in bytes. The providers take less.
const mostImage = 32 << 20

// An imageFolder reads the images that a file of items names, each once: a thousand items about one
// picture share it.
type imageFolder struct {
	dir  string
	read map[string]*verbatim.Image // by the path in the items
}

// image returns the image of a path relative to the folder. When it reads the image, it writes its
// hash to sum.
func (f imageFolder) image(path string, sum io.Writer) (*verbatim.Image, error) {
	if img := f.read[path]; img != nil {
		return img, nil
	}
	// The image is sent to a server: a file of items from elsewhere must not reach other folders of
	// the user, by ".." or by links.
	root, err := os.OpenRoot(cmp.Or(f.dir, "."))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.FromSlash(path)
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("image %s, in the folder of the items or below it: %w", path, cause(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	case info.Size() > mostImage:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, mostImage>>20)
	}
	data, err := root.ReadFile(name)
	if err != nil {
		return nil, err
	}
	media := mediaType(data)
	if media == "" {
		return nil, fmt.Errorf("%s is not a PNG, JPEG or WebP image", path)
	}
	digest := sha256.Sum256(data)
	sum.Write(digest[:])
	img := &verbatim.Image{Path: path, Media: media, Bytes: data}
	f.read[path] = img
	return img, nil
}

// checkInline checks an image of a data URI, and sets its media type to that of the bytes.
func checkInline(img *verbatim.Image) error {
	if len(img.Bytes) > mostImage {
		return fmt.Errorf("an image is larger than %d MiB", mostImage>>20)
	}
	if img.Media = mediaType(img.Bytes); img.Media == "" {
		return errors.New("the image of a data URI is not a PNG, JPEG or WebP image")
	}
	return nil
}

// cause returns the reason of an error of package os, without the path.
func cause(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return path.Err
	}
	return err
}

// mediaType returns the media type of an image by its first bytes; "" for types that models do not
// take.
func mediaType(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}
