package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"verbatim"
)

// results are the lists and the outputs of one task at one length.
type results struct {
	lists, outputs listFile
	first          int64 // position of the first item in the plan
}

// An answer is the outputs of one model for the lists of one file.
type answer struct {
	model   string
	outputs map[string]json.RawMessage
}

// check returns an error unless the lists in the results file are the published ones.
func (f results) check(asked map[string]json.RawMessage) error {
	var source map[string]json.RawMessage
	if err := readJSON(f.lists.path, &source); err != nil {
		return err
	}
	for name := range asked {
		if err := f.same(name, source[name], asked[name]); err != nil {
			return err
		}
	}
	return nil
}

// read returns the items and the answers of a results file. first says whether it checks the lists,
// which is necessary once.
func (f results) read(namer sortBenchNamer, first bool) ([]*verbatim.Item, []answer, error) {
	var data struct {
		Unsorted map[string]json.RawMessage `json:"unsorted_lists"`
		Results  []struct {
			Model  string                     `json:"model"`
			Sorted map[string]json.RawMessage `json:"sorted_lists"`
		} `json:"results"`
	}
	path := f.outputs.path
	if err := readJSON(path, &data); err != nil {
		return nil, nil, err
	}
	if data.Unsorted == nil {
		return nil, nil, fmt.Errorf("%s: unsorted_lists is missing", path)
	}
	if first {
		if err := f.check(data.Unsorted); err != nil {
			return nil, nil, err
		}
	}
	lists, err := f.outputs.lists(data.Unsorted)
	if err != nil {
		return nil, nil, err
	}
	items, err := f.lists.items(path, lists, namer)
	if err != nil {
		return nil, nil, err
	}
	var answers []answer
	for i, r := range data.Results {
		if r.Model == "" {
			return nil, nil, fmt.Errorf("%s: results[%d]: the model is missing", path, i)
		}
		for name := range r.Sorted {
			if _, ok := data.Unsorted[name]; !ok {
				return nil, nil, fmt.Errorf("%s: results[%d] (%s): %s is not one of its unsorted_lists", path, i, r.Model, name)
			}
		}
		answers = append(answers, answer{r.Model, r.Sorted})
	}
	return items, answers, nil
}

// same returns an error unless two lists of a name, in JSON, are equal.
func (f results) same(name string, source, asked json.RawMessage) error {
	if source == nil {
		return fmt.Errorf("%s: %s is not in %s", f.outputs.path, name, f.lists.path)
	}
	if bytes.Equal(source, asked) {
		return nil
	}
	var a, b verbatim.Answer
	if err := a.UnmarshalJSON(source); err != nil {
		return fmt.Errorf("%s: %s: %w", f.lists.path, name, err)
	}
	if err := b.UnmarshalJSON(asked); err != nil {
		return fmt.Errorf("%s: %s: %w", f.outputs.path, name, err)
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	if errX != nil || errY != nil || !bytes.Equal(x, y) {
		return fmt.Errorf("%s: %s is not the list of that name in %s", f.outputs.path, name, f.lists.path)
	}
	return nil
}

// text returns the output for an item, nil without one.
func (a answer) text(it *verbatim.Item) (*string, error) {
	name := it.Facts[verbatim.FactList]
	raw, ok := a.outputs[name]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	s, err := Text(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &s, nil
}

// fill sets the reply of a record to the output for its item, or the failure if there is no output.
func (a answer) fill(rec *verbatim.Record) error {
	s, err := a.text(rec.Item)
	switch {
	case err != nil:
		return err
	case s == nil:
		rec.Outcome = verbatim.Errored
		rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoOutput}
	default:
		rec.Reply = &verbatim.Reply{Text: *s}
	}
	return nil
}

var errNoOutput = errors.New("the file holds no output of this model for this list")
