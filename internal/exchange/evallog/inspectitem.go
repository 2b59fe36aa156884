package evallog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
)

// item makes the item that a sample answers. Single says that exactly one answer
// is right, so that replies can be graded here.
func (l *inspectLog) item(s *inspectSample, r resolver) (it *verbatim.Item, single bool, err error) {
	id, err := sampleName(s.ID)
	if err != nil {
		return nil, false, err
	}
	prompt, err := s.prompt(r, new([]string))
	if err != nil {
		return nil, false, err
	}
	targets, err := s.targets()
	if err != nil {
		return nil, false, err
	}
	want := ""
	if len(targets) == 1 {
		want = pylit.Strip(r.text(targets[0])) // replies are stripped before they are compared
	}
	// Not the input as it stands: its messages have ids that change with every run.
	content, err := marshal([]any{l.head.Eval.Task, id, prompt, targets})
	if err != nil {
		return nil, false, err
	}
	it = &verbatim.Item{
		ID:     "inspect:" + l.family() + "/" + exchange.Word(id) + "/" + exchange.Digest(string(content)),
		Prompt: prompt, Want: verbatim.TextAnswer(want), Facts: facts(s.Metadata),
	}
	if it.Facts[verbatim.FactFamily] == "" {
		it.Facts[verbatim.FactFamily] = l.family()
	}
	return it, want != "", nil
}

// sampleName is the id of a sample, a text or a whole number, as a text.
func sampleName(raw json.RawMessage) (string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, nil
	}
	var n int64
	if json.Unmarshal(raw, &n) == nil {
		return fmt.Sprint(n), nil
	}
	return "", fmt.Errorf("id: want a text or a whole number, found %s", rawjson.Kind(raw))
}

// targets are the right answers of a sample.
func (s *inspectSample) targets() ([]string, error) {
	var one string
	if json.Unmarshal(s.Target, &one) == nil {
		return []string{one}, nil
	}
	var several []string
	if len(s.Target) > 0 && json.Unmarshal(s.Target, &several) == nil {
		return several, nil
	}
	return nil, fmt.Errorf("target: want a text or a list of texts, found %s", rawjson.Kind(s.Target))
}

// facts takes what a report may group by from a sample's metadata: texts, numbers
// and truth values of at most 100 bytes, the first 20 by name.
func facts(metadata map[string]json.RawMessage) map[string]string {
	const most, mostBytes = 20, 100
	out := map[string]string{}
	var keys []string
	for key := range metadata {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		raw := strings.TrimSpace(string(metadata[key]))
		if key == "" || key == noteKey || exchange.Word(key) != key || raw == "" || len(raw) > mostBytes || len(out) == most {
			continue
		}
		switch raw[0] {
		case '{', '[', 'n': // not a single value, or null
		case '"':
			var s string
			if json.Unmarshal([]byte(raw), &s) == nil && s != "" {
				out[key] = s
			}
		default:
			out[key] = raw
		}
	}
	return out
}

// claim is what the log says of a sample by its first scorer; nil when there is no
// score, or none that is right or wrong.
func (l *inspectLog) claim(s *inspectSample) *verbatim.Grade {
	name, score, ok := l.score(s)
	if !ok {
		return nil
	}
	v, ok := scoreValue(score.Value)
	if !ok {
		return nil
	}
	return exchange.ClaimedGrade("inspect-"+exchange.Word(name), v)
}

// score returns the score by the first scorer of the log that judged the sample.
func (l *inspectLog) score(s *inspectSample) (string, inspectScore, bool) {
	for _, scorer := range l.head.Eval.Scorers {
		if score, ok := s.Scores[scorer.Name]; ok {
			return scorer.Name, score, true
		}
	}
	var names []string
	for name := range s.Scores {
		names = append(names, name)
	}
	if len(names) == 0 {
		return "", inspectScore{}, false
	}
	name := slices.Min(names)
	return name, s.Scores[name], true
}

// scoreValue reads a score's value as Inspect's metrics do: C is 1, P is ½, I and N
// are 0.
func scoreValue(raw json.RawMessage) (float64, bool) {
	switch s := strings.TrimSpace(string(raw)); s {
	case `"C"`, "true":
		return 1, true
	case `"P"`:
		return 0.5, true
	case `"I"`, `"N"`, "false":
		return 0, true
	case "", "null":
		return 0, false
	}
	var v float64
	return v, json.Unmarshal(raw, &v) == nil
}
