package task

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
)

// partNames are the names that files of others give the parts of an item, in lower case and with _ for
// spaces. A name of an earlier group is taken before one of a later group. Two of one group are
// ambiguous.
var partNames = map[string][][]string{
	"prompt": {{"prompt", "messages", "input", "question"}, {"problem", "query", "user_input", "conversations"}, {"instruction"}},
	"answer": {
		{"want", "target", "answer", "ideal", "expected", "completion"},
		{"expected_answer", "expected_output", "correct_answer", "best_answer", "answerkey", "answers", "gold", "reference", "output", "response", "label"},
	},
	"id":     {{"id"}, {"unique_id", "uuid", "uid", "sample_id", "question_id", "task_id"}},
	"system": {{"system", "system_prompt"}},
}

// markedNumber matches the last line of an answer of GSM8K: its number, after the reasoning.
var markedNumber = regexp.MustCompile(`(?:^|\n)#### *(-?[0-9][0-9,]*(?:\.[0-9]+)?)\s*$`)

// beforePrompt are the names of texts that belong before the prompt, the last one first.
var beforePrompt = []string{"context", "passage", "instruction"}

// ownFields are the fields of this program's own lines.
var ownFields = []string{"accept", "facts", "grader", "id", "messages", "mistakes", "prompt", "source", "want"}

// Fields read rows whose fields have the names of others, and notes which were taken for what. Several
// goroutines may use it.
type Fields struct {
	chosen map[string]string // by part, the field that the user named
	mu     sync.Mutex
	seen   map[string]string // by field, the part for which it was taken, or ""
}

type object = map[string]json.RawMessage

// NewFields returns the Fields for the value of --fields, such as "prompt=question,answer=gold", or "".
func NewFields(chosen string) (*Fields, error) {
	s := &Fields{chosen: map[string]string{}}
	for pair := range strings.SplitSeq(chosen, ",") {
		if chosen == "" {
			break
		}
		part, name, _ := strings.Cut(pair, "=")
		if name == "" || !slices.Contains([]string{"prompt", "answer", "id", "reply"}, part) {
			return nil, errkind.Usagef("write --fields prompt=question,answer=gold", "--fields takes prompt=NAME, answer=NAME, id=NAME and, for replies to grade, reply=NAME, got %q", pair)
		}
		s.chosen[part] = normal(name)
	}
	return s, nil
}

// IsReply reports whether a field of that name has the reply to grade.
func (s *Fields) IsReply(name string) bool {
	return normal(name) == cmp.Or(s.chosen["reply"], "reply")
}

// Taken says which fields were taken for what; "" if all rows were this program's own lines.
func (s *Fields) Taken() string {
	by := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(s.seen)) {
		by[s.seen[name]] = append(by[s.seen[name]], name)
	}
	var list []string
	for _, part := range []string{"prompt", "answer", "id", "system", "text before the prompt"} {
		if by[part] != nil {
			list = append(list, part+" from "+quoted(by[part]))
		}
	}
	if by[""] != nil && list != nil {
		list = append(list, "not used: "+quoted(by[""]))
	}
	return strings.Join(list, "; ")
}

// quoted joins at most ten names.
func quoted(names []string) string {
	var list []string
	for _, name := range names[:min(10, len(names))] {
		list = append(list, fmt.Sprintf("%.60q", name))
	}
	if more := len(names) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}

// normal returns a name as partNames has it.
func normal(name string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// A namesError is a mistake about the names of fields, which all rows of a file share.
type namesError struct{ error }

func textMessage(role, text string) verbatim.Message {
	return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}}
}

// field returns the name of the field that holds a part; "" if none does.
func (s *Fields) field(r object, part string) (string, error) {
	groups := partNames[part]
	if name := s.chosen[part]; name != "" {
		if r[name] == nil {
			return "", namesError{fmt.Errorf("there is no field %q, which --fields names: the fields are %s", name, quoted(slices.Sorted(maps.Keys(r))))}
		}
		groups = [][]string{{name}}
	}
	empty := ""
	for _, group := range groups {
		var found []string
		for _, name := range group {
			switch value := string(r[name]); value {
			case "":
			case "null", `""`, "[]":
				empty = cmp.Or(empty, name)
			default:
				found = append(found, name)
			}
		}
		if len(found) > 1 {
			return "", namesError{fmt.Errorf("the %s may be in %s: choose one, as in --fields %s=%s", part, quoted(found), part, found[0])}
		}
		if len(found) == 1 {
			s.take(found[0], part)
			return found[0], nil
		}
	}
	if empty != "" && part != "system" {
		return "", fmt.Errorf("%q, the %s, is empty", empty, part)
	}
	return "", nil
}

