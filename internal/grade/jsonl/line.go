package jsonl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/grade"
	"verbatim/internal/rawjson"
	"verbatim/internal/task"
)

// A line is one line of input: a reply to grade, and its item.
type line struct {
	asked        question
	reply        string
	answered     bool
	finish       verbatim.Finish
	failure      string // the finish reason if it says that the server failed
	gradedBefore bool   // the line has a "grade" already
}

// A question is the part of an item that grading needs.
type question struct {
	item verbatim.Item
	want bool // item.Want was given
}

// A gradeFunc grades a reply with the buffers of m, or returns an error that says why it cannot.
type gradeFunc func(m *grade.Memory, it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error)

// appendGraded appends the line, byte for byte, with its grade as the last member. It leaves out a grade that
// the line has already.
func appendGraded(dst, text []byte, gradeReply gradeFunc, fields *task.Fields, m *grade.Memory) ([]byte, error) {
	l, err := readLine(text, fields)
	if err != nil {
		return dst, err
	}
	g, err := gradeReply(m, &l.asked.item, l.reply, l.finish)
	if err != nil {
		return dst, err
	}
	if l.gradedBefore {
		dst = appendUngraded(dst, text)
	} else {
		dst = append(dst, bytes.TrimRight(text, " \t\r\n")...)
	}
	dst = append(dst[:len(dst)-1], `,"grade":`...) // in place of the closing brace
	dst = appendGrade(dst, &g)
	return append(dst, "}\n"...), nil
}

// The members that a line gets. graded is null if refused says why.
const (
	graded  = "grade"
	refused = "grade_error"
)

// appendUngraded appends a line without the members that an earlier run added.
func appendUngraded(dst, text []byte) []byte {
	return rawjson.AppendWithout(dst, rawjson.AppendWithout(nil, text, graded), refused)
}

// appendRefused appends line n with the reason instead of a grade, so that a program that waits
// for the answer to its line gets one. Of a line that is not an object it writes only the number.
func appendRefused(dst, text []byte, n int64, reason string) []byte {
	if rawjson.Check(text, maxDepth) == nil && text[0] == '{' {
		dst = appendUngraded(dst, text)
		dst = dst[:len(dst)-1]
	} else {
		dst = strconv.AppendInt(append(dst, `{"line":`...), n, 10)
	}
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(dst, `"grade":null,"grade_error":`...)
	return append(appendString(dst, reason), "}\n"...)
}

// readLine reads a line and checks that it can be graded. A field of the line
// overrides the same field of the line's item.
func readLine(text []byte, fields *task.Fields) (*line, error) {
	if err := rawjson.Check(text, maxDepth); err != nil {
		return nil, err
	}
	l := &line{}
	var inner question
	var names []string
	err := eachMember(text, func(name string, value []byte) error {
		l.gradedBefore = l.gradedBefore || name == graded || name == refused
		if names = append(names, name); fields.IsReply(name) {
			name = "reply"
		}
		return l.member(name, value, &inner)
	})
	if err != nil {
		return nil, err
	}
	l.asked.adopt(inner)
	switch {
	case !l.answered:
		return nil, fmt.Errorf("no \"reply\": what was not answered has no grade; the fields are %.300q, and --fields reply=NAME names another", names)
	case l.failure != "":
		return nil, fmt.Errorf("finish_reason %q says that the server failed: there is no answer to grade", l.failure)
	case !l.asked.want && len(l.asked.item.Accept) > 0:
		l.asked.item.Want, l.asked.item.Accept = l.asked.item.Accept[0], l.asked.item.Accept[1:]
	case !l.asked.want:
		answers, err := fields.Answers(text)
		if err != nil {
			return nil, err
		}
		l.asked.item.Want, l.asked.item.Accept = answers[0], answers[1:]
	}
	if err := task.CheckWant(&l.asked.item); err != nil {
		return nil, err
	}
	return l, grade.Check(&l.asked.item)
}

