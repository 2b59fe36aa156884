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

// An itemRow is an item as the tables item, question and blob hold it.
type itemRow struct {
	Series string // with Tail the item's id: see splitID
	Tail   any    // int64 or string
	Hash   int64
	facts  string // JSON; "" without facts
	Grader string
	Prompt string // JSON
	Want   string // JSON
	Source string // JSON; "" without a source
	Others string // JSON of the other right answers and the foreseen mistakes; "" without any
	blobs  []blob
}

// splitID splits an item's id after its last slash. The tail is an int64 if it is written as
// FormatInt writes one.
func splitID(id string) (series string, tail any) {
	i := strings.LastIndexByte(id, '/') + 1
	series, rest := id[:i], id[i:]
	if n, err := strconv.ParseInt(rest, 10, 64); err == nil && strconv.FormatInt(n, 10) == rest {
		return series, n
	}
	return series, rest
}

// joinID is the reverse of splitID.
func joinID(series string, tail any) string {
	switch tail := tail.(type) {
	case int64:
		return series + strconv.FormatInt(tail, 10)
	case string:
		return series + tail
	}
	return series // a damaged file
}

// encodeItem makes the row of an item. A text that is not valid UTF-8, and a number without a
// JSON form, are errors: items come from files and families, not from models.
func encodeItem(it *verbatim.Item) (itemRow, error) {
	row := itemRow{Grader: it.Grader}
	row.Series, row.Tail = splitID(it.ID)
	j := jsonText{b: make([]byte, 0, 512+textSize(it.Prompt))}
	piece := func(write func()) string {
		from := len(j.b)
		write()
		return string(j.b[from:])
	}
	row.Prompt = piece(func() { j.prompt(it.Prompt, &row.blobs) })
	if len(it.Facts) > 0 {
		row.facts = piece(func() { j.facts(it.Facts) })
	}
	row.Want = piece(func() { j.answer(it.Want) })
	if it.Source != nil {
		row.Source = piece(func() { j.answer(*it.Source) })
	}
	if len(it.Accept)+len(it.Mistakes) > 0 {
		row.Others = piece(func() { j.others(it) })
	}
	if j.err != nil {
		return row, fmt.Errorf("item %q: %w", it.ID, j.err)
	}
	if j.invalid || !utf8.ValidString(it.ID) || !utf8.ValidString(it.Grader) {
		return row, fmt.Errorf("item %q: a text is not valid UTF-8", it.ID)
	}
	pieces := []string{it.ID, row.Grader, row.facts, row.Prompt, row.Want, row.Source}
	if row.Others != "" { // added later: items without others keep their hashes
		pieces = append(pieces, row.Others)
	}
	row.Hash = hashOf(pieces...)
	return row, nil
}

// hashOf returns the first eight bytes of the SHA-256 of the pieces and their lengths. It only
// has to distinguish items with the same id, or prompts of the same item.
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

// decodeItem is the reverse of encodeItem. image returns the bytes of an image by their SHA-256
// in hex.
func decodeItem(row itemRow, image func(sha256 string) ([]byte, error)) (*verbatim.Item, error) {
	it := &verbatim.Item{ID: joinID(row.Series, row.Tail), Grader: row.Grader}
	var err error
	if it.Prompt, err = decodePrompt(row.Prompt, image); err != nil {
		return nil, fmt.Errorf("item %q: %w", it.ID, err)
	}
	if it.Want, err = decodeAnswer(row.Want); err != nil {
		return nil, fmt.Errorf("item %q: want: %w", it.ID, err)
	}
	if row.Source != "" {
		it.Source = new(verbatim.Answer)
		if *it.Source, err = decodeAnswer(row.Source); err != nil {
			return nil, fmt.Errorf("item %q: source: %w", it.ID, err)
		}
	}
	if row.Others != "" {
		if err := decodeOthers(row.Others, it); err != nil {
			return nil, fmt.Errorf("item %q: other answers: %w", it.ID, err)
		}
	}
	if row.facts != "" {
		if err := json.Unmarshal([]byte(row.facts), &it.Facts); err != nil {
			return nil, fmt.Errorf("item %q: facts: %w", it.ID, err)
		}
	}
	return it, nil
}

// decodeOthers is the reverse of jsonText.others.
func decodeOthers(text string, it *verbatim.Item) error {
	var others struct {
		Accept   []verbatim.Answer  `json:"accept"`
		Mistakes []verbatim.Mistake `json:"mistakes"`
	}
	err := json.Unmarshal([]byte(text), &others)
	it.Accept, it.Mistakes = others.Accept, others.Mistakes
	return err
}

// decodeAnswer reads the JSON of an answer.
func decodeAnswer(text string) (a verbatim.Answer, err error) {
	if s, ok := plainText(text); ok {
		return verbatim.TextAnswer(s), nil
	}
	err = a.UnmarshalJSON([]byte(text))
	return a, err
}

// decodePrompt reads the JSON of a prompt. image returns the bytes of an image by their SHA-256
// in hex.
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

// A savedItem is a row of the table item without its hash.
type savedItem struct {
	ID                    int64 // the row number; 0: the item is not saved
	Tail                  any   // int64 or string
	Series, facts, grader int64 // words; 0 without facts or a grader
}

// Find returns the saved item of the row; its ID is 0 if it is not saved. series is the word of
// row.Series.
func (row *itemRow) Find(c *sqlite.Conn, series int64) (it savedItem, err error) {
	it = savedItem{Tail: row.Tail, Series: series}
	_, err = c.QueryOne(context.Background(), func(r *sqlite.Rows) { it.ID, it.facts, it.grader = r.Int(), r.Int(), r.Int() },
		`SELECT id, facts, grader FROM item WHERE tail = ? AND series = ? AND hash = ?`, row.Tail, series, row.Hash)
	return it, err
}

// insert saves the item of the row. The ID of the result is 0 if the item was saved already.
func (row *itemRow) insert(c *sqlite.Conn, w *stringIDs, series int64) (it savedItem, err error) {
	it = savedItem{Tail: row.Tail, Series: series}
	facts, grader := w.maybe(row.facts), w.maybe(row.Grader)
	if w.Err != nil {
		return it, w.Err
	}
	it.facts, _ = facts.(int64)
	it.grader, _ = grader.(int64)
	n, id, err := c.Exec(`INSERT INTO item (tail, series, hash, facts, grader) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		row.Tail, series, row.Hash, facts, grader)
	if err != nil || n == 0 {
		return it, err
	}
	if _, _, err := c.Exec(`INSERT INTO question (item, prompt, want, source, others) VALUES (?, ?, ?, ?, ?)`,
		id, row.Prompt, row.Want, textOf(row.Source), textOf(row.Others)); err != nil {
		return it, err
	}
	it.ID = id
	return it, insertBlobs(c, row.blobs)
}

// textSize returns the number of bytes of the texts of a prompt.
func textSize(p verbatim.Prompt) (n int) {
	for _, m := range p {
		for _, part := range m.Content {
			n += len(part.Text)
		}
	}
	return n
}