// need is field, and an error if no field holds the part.
func (s *Fields) need(r object, part string) (string, error) {
	name, err := s.field(r, part)
	if err != nil || name != "" {
		return name, err
	}
	names := slices.Sorted(maps.Keys(r))
	for _, name := range names {
		if near := input.Nearest(name, ownFields); !slices.Contains(ownFields, name) && near != "" && r[near] == nil {
			return "", unknownField(name, ownFields)
		}
	}
	return "", namesError{fmt.Errorf("no field is the %s: the fields are %s. It is called %s, or named by --fields %s=NAME", part, quoted(names), strings.Join(partNames[part][0], ", "), part)}
}

// take notes the part for which a field was taken.
func (s *Fields) take(field, part string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string]string{}
	}
	s.seen[field] = cmp.Or(part, s.seen[field])
}

// isOwn reports whether a row is a line of this program's own format, in which an unknown field is a
// mistake.
func isOwn(r object) bool {
	whole := (r["prompt"] != nil || r["messages"] != nil) && (r["want"] != nil || r["accept"] != nil)
	for name := range r {
		if !slices.Contains(ownFields, name) {
			return whole && r["id"] != nil
		}
	}
	return whole || r["id"] != nil
}

// named returns a row, which may be in a member "row" or "item", with normal names.
func named(r object) (object, error) {
	for _, name := range []string{"row", "item"} {
		if inner := r[name]; len(inner) > 0 && inner[0] == '{' {
			var err error
			if r, err = members(inner); err != nil {
				return nil, err
			}
		}
	}
	out := object{}
	for name, value := range r {
		if out[normal(name)] != nil {
			return nil, fmt.Errorf("two fields are named %q", normal(name))
		}
		out[normal(name)] = value
	}
	switch {
	case out["vars"] != nil && out["assert"] != nil:
		return nil, namesError{errors.New(`"vars" and "assert" are a test of promptfoo, whose prompt is a template in another file: write the whole prompt and its answer`)}
	case rawjson.IsSet(out["choices"]) && out["choices"][0] != '"', rawjson.IsSet(out["options"]) && out["options"][0] != '"':
		return nil, namesError{errors.New("the choices are in a field of their own: write them into the prompt, and the letter of the right one as the answer")}
	}
	return out, nil
}

