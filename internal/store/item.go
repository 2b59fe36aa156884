package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/rawjson"
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

// A jsonText writes JSON. encoding/json takes several times as long, for every reply that is
// saved, and replaces bytes that are not UTF-8 silently. Here they set invalid.
type jsonText struct {
	b       []byte
	invalid bool
	err     error // a value that has no JSON form
}

func (j *jsonText) raw(s string) { j.b = append(j.b, s...) }

// separate writes a comma before every element of a list but the first, whose index i is 0.
func (j *jsonText) separate(i int) {
	if i > 0 {
		j.raw(",")
	}
}

// quote writes s as a JSON string.
func (j *jsonText) quote(s string) {
	if !utf8.ValidString(s) {
		j.invalid = true
	}
	j.b = rawjson.AppendString(j.b, s)
}

// facts writes the facts in the order of their names.
func (j *jsonText) facts(facts map[string]string) {
	names := slices.AppendSeq(make([]string, 0, 8), maps.Keys(facts))
	slices.Sort(names)
	j.raw("{")
	for i, name := range names {
		j.separate(i)
		j.quote(name)
		j.raw(":")
		j.quote(facts[name])
	}
	j.raw("}")
}

// answer writes a string or an array. Items are identified by a hash of these bytes, so they must
// never change: that is why Answer.MarshalJSON is not used.
func (j *jsonText) answer(a verbatim.Answer) {
	if a.IsList() {
		j.value(a.List)
	} else {
		j.quote(a.Text)
	}
}

func (j *jsonText) value(v any) {
	switch v := v.(type) {
	case []any:
		j.raw("[")
		for i, x := range v {
			j.separate(i)
			j.value(x)
		}
		j.raw("]")
	case int64:
		j.b = strconv.AppendInt(j.b, v, 10)
	case *big.Int:
		j.b = v.Append(j.b, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			j.err = fmt.Errorf("%v has no JSON form", v)
		}
		from, style := len(j.b), byte('f')
		if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
			style = 'e'
		}
		j.b = strconv.AppendFloat(j.b, v, style, -1, 64)
		if !bytes.ContainsAny(j.b[from:], ".e") {
			j.raw(".0") // a float stays one
		}
	case string:
		j.quote(v)
	case bool:
		j.b = strconv.AppendBool(j.b, v)
	case nil:
		j.raw("null")
	default:
		j.err = fmt.Errorf("a list cannot hold a %T", v)
	}
}

// others writes the other right answers and the foreseen mistakes of an item.
func (j *jsonText) others(it *verbatim.Item) {
	j.raw("{")
	if len(it.Accept) > 0 {
		j.raw(`"accept":[`)
		for i, a := range it.Accept {
			j.separate(i)
			j.answer(a)
		}
		j.raw("]")
	}
	if len(it.Mistakes) > 0 {
		j.separate(len(it.Accept))
		j.raw(`"mistakes":[`)
		for i, m := range it.Mistakes {
			j.separate(i)
			j.raw(`{"label":`)
			j.quote(m.Label)
			if m.Detail != "" {
				j.raw(`,"detail":`)
				j.quote(m.Detail)
			}
			j.raw(`,"answer":`)
			j.answer(m.Answer)
			j.raw("}")
		}
		j.raw("]")
	}
	j.raw("}")
}

// prompt writes a prompt as files of items have it, except that an image has the hash of its
// bytes. The bytes are appended to blobs.
func (j *jsonText) prompt(p verbatim.Prompt, blobs *[]blob) {
	j.raw("[")
	for i, m := range p {
		j.separate(i)
		j.raw(`{"role":`)
		j.quote(m.Role)
		j.raw(`,"content":`)
		if len(m.Content) == 1 && m.Content[0].Image == nil {
			j.quote(m.Content[0].Text)
		} else {
			j.raw("[")
			for i, part := range m.Content {
				j.separate(i)
				j.part(part, blobs)
			}
			j.raw("]")
		}
		j.raw("}")
	}
	j.raw("]")
}

func (j *jsonText) part(p verbatim.Part, blobs *[]blob) {
	if p.Image == nil {
		j.quote(p.Text)
		return
	}
	j.raw(`{"image":`)
	j.quote(p.Image.Path)
	if p.Image.Media != "" {
		j.raw(`,"media":`)
		j.quote(p.Image.Media)
	}
	if len(p.Image.Bytes) > 0 {
		b := newBlob(p.Image.Bytes)
		*blobs = append(*blobs, b)
		j.raw(`,"sha256":"`)
		j.b = hex.AppendEncode(j.b, b.Sha256[:])
		j.raw(`"`)
	}
	j.raw("}")
}

// The functions below read the most frequent forms of what jsonText writes without encoding/json,
// which makes a scan with texts twice as fast. They report false for any other form.

// plainPrompt reads a prompt of messages with one text each.
func plainPrompt(s string) (verbatim.Prompt, bool) {
	s, ok := strings.CutPrefix(s, "[")
	var p verbatim.Prompt
	for ok {
		var role, text string
		if s, ok = strings.CutPrefix(s, `{"role":`); ok {
			role, s, ok = rawjson.CutText(s)
		}
		if ok {
			s, ok = strings.CutPrefix(s, `,"content":`)
		}
		if ok {
			text, s, ok = rawjson.CutText(s)
		}
		if !ok {
			break
		}
		p = append(p, verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}})
		if s == "}]" {
			return p, true
		}
		s, ok = strings.CutPrefix(s, "},")
	}
	return nil, false
}

// plainText reads a JSON string that is all of s.
func plainText(s string) (string, bool) {
	text, rest, ok := rawjson.CutText(s)
	return text, ok && rest == ""
}

// A Blob is a row of the table blob: the bytes of an image. Images with the same hash share it.
type blob struct {
	Sha256 [sha256.Size]byte
	bytes  []byte
}

// newBlob returns the Blob of an image.
func newBlob(b []byte) blob { return blob{sha256.Sum256(b), b} }

// insertBlobs saves the blobs that are not in the database yet.
func insertBlobs(c *sqlite.Conn, blobs []blob) error {
	for _, b := range blobs {
		if _, _, err := c.Exec(`INSERT INTO blob (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING`, b.Sha256[:], b.bytes); err != nil {
			return err
		}
	}
	return nil
}

// imagesOf returns a function that reads images for decodePrompt.
func imagesOf(c *sqlite.Conn) func(hash string) ([]byte, error) {
	return func(hash string) ([]byte, error) {
		_, image, err := readImage(c, hash)
		return image, err
	}
}

// readImage returns the row number and the bytes of the image with a SHA-256, given in hex.
func readImage(c *sqlite.Conn, hash string) (id int64, image []byte, err error) {
	sum, err := hex.DecodeString(hash)
	if err != nil {
		return 0, nil, fmt.Errorf("%q is no hash of an image", hash)
	}
	found, err := c.QueryOne(context.Background(), func(r *sqlite.Rows) { id, image = r.Int(), r.Bytes() }, `SELECT id, bytes FROM blob WHERE sha256 = ?`, sum)
	if err == nil && !found {
		err = c.CorruptError("an image is missing")
	}
	return id, image, err
}
