package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// An itemRow is an item as it is saved: the rows of item, question and blob. It
// is made where there is time, outside of the transaction.
type itemRow struct {
	series string
	tail   any // int64 or string
	hash   int64
	facts  string // JSON; "" when there are none
	grader string
	prompt string // JSON
	want   string // JSON
	source string // JSON; "" when there is none
	blobs  []blob
}

// splitID divides an item's id after its last slash. A rest that is a number in its
// usual spelling becomes one.
func splitID(id string) (series string, tail any) {
	i := strings.LastIndexByte(id, '/') + 1
	series, rest := id[:i], id[i:]
	if n, err := strconv.ParseInt(rest, 10, 64); err == nil && strconv.FormatInt(n, 10) == rest {
		return series, n
	}
	return series, rest
}

// joinID is the reverse of cut.
func joinID(series string, tail any) string {
	switch tail := tail.(type) {
	case int64:
		return series + strconv.FormatInt(tail, 10)
	case string:
		return series + tail
	}
	return series // a damaged file
}

// encodeItem makes the rows of an item. Its texts are Unicode: they come from
// files and families, not from models.
func encodeItem(it *verbatim.Item) (itemRow, error) {
	row := itemRow{grader: it.Grader}
	row.series, row.tail = splitID(it.ID)
	j := jsonText{b: make([]byte, 0, 512+textSize(it.Prompt))}
	piece := func(write func()) string {
		from := len(j.b)
		write()
		return string(j.b[from:])
	}
	row.prompt = piece(func() { j.prompt(it.Prompt, &row.blobs) })
	if len(it.Facts) > 0 {
		row.facts = piece(func() { j.facts(it.Facts) })
	}
	row.want = piece(func() { j.answer(it.Want) })
	if it.Source != nil {
		row.source = piece(func() { j.answer(*it.Source) })
	}
	if j.err != nil {
		return row, fmt.Errorf("item %q: %w", it.ID, j.err)
	}
	if j.invalid || !utf8.ValidString(it.ID) || !utf8.ValidString(it.Grader) {
		return row, fmt.Errorf("item %q: its text is not valid UTF-8", it.ID)
	}
	row.hash = hashOf(it.ID, row.grader, row.facts, row.prompt, row.want, row.source)
	return row, nil
}

