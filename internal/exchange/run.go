package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"iter"

	"verbatim"
	"verbatim/internal/rawjson"
)

// A Run is a run with its records in planned order. Records may be iterated more than once, and
// reads the files each time. Its errors are of reading: the contents were checked before.
type Run struct {
	verbatim.Run
	Records iter.Seq2[verbatim.Record, error]
	Left    int64 // samples of the file that its writer invalidated, which are left out
}

// Records returns an iterator over records in memory.
func Records(list []verbatim.Record) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for _, rec := range list {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// Published is the grader of scores that were published without their replies.
const Published = "published"

// ScoreOnly is the label of a score of another program below the full one: what is wrong with the
// reply is unknown.
const ScoreOnly = "score_only"

// ClaimedGrade returns the grade of a score by another program: a pass for 1, otherwise ScoreOnly.
func ClaimedGrade(grader string, score float64) *verbatim.Grade {
	right := score == 1
	g := &verbatim.Grade{Grader: grader, Outcome: verbatim.Wrong, Label: ScoreOnly, Exact: right, Extracted: right}
	if right {
		g.Outcome, g.Label = verbatim.Pass, "pass"
	}
	if score >= 0 && score <= 1 {
		g.Score = &score
	}
	return g
}

// userPrompt returns a prompt of one message of the user.
func userPrompt(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

// maxErrors is the most errors of one import that are listed.
const maxErrors = 20

// problems collects the errors of one import.
type problems struct {
	errs []error
	more int // the number of errors after maxErrors
}

// Add adds an error, unless it is nil.
func (p *problems) Add(err error) {
	switch {
	case err == nil:
	case len(p.errs) < maxErrors:
		p.errs = append(p.errs, err)
	default:
		p.more++
	}
}

// Count returns the number of errors.
func (p *problems) Count() int { return len(p.errs) + p.more }

// Err joins the first maxErrors errors, and says how many more there are; nil without any.
func (p *problems) Err() error {
	if p.more > 0 {
		return errors.Join(append(p.errs, fmt.Errorf("and %d more errors", p.more))...)
	}
	return errors.Join(p.errs...)
}

// An itemsHash is the SHA-256 of a list of items as lines of JSON, as a file of items has them. It
// does not depend on the files from which the items come.
type itemsHash struct {
	hash.Hash
	N int // the number of items
}

// newItemsHash returns the hash of no items.
func newItemsHash() *itemsHash { return &itemsHash{Hash: sha256.New()} }

// Add adds an item.
func (h *itemsHash) Add(it *verbatim.Item) error {
	h.N++
	enc := json.NewEncoder(h)
	enc.SetEscapeHTML(false)
	return enc.Encode(it)
}

// Plan returns the plan of an imported run with these items of edition reference: count requests
// in the order of its files. name is that of the file. The hash of the plan differs from that of a
// run of this program with the same items, which has another order: positions of the two must never
// be compared.
func (h *itemsHash) Plan(suite, name string, trials int, count int64) verbatim.Plan {
	return h.editionPlan(verbatim.Reference, suite, name, trials, count)
}

// inMemory returns a run with these records, in this order. It sets their positions and the plan,
// whose suite and file of items have these names.
func inMemory(run verbatim.Run, suite, name string, records []verbatim.Record) (Run, error) {
	h, trials := newItemsHash(), 1
	for i := range records {
		rec := &records[i]
		rec.Seq, trials = int64(i), max(trials, rec.Trial+1)
		if rec.Trial > 0 {
			continue
		}
		if err := h.Add(rec.Item); err != nil {
			return Run{}, err
		}
	}
	run.Plan = h.Plan(suite, name, trials, int64(len(records)))
	return Run{Run: run, Records: Records(records)}, nil
}

// EditionPlan is Plan for items of any edition.
func (h *itemsHash) editionPlan(edition verbatim.Edition, suite, name string, trials int, count int64) verbatim.Plan {
	p := verbatim.Plan{
		Suite:   suite,
		Edition: edition,
		Trials:  trials,
		Items:   &verbatim.ItemFile{SHA256: hex.EncodeToString(h.Sum(nil)), N: h.N},
		Count:   count,
	}
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // JSON can hold numbers and hexadecimal digits
	}
	sum := sha256.Sum256(append([]byte("verbatim import 1\n"), data...))
	p.Hash, p.Items.Name = hex.EncodeToString(sum[:]), name
	return p
}

// Text returns the text of a JSON string. Half of a surrogate pair, which Python's json module
// writes as an escape, and bytes that are not UTF-8 stay. raw must be valid JSON.
func Text(raw json.RawMessage) (string, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' {
		return "", fmt.Errorf("want text, found %s", rawjson.Kind(raw))
	}
	s, ok := rawjson.Text(raw)
	if !ok {
		return "", fmt.Errorf("a text holds a broken escape: %.20q", raw)
	}
	return s, nil
}
