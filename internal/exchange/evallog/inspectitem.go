package evallog

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
)

// item returns the item of a sample. single says that exactly one answer is right, so that replies
// can be graded here.
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
		want = pylit.Strip(r.text(targets[0])) // the grader strips replies too
	}
	// The prompt and not the input, whose messages have other ids in every run.
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

// sampleName returns the id of a sample, a text or a whole number, as a text.
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

// targets returns the right answers of a sample.
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

// facts returns the metadata of a sample by which a report can group records: texts, numbers and
// truth values of at most 100 bytes, at most 20, the first ones by name.
func facts(metadata map[string]json.RawMessage) map[string]string {
	const most, mostBytes = 20, 100
	out := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		raw := strings.TrimSpace(string(metadata[key]))
		if key == "" || key == noteKey || exchange.Word(key) != key || raw == "" || len(raw) > mostBytes || len(out) == most {
			continue
		}
		switch raw[0] {
		case '{', '[', 'n': // null, or several values
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

// claim returns the grade that the log has for a sample: that of the first scorer with a score for
// it. It returns nil without a score, and for one that is no number.
func (l *inspectLog) claim(s *inspectSample) *verbatim.Grade {
	var scorers []string
	for _, scorer := range l.head.Eval.Scorers {
		scorers = append(scorers, scorer.Name)
	}
	scorers = append(scorers, slices.Sorted(maps.Keys(s.Scores))...) // those that the head of the log lacks
	for _, name := range scorers {
		score, ok := s.Scores[name]
		if !ok {
			continue
		}
		if v, ok := scoreValue(score.Value); ok {
			return exchange.ClaimedGrade("inspect-"+exchange.Word(name), v)
		}
		return nil
	}
	return nil
}

// scoreValue returns the value of a score as Inspect's metrics do: 1 for C, ½ for P, 0 for I and N.
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