// own returns a row of others with the fields of this program.
func (s *Fields) own(r object) (object, error) {
	r, err := named(r)
	if err != nil {
		return nil, err
	}
	messages, last, err := s.prompt(r)
	if err != nil {
		return nil, err
	}
	answers, err := s.answers(r, last)
	if err != nil {
		return nil, err
	}
	out := object{}
	for name, value := range map[string]any{"want": answers[0], "accept": answers[1:], "messages": messages} {
		if out[name], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	if name, err := s.field(r, "id"); name != "" {
		out["id"] = r[name]
	} else if s.chosen["id"] != "" {
		return nil, err
	}
	for name := range r {
		s.take(name, "")
	}
	return out, nil
}

// prompt returns the messages of a row. If the last one is of the assistant and no field is the
// answer, it is the answer.
func (s *Fields) prompt(r object) (messages verbatim.Prompt, answer string, err error) {
	name, err := s.need(r, "prompt")
	if err != nil {
		return nil, "", err
	}
	switch value := r[name]; value[0] {
	case '"':
		text, err := s.before(r, name)
		if err != nil {
			return nil, "", err
		}
		messages = verbatim.Prompt{textMessage("user", text)}
	case '[':
		if messages, err = chat(value); err != nil {
			return nil, "", err
		}
	default:
		return nil, "", fmt.Errorf("%q, the prompt, is %s: want a text or messages", name, rawjson.Kind(value))
	}
	if end := len(messages) - 1; end > 0 && messages[end].Role == "assistant" {
		if field, err := s.field(r, "answer"); field == "" && err == nil {
			for _, part := range messages[end].Content {
				answer += part.Text
			}
			messages = messages[:end]
			s.take("the last message", "answer")
		}
	}
	if name, _ := s.field(r, "system"); name != "" && r[name][0] == '"' {
		text, _ := rawjson.Text(r[name])
		messages = slices.Insert(messages, 0, textMessage("system", text))
	}
	return messages, answer, nil
}

// before returns the text of a prompt with the texts of other fields that belong before it.
func (s *Fields) before(r object, prompt string) (string, error) {
	text, _ := rawjson.Text(r[prompt])
	for _, name := range beforePrompt {
		value := r[name]
		if name == prompt || !rawjson.IsSet(value) || string(value) == `""` {
			continue
		}
		more, ok := rawjson.Text(value)
		if !ok {
			return "", fmt.Errorf("%q, which belongs before the prompt, is %s: want a text", name, rawjson.Kind(value))
		}
		text = more + "\n\n" + text
		s.take(name, "text before the prompt")
	}
	return text, nil
}

// chat reads messages: OpenAI's, or ShareGPT's with "from" and "value".
func chat(value []byte) (messages verbatim.Prompt, err error) {
	roles := map[string]string{"human": "user", "gpt": "assistant", "model": "assistant", "developer": "system"}
	rawjson.Elements(value, func(element []byte) {
		role, _ := rawjson.Text([]byte(cmp.Or(string(rawjson.Member(element, "role")), string(rawjson.Member(element, "from")))))
		content := cmp.Or(string(rawjson.Member(element, "content")), string(rawjson.Member(element, "value")), "null")
		whole := fmt.Appendf(nil, `{"role":%s,"content":%s}`, rawjson.AppendString(nil, cmp.Or(roles[role], role)), content)
		var m verbatim.Message
		if wrong := json.Unmarshal(whole, &m); wrong != nil {
			err = cmp.Or(err, fmt.Errorf("message %d: %w", len(messages)+1, wrong))
		}
		messages = append(messages, m)
	})
	return messages, err
}

// Answers returns the right answers of a row without "want" and "accept", the expected one first.
func (s *Fields) Answers(row []byte) (answers []verbatim.Answer, err error) {
	r, err := members(row)
	if err == nil {
		r, err = named(r)
	}
	if err != nil {
		return nil, err
	}
	return s.answers(r, "")
}

// answers returns the right answers, the expected one first. last is the answer that ended the prompt,
// if any.
func (s *Fields) answers(r object, last string) (list []verbatim.Answer, err error) {
	name, texts := "messages", []string{last}
	if last == "" {
		if name, err = s.need(r, "answer"); err != nil {
			return nil, err
		}
		if name == "want" && r[name][0] == '[' { // one answer, which is a list
			list = make([]verbatim.Answer, 1)
			return list, json.Unmarshal(r[name], &list[0])
		}
		if texts, err = answerTexts(r[name]); err != nil {
			return nil, fmt.Errorf("%q, the answer, %w", name, err)
		}
	}
	for i, text := range texts {
		if number := markedNumber.FindStringSubmatch(text); number != nil {
			text = strings.ReplaceAll(number[1], ",", "")
		}
		// Graders strip replies of white space too.
		if texts[i] = pylit.Strip(text); texts[i] != "" && !slices.Contains(texts[:i], texts[i]) {
			list = append(list, verbatim.TextAnswer(texts[i]))
		}
	}
	if list == nil {
		err = fmt.Errorf("%q, the answer, is empty", name)
	}
	return list, err
}

// answerTexts returns the right answers of a value: a text, a number as it is written, a list of these,
// or an object with a text and its other spellings, as SQuAD and TriviaQA have it.
func answerTexts(value []byte) (texts []string, err error) {
	add := func(inner []byte) {
		if string(inner) == "null" || inner[0] == '[' && value[0] == '[' || inner[0] == '{' {
			err = fmt.Errorf("holds %s: want texts or numbers", rawjson.Kind(inner))
			return
		}
		more, wrong := answerTexts(inner)
		texts, err = append(texts, more...), cmp.Or(err, wrong)
	}
	switch value[0] {
	case '"':
		text, _ := rawjson.Text(value)
		return []string{text}, nil
	case '[':
		rawjson.Elements(value, add)
	case '{':
		rawjson.Members(value, func(name, inner []byte) {
			if slices.Contains([]string{"value", "text", "aliases"}, string(name)) {
				add(inner)
			}
		})
	default:
		return []string{string(value)}, nil
	}
	if len(texts) == 0 && err == nil {
		err = errors.New("has no text")
	}
	return texts, err
}

// Rows calls do with each row of a file, as a JSON object, and its place: the number n of a line or an
// element, as unit says. A file has JSON lines, one JSON array, one object around such an array, or a
// table with a header and commas, semicolons or tabs between its cells.
func Rows(name string, data []byte, do func(unit string, n int, row []byte)) error {
	if err := input.CheckText(name, data); err != nil {
		return err
	}
	const depth = 1000
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	document := bytes.TrimSpace(text)
	first, rest, _ := bytes.Cut(document, []byte("\n"))
	isOne := (rest == nil || rawjson.Check(first, depth) != nil) && rawjson.Check(document, depth) == nil
	list := document
	if isOne && document[0] == '{' {
		list = listIn(document)
	}
	switch separator := tableSeparator(name, string(first)); {
	case isOne && list == nil:
		do("line", 1, document)
		return nil
	case isOne && list[0] == '[':
		n := 0
		rawjson.Elements(list, func(row []byte) {
			n++
			do("element", n, row)
		})
		return nil
	case separator != 0:
		return table(name, text, separator, do)
	}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			do("line", n, line)
		}
	}
	return nil
}

