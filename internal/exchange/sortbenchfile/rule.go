package sortbenchfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"verbatim"
	"verbatim/internal/exchange"
)

// hardMode is the mode of lists that are not in the order of Python's sorted. Next to a file of
// them is one whose name ends in "_rules".
const hardMode = "hard"

// A rule is what a list is to be sorted by, as it was asked, and the sorted list. Mistakes are the
// wrong answers that the item foresees; files of earlier versions have none.
type rule struct {
	Messages verbatim.Prompt    `json:"messages"`
	Sorted   verbatim.Answer    `json:"sorted"`
	Mistakes []verbatim.Mistake `json:"mistakes,omitempty"`
	Facts    map[string]string  `json:"facts,omitempty"` // that the names of the file and the list do not say
}

// rules reads the rules of a file of lists, by the list's name; nil if there is no file of
// them.
func (f listFile) rules() (map[string]rule, error) {
	stem := strings.TrimSuffix(strings.TrimSuffix(f.path, ".gz"), ".json") + "_rules.json"
	for _, path := range []string{stem + ".gz", stem} {
		switch _, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		var rules map[string]rule
		if err := exchange.ReadJSON(path, &rules); err != nil {
			return nil, err
		}
		return rules, nil
	}
	if f.mode == hardMode {
		return nil, fmt.Errorf("%s: there is no %s.gz next to it, which says how the lists are sorted: export the run again", f.path, stem)
	}
	return nil, nil
}

// apply makes the item of a list that is sorted by a rule. SortBench's scorer cannot score it.
func (r rule) apply(it *verbatim.Item, list []any) error {
	if !r.Sorted.IsList() || len(r.Sorted.List) != len(list) || len(r.Messages) == 0 {
		return fmt.Errorf("its rule needs messages and a sorted list of %d elements", len(list))
	}
	source := verbatim.ListAnswer(list)
	it.Prompt, it.Want, it.Source, it.Grader, it.Mistakes = r.Messages, r.Sorted, &source, "list", r.Mistakes
	it.Facts[verbatim.FactEdition] = string(verbatim.Standard)
	for name, value := range r.Facts {
		if _, ok := it.Facts[name]; !ok {
			it.Facts[name] = value
		}
	}
	return nil
}

// rules returns the contents of the file of rules; nil for lists without them.
func (f *outFile) rules() ([]byte, error) {
	if len(f.ruled) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(f.ruled); err != nil {
		return nil, fmt.Errorf("write the rules: %w", err)
	}
	return b.Bytes(), nil
}
