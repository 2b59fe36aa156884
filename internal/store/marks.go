package store

import (
	"encoding/binary"
	"time"

	"verbatim/internal/reasoning"
)

// extraColumn selects the marks of the reasoning with the time in the queue, or that time alone.
// It is one column because the time of a scan depends on the number of columns.
const extraColumn = `ifnull(r.marks, r.queued)`

// packMarks packs the marks of a text of reasoning as uvarints: its characters, second thoughts,
// repeated lines and language switches. The time in the server's queue follows as a varint if it
// is known. It returns nil for no text.
func packMarks(text string, queued *time.Duration) any {
	if text == "" {
		return nil
	}
	m := reasoning.MeasureMarks(text)
	b := make([]byte, 0, 12)
	for _, n := range [4]int64{m.Characters, m.SecondThoughts, m.RepeatedLines, m.LanguageSwitches} {
		b = binary.AppendUvarint(b, uint64(n))
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
	m := &d.marks
	for _, to := range [4]*int64{&m.Characters, &m.SecondThoughts, &m.RepeatedLines, &m.LanguageSwitches} {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > 1<<40 {
			return false
		}
		*to, b = int64(n), b[size:]
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