// listIn returns the list of rows in an object that is no row itself, as data sets in one document
// have it; nil for a row.
func listIn(object []byte) []byte {
	for _, name := range slices.Concat(partNames["prompt"]...) {
		if rawjson.Member(object, name) != nil {
			return nil
		}
	}
	for _, name := range []string{"rows", "data", "examples", "items", "questions", "samples"} {
		if list := rawjson.Member(object, name); len(list) > 0 && list[0] == '[' {
			return list
		}
	}
	return nil
}

// tableSeparator returns the separator of a table's cells; 0 if a file has no table.
func tableSeparator(name, header string) rune {
	if header == "" || header[0] == '{' || header[0] == '[' {
		return 0
	}
	separator := slices.MaxFunc([]rune(",;\t"), func(a, b rune) int {
		return cmp.Compare(strings.Count(header, string(a)), strings.Count(header, string(b)))
	})
	known := slices.Concat(slices.Concat(partNames["prompt"]...), slices.Concat(partNames["answer"]...))
	isKnown := func(cell string) bool { return slices.Contains(known, normal(strings.Trim(cell, "\"\r"))) }
	cells := strings.Split(header, string(separator))
	if ext := strings.ToLower(filepath.Ext(name)); ext != ".csv" && ext != ".tsv" && (len(cells) == 1 || !slices.ContainsFunc(cells, isKnown)) {
		return 0
	}
	return separator
}

// table reads a table with a header. A cell is a text; an empty one is no field.
func table(name string, text []byte, separator rune, do func(string, int, []byte)) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.LazyQuotes = separator, separator == '\t' // most tables with tabs have no quoted cells
	header, err := r.Read()
	for err == nil {
		var record []string
		if record, err = r.Read(); err != nil {
			break
		}
		line, _ := r.FieldPos(0)
		row := []byte{'{'}
		for i, cell := range record {
			if cell != "" {
				row = append(rawjson.AppendString(row, strings.TrimSpace(header[i])), ':')
				row = append(rawjson.AppendString(row, cell), ',')
			}
		}
		do("line", line, append(bytes.TrimSuffix(row, []byte(",")), '}'))
	}
	if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
		return &input.FileError{File: name, Line: wrong.Line, Reason: wrong.Err.Error(), Advice: "every row needs as many cells as the header; a cell with a quote, comma or line feed is between quotes"}
	}
	return nil // the end
}
