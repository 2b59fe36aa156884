package store

import (
	"testing"
	"time"

	"verbatim/internal/reasoning"
)

// TestMarks packs the marks of a text with the time in the queue, and reads them again.
func TestMarks(t *testing.T) {
	if packed := packMarks("", nil); packed != nil {
		t.Errorf("no text is packed as %v", packed)
	}
	text := "Wait, the first line is long.\nWait, the first line is long.\nIch habe die Liste noch nicht."
	want, queued := reasoning.MeasureMarks(text), -7*time.Second
	for _, q := range []*time.Duration{nil, &queued} {
		var d replyData
		if !d.extra(packMarks(text, q)) || d.reply.Marks == nil || *d.reply.Marks != want {
			t.Fatalf("%+v, want %+v", d.reply.Marks, want)
		}
		if got := d.reply.Times.Queued; (got == nil) != (q == nil) || q != nil && *got != *q {
			t.Errorf("the time in the queue is %v, want %v", got, q)
		}
	}
	var d replyData
	if !d.extra(int64(5)) || *d.reply.Times.Queued != 5 || d.reply.Marks != nil || !new(replyData).extra(nil) {
		t.Errorf("of a reply without reasoning: %+v", d.reply)
	}
	packed := packMarks(text, &queued).([]byte)
	for name, damaged := range map[string]any{
		"empty": []byte{}, "short": packed[:3], "long": append(packed, 0), "huge": []byte{255, 255, 255, 255, 255, 255, 255, 255, 127, 0, 0, 0}, "text": "1",
	} {
		if new(replyData).extra(damaged) {
			t.Errorf("%s is read", name)
		}
	}
}
