package grade

import (
	"errors"
	"fmt"

	"verbatim"
	"verbatim/internal/finish"
)

// A line is what one line of input asks to be graded.
type line struct {
	asked        question
	reply        string
	answered     bool
	finish       verbatim.Finish
	failure      string   // the finish reason, where it says that the server failed
	members      [][2]int // where the members of the line's object stand, but for "grade"
	gradedBefore bool     // there was a "grade"
	closing      int      // where the closing brace stands
}

// A question is as much of an item as grading needs.
type question struct {
	item verbatim.Item
	want bool // item.Want was given
}

// appendGraded appends the line with its grade as the last member, in place of
// any grade that it brought along. It says in bytes what the line said.
func appendGraded(dst, text []byte) ([]byte, error) {
	l, err := readLine(text)
	if err != nil {
		return dst, err
	}
	g := Of(&l.asked.item, l.reply, l.finish)
	if l.gradedBefore {
		for i, m := range l.members {
			dst = append(append(dst, "{,"[min(i, 1)]), text[m[0]:m[1]]...)
		}
	} else {
		dst = append(dst, text[:l.closing]...)
	}
	dst = append(dst, `,"grade":`...)
	dst = appendGrade(dst, &g)
	return append(dst, "}\n"...), nil
}

// readLine reads a line and checks that it can be graded. Where the line holds an
// item and fields of an item next to it, the fields win.
func readLine(text []byte) (*line, error) {
	t := &jsonText{line: text}
	l := &line{}
	var inner question
	err := t.object(func(key []byte, start int) error {
		if err := l.member(t, string(key), &inner); err != nil {
			return err
		}
		if string(key) == "grade" {
			l.gradedBefore = true
		} else {
			l.members = append(l.members, [2]int{start, t.at})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.closing = t.at - 1
	if err := t.end(); err != nil {
		return nil, err
	}
	l.asked.adopt(inner)
	switch {
	case !l.answered:
		return nil, errors.New(`no "reply": what was not answered has no grade`)
	case l.failure != "":
		return nil, fmt.Errorf("finish_reason %q says that the server failed: there is no answer to grade", l.failure)
	case !l.asked.want:
		return nil, errors.New(`no "want", and no "item" that has one`)
	}
	return l, Check(&l.asked.item)
}

// member reads the value of one member of the line's object.
func (l *line) member(t *jsonText, key string, inner *question) (err error) {
	switch key {
	case "reply":
		if t.null() {
			return nil
		}
		l.answered = true
		l.reply, err = t.text()
	case "finish_reason":
		var raw string
		if !t.null() {
			raw, err = t.text()
		}
		meaning := finish.Of(raw)
		l.finish, l.failure = meaning.Finish(), ""
		if meaning == finish.Failure {
			l.failure = raw
		}
	case "item":
		err = t.object(func(key []byte, _ int) error { return inner.member(t, string(key)) })
	default:
		return l.asked.member(t, key)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// member reads the value of one member of an item's object.
func (q *question) member(t *jsonText, key string) (err error) {
	switch key {
	case "want":
		q.want = true
		q.item.Want, err = t.answer()
	case "source":
		if !t.null() {
			q.item.Source = new(verbatim.Answer)
			*q.item.Source, err = t.answer()
		}
	case "grader":
		if !t.null() {
			q.item.Grader, err = t.text()
		}
	case "facts":
		if !t.null() {
			q.item.Facts = map[string]string{}
			err = t.object(func(key []byte, _ int) (err error) {
				q.item.Facts[string(key)], err = t.text()
				return err
			})
		}
	default:
		return t.skip(0)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// adopt takes from other what q does not say.
func (q *question) adopt(other question) {
	if !q.want {
		q.item.Want, q.want = other.item.Want, other.want
	}
	if q.item.Source == nil {
		q.item.Source = other.item.Source
	}
	if q.item.Facts == nil {
		q.item.Facts = other.item.Facts
	}
	if q.item.Grader == "" {
		q.item.Grader = other.item.Grader
	}
}

// null takes the word null, if it is there.
func (t *jsonText) null() bool {
	if t.peek() != 'n' {
		return false
	}
	word, err := t.word()
	return err == nil && string(word) == "null"
}

// answer reads a string or a list.
func (t *jsonText) answer() (verbatim.Answer, error) {
	if t.peek() == '[' {
		list, err := t.list(0)
		return verbatim.ListAnswer(list), err
	}
	s, err := t.text()
	return verbatim.TextAnswer(s), err
}