// member reads one member of the line's object.
func (l *line) member(name string, value []byte, inner *question) (err error) {
	switch name {
	case "reply":
		if !isNull(value) {
			l.answered = true
			l.reply, err = text(value)
		}
	case "finish_reason":
		var raw string
		if !isNull(value) {
			raw, err = text(value)
		}
		meaning := finish.Of(raw)
		l.finish, l.failure = meaning.Finish(), ""
		if meaning == finish.Failure {
			l.failure = raw
		}
	case "item":
		err = eachMember(value, inner.member)
	default:
		return l.asked.member(name, value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// member reads one member of an item's object.
func (q *question) member(name string, value []byte) (err error) {
	switch {
	case name == "want":
		q.want = true
		q.item.Want, err = answer(value)
	case isNull(value):
	case name == "source":
		q.item.Source = new(verbatim.Answer)
		*q.item.Source, err = answer(value)
	case name == "accept":
		err = json.Unmarshal(value, &q.item.Accept)
	case name == "mistakes":
		err = json.Unmarshal(value, &q.item.Mistakes)
	case name == "grader":
		q.item.Grader, err = text(value)
	case name == "facts":
		q.item.Facts = map[string]string{}
		err = eachMember(value, func(name string, value []byte) (err error) {
			q.item.Facts[name], err = text(value)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// adopt fills the fields that q does not have from other.
func (q *question) adopt(other question) {
	if !q.want {
		q.item.Want, q.want = other.item.Want, other.want
	}
	if q.item.Source == nil {
		q.item.Source = other.item.Source
	}
	if q.item.Accept == nil {
		q.item.Accept = other.item.Accept
	}
	if q.item.Mistakes == nil {
		q.item.Mistakes = other.item.Mistakes
	}
	if q.item.Facts == nil {
		q.item.Facts = other.item.Facts
	}
	q.item.Grader = cmp.Or(q.item.Grader, other.item.Grader)
}

// maxDepth is how deep the values of a line may be nested.
const maxDepth = 1000

// eachMember calls f for each member of a JSON object until f returns an error.
func eachMember(object []byte, f func(name string, value []byte) error) (err error) {
	isObject := rawjson.Members(object, func(name, value []byte) {
		if err == nil {
			err = f(string(name), value)
		}
	})
	if !isObject {
		return fmt.Errorf("want an object, found %s", rawjson.Kind(bytes.TrimSpace(object)))
	}
	return err
}

func isNull(value []byte) bool { return string(value) == "null" }

// text reads a string.
func text(value []byte) (string, error) {
	s, ok := rawjson.Text(value)
	if !ok {
		return "", fmt.Errorf("want text, found %s", rawjson.Kind(value))
	}
	return s, nil
}

// answer reads a string or a list.
func answer(value []byte) (verbatim.Answer, error) {
	if value[0] == '[' {
		list, err := readList(value)
		return verbatim.ListAnswer(list), err
	}
	if value[0] == '-' || value[0] >= '0' && value[0] <= '9' {
		return verbatim.TextAnswer(string(value)), nil // a number as it is written
	}
	s, err := text(value)
	return verbatim.TextAnswer(s), err
}

// readList reads what the list of an Answer may hold: see verbatim.Answer.
func readList(array []byte) (list []any, err error) {
	// Only the start is counted: a list of lists would make room for the commas of all its lists.
	const counted = 1 << 10
	if n := bytes.Count(array[:min(len(array), counted)], []byte(",")); n > 0 {
		list = make([]any, 0, n+1)
	}
	rawjson.Elements(array, func(value []byte) {
		if err == nil {
			var v any
			v, err = element(value)
			list = append(list, v)
		}
	})
	return list, err
}

// element reads an item of a list.
func element(value []byte) (any, error) {
	switch value[0] {
	case '{':
		return nil, errors.New("a list cannot hold an object")
	case '[':
		inner, err := readList(value)
		return verbatim.ListAnswer(inner).List, err
	case '"':
		return text(value)
	case 't', 'f':
		return value[0] == 't', nil
	case 'n':
		return nil, nil
	}
	word := string(value)
	if bytes.ContainsAny(value, ".eE") {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%.40s is not a float64", word)
		}
		return f, nil
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return n, nil
	}
	n, _ := new(big.Int).SetString(word, 10)
	return n, nil
}
