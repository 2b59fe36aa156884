package evallog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
)

// An lmReader reads one file of samples.
type lmReader struct {
	path, task string
	ours       bool             // this program has written the file
	seen       map[int64]string // by document: the filter that counts
}

// lines returns the records of each line. After the error of a line, the next one follows; an error
// of the file is the last value.
func (r *lmReader) lines() iter.Seq2[[]verbatim.Record, error] {
	return func(yield func([]verbatim.Record, error) bool) {
		f, err := exchange.OpenUpTo(r.path, math.MaxInt64)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		in := bufio.NewScanner(exchange.PythonJSON(bufio.NewReaderSize(f, 1<<16)))
		in.Buffer(make([]byte, 1<<16), maxSample)
		n := 0
		for in.Scan() {
			n++
			if n > maxSamples {
				yield(nil, fmt.Errorf("%s: more than %d lines", r.path, maxSamples))
				return
			}
			if len(strings.TrimSpace(in.Text())) == 0 {
				continue
			}
			recs, err := r.line(in.Bytes())
			if err != nil {
				err = fmt.Errorf("%s: line %d: %w", r.path, n, err)
			}
			if !yield(recs, err) {
				return
			}
		}
		if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(nil, fmt.Errorf("%s: line %d: more than %d MB", r.path, n+1, maxSample>>20))
		} else if err != nil && err != io.EOF {
			yield(nil, err)
		}
	}
}

// line returns the records of a line: one for each repeat, none after a line of the same document
// with another filter.
func (r *lmReader) line(data []byte) ([]verbatim.Record, error) {
	var s lmSample
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, exchange.KindError(err)
	}
	if s.DocID == nil || len(s.Resps) == 0 {
		return nil, fmt.Errorf("this is no sample of lm-eval: it has no doc_id or no resps")
	}
	texts, err := responses(s.Resps)
	if err != nil {
		return nil, err
	}
	if r.ours && s.Note != nil {
		rec, err := s.restored(texts)
		if err != nil {
			return nil, err
		}
		return []verbatim.Record{rec}, nil
	}
	if filter, again := r.seen[*s.DocID]; again {
		if filter == s.Filter {
			return nil, fmt.Errorf("there is a line with the doc_id %d and the filter %.60q before", *s.DocID, s.Filter)
		}
		return nil, nil
	}
	r.seen[*s.DocID] = s.Filter
	return r.foreign(&s, data, texts)
}

// responses returns the texts of a document, which has one request.
func responses(raw json.RawMessage) ([]string, error) {
	var texts [][]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, fmt.Errorf("resps: want a list with a list of texts: tasks that compare log-likelihoods cannot be read")
	}
	if len(texts) != 1 || len(texts[0]) == 0 {
		return nil, fmt.Errorf("resps: %d requests for one document: want one, with at least one text", len(texts))
	}
	return texts[0], nil
}

// foreign returns the records of a sample of another program.
func (r *lmReader) foreign(s *lmSample, line []byte, texts []string) ([]verbatim.Record, error) {
	arguments := s.Arguments["gen_args_0"]
	prompt, err := lmPrompt(arguments["arg_0"])
	if err != nil {
		return nil, err
	}
	want, single, err := lmTarget(s.Target)
	if err != nil {
		return nil, err
	}
	content, err := marshal([]any{r.task, prompt, want})
	if err != nil {
		return nil, err
	}
	it := &verbatim.Item{
		ID:     fmt.Sprintf("lm-eval:%s/%d/%s", exchange.Word(r.task), *s.DocID, exchange.Digest(string(content))),
		Prompt: prompt, Want: verbatim.TextAnswer(want), Facts: map[string]string{verbatim.FactFamily: exchange.Word(r.task)},
	}
	var sent struct {
		Max *float64 `json:"max_gen_toks"`
	}
	_ = json.Unmarshal(arguments["arg_1"], &sent) // a missing or other value is unknown
	claim := s.claim(line)
	var out []verbatim.Record
	for i, text := range texts {
		rec := verbatim.Record{Item: it, Trial: i, Prompt: prompt}
		if n := sent.Max; n != nil && *n >= 1 && *n <= math.MaxInt32 {
			rec.MaxTokens = int(*n)
		}
		switch {
		case single:
			rec.Reply = &verbatim.Reply{Text: text}
			if len(texts) == 1 {
				rec.Grade = claim // with several repeats, it grades the result of a filter
			}
		case claim != nil:
			rec.Outcome, rec.Grade = claim.Outcome, claim
		default:
			rec.Outcome = verbatim.Skipped
			rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoTarget}
		}
		out = append(out, rec)
	}
	return out, nil
}

