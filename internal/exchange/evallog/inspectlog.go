package evallog

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"verbatim/internal/exchange"
)

// An inspectLog is a log on its way to a Run.
type inspectLog struct {
	path string
	head inspectHead
	note *runNote // nil where another program wrote the log
}

// A placed sample knows where in its file it is.
type placedSample struct {
	*inspectSample
	where string
}

// begin takes the log without its samples.
func (l *inspectLog) begin(head inspectHead) error {
	l.head, l.note = head, nil
	switch {
	case head.Version != 2:
		return fmt.Errorf("%s: the log has version %d of the format; version 2 is read: 'inspect log convert' of an old one writes it", l.path, head.Version)
	case head.Eval.Model == "" || head.Eval.Task == "":
		return fmt.Errorf("%s: the log does not say which model answered which task", l.path)
	}
	if raw := head.Eval.Metadata[noteKey]; raw != nil {
		var note runNote
		if json.Unmarshal(raw, &note) == nil && note.ours() {
			l.note = &note
		}
	}
	return nil
}

// family names the family of the samples of a log: the task without the package
// that it comes from.
func (l *inspectLog) family() string {
	task := l.head.Eval.Task
	return exchange.Word(task[strings.LastIndexByte(task, '/')+1:])
}

func moment(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
