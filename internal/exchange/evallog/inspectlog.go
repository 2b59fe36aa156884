package evallog

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"verbatim/internal/exchange"
)

// An inspectLog is a log that is being read.
type inspectLog struct {
	path string
	head inspectHead
	note *runNote // nil if another program has written the log
}

// A placedSample is a sample with its place in the file, for errors.
type placedSample struct {
	*inspectSample
	where string
}

// begin sets the head of the log, and its note if there is one.
func (l *inspectLog) begin(head inspectHead) error {
	l.head, l.note = head, nil
	switch {
	case head.Version != 2:
		return fmt.Errorf("%s: the log has version %d of the format; want version 2: 'inspect log convert' writes it", l.path, head.Version)
	case head.Eval.Model == "" || head.Eval.Task == "":
		return fmt.Errorf("%s: the log has no model or no task", l.path)
	}
	if raw := head.Eval.Metadata[noteKey]; raw != nil {
		var note runNote
		if json.Unmarshal(raw, &note) == nil && note.ours() {
			l.note = &note
		}
	}
	return nil
}

// family returns the family of the samples: the task without its package.
func (l *inspectLog) family() string {
	task := l.head.Eval.Task
	return exchange.Word(task[strings.LastIndexByte(task, '/')+1:])
}

// moment reads a time of Inspect; zero for another text.
func moment(s string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, s) // zero after an error
	return t.UTC()
}