// lmPrompt returns the prompt that was sent: a text, or the messages of a chat as JSON in a text.
func lmPrompt(raw json.RawMessage) (verbatim.Prompt, error) {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		var wrapped []string // a chat is a tuple of one text
		if json.Unmarshal(raw, &wrapped) != nil || len(wrapped) == 0 {
			return nil, fmt.Errorf("arguments.gen_args_0.arg_0: want a text, found %s", rawjson.Kind(bytes.TrimSpace(raw)))
		}
		s = wrapped[0]
	}
	var chat []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	if !strings.HasPrefix(s, "[{") || json.Unmarshal([]byte(s), &chat) != nil || len(chat) == 0 {
		return exchange.UserPrompt(s), nil
	}
	var p verbatim.Prompt
	for _, m := range chat {
		switch m.Role {
		case "system", "user", "assistant":
		default:
			return exchange.UserPrompt(s), nil // a text that only looks like a chat
		}
		p = append(p, verbatim.Message{Role: m.Role, Content: []verbatim.Part{{Text: m.Content}}})
	}
	return p, nil
}

// lmTarget returns the right answer. single is false if there are several, which are written as a
// Python list, or none.
func lmTarget(raw json.RawMessage) (want string, single bool, err error) {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = strings.TrimSpace(string(raw)) // a number
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return "", false, fmt.Errorf("target: want a text, found %s", rawjson.Kind([]byte(s)))
		}
	}
	if v, err := pylit.Parse(s); err == nil && v.Kind() == pylit.List {
		list := v.Items()
		if len(list) != 1 || list[0].Kind() != pylit.Str {
			return "", false, nil
		}
		s = list[0].Text()
	}
	s = pylit.Strip(s)
	return s, s != "", nil
}

// claim returns the grade of the first metric; nil without a metric or a number.
func (s *lmSample) claim(line []byte) *verbatim.Grade {
	if len(s.Metrics) == 0 {
		return nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return nil
	}
	v, ok := scoreValue(all[s.Metrics[0]])
	if !ok {
		return nil
	}
	return exchange.ClaimedGrade("lm-eval-"+exchange.Word(s.Metrics[0]), v)
}

// restored returns a record that WriteLMEval has written.
func (s *lmSample) restored(texts []string) (verbatim.Record, error) {
	n := s.Note
	if err := n.check(); err != nil {
		return verbatim.Record{}, err
	}
	if n.Reply == nil || s.Grade == nil || !n.Outcome.Answered() {
		return verbatim.Record{}, fmt.Errorf("verbatim: the sample has no reply or no grade")
	}
	r := resolver{}
	paths := n.Images
	shown, err := r.prompt(n.Sent, &paths)
	if err != nil {
		return verbatim.Record{}, err
	}
	rec, err := n.record(shown, r, paths)
	rec.Grade, rec.Reply = s.Grade, n.Reply.reply(texts[0], n.Thought)
	return rec, err
}

// lmTime returns the time in the name of a file; zero without one. It is a local time without a
// zone, and is read as UTC.
func lmTime(s string) time.Time {
	t, _ := time.Parse("2006-01-02T15-04-05.999999", s) // zero after an error
	return t
}
