package rows

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

// An ItemRow is an item as it is saved: the rows of item, question and blob. It
// is made where there is time, outside of the transaction.
type ItemRow struct {
	Series string
	Tail   any // int64 or string
	Hash   int64
	facts  string // JSON; "" when there are none
	Grader string
	Prompt string // JSON
	Want   string // JSON
	Source string // JSON; "" where it is missing
	Others string // JSON of the other right answers and the foreseen mistakes; "" without any
	blobs  []Blob
}

// SplitID divides an item's id after its last slash. A rest that is a number in its
// usual spelling becomes one.
func SplitID(id string) (series string, tail any) {
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

// EncodeItem makes the rows of an item. Its texts are Unicode: they come from
// files and families, not from models.
func EncodeItem(it *verbatim.Item) (ItemRow, error) {
	row := ItemRow{Grader: it.Grader}
	row.Series, row.Tail = SplitID(it.ID)
	j := jsonText{b: make([]byte, 0, 512+TextSize(it.Prompt))}
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
		return row, fmt.Errorf("item %q: its text is not valid UTF-8", it.ID)
	}
	pieces := []string{it.ID, row.Grader, row.facts, row.Prompt, row.Want, row.Source}
	if row.Others != "" { // items without any have the hash that they had before there were some
		pieces = append(pieces, row.Others)
	}
	row.Hash = HashOf(pieces...)
	return row, nil
}

// HashOf is the first eight bytes of a SHA-256 over the pieces and their lengths.
// It tells the contents under one id from each other, which is all that it is for.
func HashOf(pieces ...string) int64 {
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

// DecodeItem is the reverse of EncodeItem for the row's JSON; image returns the
// bytes of an image by their hash.
func DecodeItem(row ItemRow, image func(sha256 string) ([]byte, error)) (*verbatim.Item, error) {
	it := &verbatim.Item{ID: joinID(row.Series, row.Tail), Grader: row.Grader}
	var err error
	if it.Prompt, err = DecodePrompt(row.Prompt, image); err != nil {
		return nil, fmt.Errorf("item %q: %w", it.ID, err)
	}
	if it.Want, err = DecodeAnswer(row.Want); err != nil {
		return nil, fmt.Errorf("item %q: want: %w", it.ID, err)
	}
	if row.Source != "" {
		it.Source = new(verbatim.Answer)
		if *it.Source, err = DecodeAnswer(row.Source); err != nil {
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

// decodeOthers reads what jsonText.others writes into an item.
func decodeOthers(text string, it *verbatim.Item) error {
	var others struct {
		Accept   []verbatim.Answer  `json:"accept"`
		Mistakes []verbatim.Mistake `json:"mistakes"`
	}
	err := json.Unmarshal([]byte(text), &others)
	it.Accept, it.Mistakes = others.Accept, others.Mistakes
	return err
}

// DecodeAnswer reads the JSON of an answer.
func DecodeAnswer(text string) (a verbatim.Answer, err error) {
	if s, ok := plainText(text); ok {
		return verbatim.TextAnswer(s), nil
	}
	err = a.UnmarshalJSON([]byte(text))
	return a, err
}

// DecodePrompt reads the JSON of a prompt; images returns the bytes with a hash.
func DecodePrompt(text string, image func(sha256 string) ([]byte, error)) (verbatim.Prompt, error) {
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

// A SavedItem is the row of an item without its hash: words are 0 where they are
// missing, and ID is 0 where the item is not saved.
type SavedItem struct {
	ID                    int64
	Tail                  any // int64 or string
	Series, facts, grader int64
}

// Find returns the row's item as it is saved; its id is 0 when it is not. series is
// the word of row.series.
func (row *ItemRow) Find(c *sqlite.Conn, series int64) (it SavedItem, err error) {
	it = SavedItem{Tail: row.Tail, Series: series}
	_, err = c.QueryOne(context.Background(), func(r *sqlite.Rows) { it.ID, it.facts, it.grader = r.Int(), r.Int(), r.Int() },
		`SELECT id, facts, grader FROM item WHERE tail = ? AND series = ? AND hash = ?`, row.Tail, series, row.Hash)
	return it, err
}

// insert keeps the row's item unless it is saved; the id 0 means that it was saved
// already.
func (row *ItemRow) insert(c *sqlite.Conn, w *stringIDs, series int64) (it SavedItem, err error) {
	it = SavedItem{Tail: row.Tail, Series: series}
	facts, err := w.maybe(row.facts)
	if err != nil {
		return it, err
	}
	grader, err := w.maybe(row.Grader)
	if err != nil {
		return it, err
	}
	it.facts, _ = facts.(int64)
	it.grader, _ = grader.(int64)
	n, id, err := c.Exec(`INSERT INTO item (tail, series, hash, facts, grader) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		row.Tail, series, row.Hash, facts, grader)
	if err != nil || n == 0 {
		return it, err
	}
	orNull := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	if _, _, err := c.Exec(`INSERT INTO question (item, prompt, want, source, others) VALUES (?, ?, ?, ?, ?)`,
		id, row.Prompt, row.Want, orNull(row.Source), orNull(row.Others)); err != nil {
		return it, err
	}
	it.ID = id
	return it, InsertBlobs(c, row.blobs)
}

// TextSize returns how many bytes the texts of a prompt have.
func TextSize(p verbatim.Prompt) (n int) {
	for _, m := range p {
		for _, part := range m.Content {
			n += len(part.Text)
		}
	}
	return n
}