// hashOf is the first eight bytes of a SHA-256 over the pieces and their lengths.
// It tells contents under one id apart, and no more has to be told apart.
func hashOf(pieces ...string) int64 {
	size := 0
	for _, p := range pieces {
		size += binary.MaxVarintLen64 + len(p)
	}
	b := make([]byte, 0, 1024)
	if size > cap(b) {
		b = make([]byte, 0, size)
	}
	for _, p := range pieces {
		b = binary.AppendUvarint(b, uint64(len(p)))
		b = append(b, p...)
	}
	sum := sha256.Sum256(b)
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// decodeItem is the reverse of encodeItem for the row's JSON; image returns the
// bytes of an image by their hash.
func decodeItem(row itemRow, image func(sha256 string) ([]byte, error)) (*verbatim.Item, error) {
	it := &verbatim.Item{ID: joinID(row.series, row.tail), Grader: row.grader}
	var err error
	if it.Prompt, err = decodePrompt(row.prompt, image); err != nil {
		return nil, fmt.Errorf("item %q: %w", it.ID, err)
	}
	if it.Want, err = decodeAnswer(row.want); err != nil {
		return nil, fmt.Errorf("item %q: want: %w", it.ID, err)
	}
	if row.source != "" {
		it.Source = new(verbatim.Answer)
		if *it.Source, err = decodeAnswer(row.source); err != nil {
			return nil, fmt.Errorf("item %q: source: %w", it.ID, err)
		}
	}
	if row.facts != "" {
		if err := json.Unmarshal([]byte(row.facts), &it.Facts); err != nil {
			return nil, fmt.Errorf("item %q: facts: %w", it.ID, err)
		}
	}
	return it, nil
}

func decodeAnswer(text string) (a verbatim.Answer, err error) {
	if s, ok := plainText(text); ok {
		return verbatim.TextAnswer(s), nil
	}
	err = a.UnmarshalJSON([]byte(text))
	return a, err
}

func decodePrompt(text string, image func(sha256 string) ([]byte, error)) (verbatim.Prompt, error) {
	if p, ok := plainPrompt(text); ok {
		return p, nil
	}
	return anyPrompt(text, image)
}

func anyPrompt(text string, image func(sha256 string) ([]byte, error)) (verbatim.Prompt, error) {
	var messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal([]byte(text), &messages); err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	var p verbatim.Prompt
	for _, m := range messages {
		out := verbatim.Message{Role: m.Role}
		var one string
		var parts []json.RawMessage
		if json.Unmarshal(m.Content, &one) == nil {
			out.Content = []verbatim.Part{{Text: one}}
		} else if err := json.Unmarshal(m.Content, &parts); err != nil {
			return nil, fmt.Errorf("messages: content: %w", err)
		}
		for _, raw := range parts {
			part, err := decodePart(raw, image)
			if err != nil {
				return nil, fmt.Errorf("messages: %w", err)
			}
			out.Content = append(out.Content, part)
		}
		p = append(p, out)
	}
	return p, nil
}

func decodePart(raw []byte, image func(sha256 string) ([]byte, error)) (verbatim.Part, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return verbatim.Part{Text: text}, nil
	}
	var ref struct {
		Image  *string `json:"image"`
		Media  string  `json:"media"`
		SHA256 string  `json:"sha256"`
	}
	if err := json.Unmarshal(raw, &ref); err != nil || ref.Image == nil {
		return verbatim.Part{}, fmt.Errorf("a part is neither a text nor an image")
	}
	img := &verbatim.Image{Path: *ref.Image, Media: ref.Media}
	if ref.SHA256 != "" {
		var err error
		if img.Bytes, err = image(ref.SHA256); err != nil {
			return verbatim.Part{}, err
		}
	}
	return verbatim.Part{Image: img}, nil
}

// A keptItem is the row of an item without its hash: words are 0 where there is
// none, and id is 0 where the item is not saved.
type savedItem struct {
	id                    int64
	tail                  any // int64 or string
	series, facts, grader int64
}

// find returns the row's item as it is saved; its id is 0 when it is not. series is
// the word of row.series.
func (row *itemRow) find(c *sqlite.Conn, series int64) (it savedItem, err error) {
	it = savedItem{tail: row.tail, series: series}
	_, err = c.QueryOne(context.Background(), func(r *sqlite.Rows) { it.id, it.facts, it.grader = r.Int(), r.Int(), r.Int() },
		`SELECT id, facts, grader FROM item WHERE tail = ? AND series = ? AND hash = ?`, row.tail, series, row.hash)
	return it, err
}

// insert keeps the row's item unless it is saved; the id 0 means that it was saved
// already.
func (row *itemRow) insert(c *sqlite.Conn, w *stringIDs, series int64) (it savedItem, err error) {
	it = savedItem{tail: row.tail, series: series}
	facts, err := w.maybe(row.facts)
	if err != nil {
		return it, err
	}
	grader, err := w.maybe(row.grader)
	if err != nil {
		return it, err
	}
	it.facts, _ = facts.(int64)
	it.grader, _ = grader.(int64)
	n, id, err := c.Exec(`INSERT INTO item (tail, series, hash, facts, grader) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		row.tail, series, row.hash, facts, grader)
	if err != nil || n == 0 {
		return it, err
	}
	var source any
	if row.source != "" {
		source = row.source
	}
	if _, _, err := c.Exec(`INSERT INTO question (item, prompt, want, source) VALUES (?, ?, ?, ?)`, id, row.prompt, row.want, source); err != nil {
		return it, err
	}
	it.id = id
	return it, insertBlobs(c, row.blobs)
}
