package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/reasoning"
	"verbatim/internal/store/sqlite"
)

// clean returns a text in valid UTF-8, with U+FFFD for other bytes. It is for texts of this
// program and of protocols. Replies of models are saved with their own bytes.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// The functions below return a value as it is bound to a column. nil is NULL.

// blobOf returns a text of any bytes; nil for "".
func blobOf(s string) any {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// textOf returns a text in valid UTF-8; nil for "".
func textOf(s string) any {
	if s == "" {
		return nil
	}
	return clean(s)
}

// number returns a number or a duration in nanoseconds; nil for 0, which means unknown.
func number[T ~int | ~int64](n T) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}

// jsonOf returns the JSON of a value; nil for nil. what names the value in an error.
func jsonOf[T any](v *T, what string) (any, error) {
	if v == nil {
		return nil, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return string(b), nil
}

// scanJSON is the reverse of jsonOf for the next column. what names the column in an error.
func scanJSON[T any](r *sqlite.Rows, what string) (*T, error) {
	body := r.Bytes()
	if body == nil {
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal(body, v); err != nil {
		return nil, sqlite.UnreadableError(r.Path, what, err)
	}
	return v, nil
}

// money returns an amount; nil for an unknown one and for one that cannot be a cost.
func money(m *verbatim.Money) any {
	if m == nil || *m < 0 || *m > verbatim.MaxMoney {
		return nil
	}
	return int64(*m)
}

// instant returns a time as nanoseconds since 1970; nil for the zero time and for times that
// do not fit.
func instant(t time.Time) any {
	if t.IsZero() || t.Year() < 1678 || t.Year() > 2261 {
		return nil
	}
	return t.UnixNano()
}

// moment is the reverse of Instant, in UTC.
func moment(ns *int64) time.Time {
	if ns == nil {
		return time.Time{}
	}
	return time.Unix(0, *ns).UTC()
}

// finite returns a score that is neither NaN nor infinite; nil for any other.
func finite(score *float64) *float64 {
	if score == nil || math.IsNaN(*score) || math.IsInf(*score, 0) {
		return nil
	}
	return score
}

// A Phase is how far a batch is. The set is closed.
type Phase string

// The phases. A batch is pending until it is abandoned or collected.
const (
	Intended  Phase = "intended"  // saved before it is sent: it may have been sent or not
	Submitted Phase = "submitted" // the provider has it
	abandoned Phase = "abandoned" // its answers are not waited for any more
	collected Phase = "collected" // a record is saved for each of its requests
)

// phaseOver is the number of the first phase in which a batch is not pending.
const phaseOver = 2

// Database files hold the values of these closed sets as indexes into these lists. An index
// never changes: a new value goes to the end.
var (
	outcomes = []verbatim.Outcome{
		verbatim.Pass, verbatim.Wrapped, verbatim.Wrong, verbatim.Refused, verbatim.Truncated,
		verbatim.CutOff, verbatim.Errored, verbatim.Skipped,
	}
	finishes = []verbatim.Finish{
		verbatim.FinishUnknown, verbatim.FinishStop, verbatim.FinishLength,
		verbatim.FinishFilter, verbatim.FinishRefusal, verbatim.FinishOther,
		verbatim.FinishCall, verbatim.FinishNoCall,
	}
	classes = []verbatim.Class{
		"", verbatim.Transport, verbatim.Rate, verbatim.Overload, verbatim.Quota, verbatim.Auth,
		verbatim.BadAsk, verbatim.Content, verbatim.Cut, verbatim.Deadline, verbatim.Unsupported, verbatim.Shortened,
	}
	phases = []Phase{Intended, Submitted, abandoned, collected}
)

// codeOf returns the index of v in its list. A value that is not in it is an error.
func codeOf[T ~string](list []T, v T) (int64, error) {
	i := slices.Index(list, v)
	if i < 0 {
		return 0, fmt.Errorf("%q is no %T", string(v), v)
	}
	return int64(i), nil
}

// Decode returns the value with the index n; "" for an unknown one, which a damaged file may
// hold.
func Decode[T ~string](list []T, n int64) T {
	if n < 0 || n >= int64(len(list)) {
		return ""
	}
	return list[n]
}

// extraColumn selects the marks of the reasoning with the time in the queue, or that time alone.
// It is one column because the time of a scan depends on the number of columns.
const extraColumn = `ifnull(r.marks, r.queued)`

// packMarks packs the marks of a text of reasoning as uvarints: its characters, words, second thoughts,
// repeated lines and language switches, and the number of its phrases with the position and the count
// of each. The time in the server's queue follows as a varint if it
// is known. It returns nil for no text.
func packMarks(text string, queued *time.Duration) any {
	if text == "" {
		return nil
	}
	m := reasoning.MeasureMarks(text)
	b := make([]byte, 0, 16)
	for _, n := range [6]int64{m.Characters, m.Words, m.SecondThoughts, m.RepeatedLines, m.LanguageSwitches, int64(len(m.Phrases))} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for i, phrase := range reasoning.Phrases() {
		if n := m.Phrases[phrase]; n > 0 {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(i)), uint64(n))
		}
	}
	if queued != nil {
		b = binary.AppendVarint(b, int64(*queued))
	}
	return b
}

// extra reads extraColumn into the data of a reply, and reports whether it could.
func (d *replyData) extra(column any) bool {
	switch v := column.(type) {
	case nil:
		return true
	case int64:
		d.queue(v)
		return true
	case []byte:
		return d.unpackMarks(v)
	}
	return false
}

func (d *replyData) queue(nanoseconds int64) {
	d.durations[3] = time.Duration(nanoseconds)
	d.reply.Times.Queued = &d.durations[3]
}

// unpackMarks reads what packMarks has packed, and reports whether it could.
func (d *replyData) unpackMarks(b []byte) bool {
	m, phrases := &d.marks, reasoning.Phrases()
	ok := true
	next := func() int64 {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > 1<<40 {
			ok, size, n = false, 0, 0
		}
		b = b[size:]
		return int64(n)
	}
	m.Phrases = nil
	for _, to := range [5]*int64{&m.Characters, &m.Words, &m.SecondThoughts, &m.RepeatedLines, &m.LanguageSwitches} {
		*to = next()
	}
	for n := next(); ok && n > 0; n-- {
		if m.Phrases == nil {
			m.Phrases = map[string]int64{}
		}
		i := next()
		if i >= int64(len(phrases)) {
			return false
		}
		m.Phrases[phrases[i]] = next()
	}
	if !ok {
		return false
	}
	d.reply.Marks = m
	if len(b) == 0 {
		return true
	}
	queued, size := binary.Varint(b)
	if size != len(b) {
		return false
	}
	d.queue(queued)
	return true
}
