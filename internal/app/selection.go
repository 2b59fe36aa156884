package app

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/grade"
	"verbatim/internal/input"
	"verbatim/internal/task"
)

// A Selection says which items are sent, and with which prompts.
type Selection struct {
	Suite   string   // "": quick, or none if Tasks names some
	Tasks   []string // families or patterns
	Lengths string   // as task.ParseLengths reads them; "": those of the suite or family
	Items   string   // a number, or the path of a file of items; "": as in the suite
	Fields  string   // fields of the file that task.NewFields reads; "": by their names
	Lists   string   // folder of SortBench's published lists; "": none
	Edition string
	Seed    uint64
	Trials  int
	Prompt  PromptVariant
}

// A PromptVariant says how prompts differ from the items' own.
type PromptVariant struct {
	Shots      int
	Paraphrase string
	System     string // a text, or @ and the path of a file; "": the items' own
	NoSystem   bool   // no system prompt
	As         string // "tool" or "schema"; "" or "text": free text
}

// A Plan is a verbatim.Plan with the items of its file, if it has one.
type Plan struct {
	verbatim.Plan
	Taken string // which fields of a file of items were taken for what; "" for the program's own format
	items []verbatim.Item
}

// Deck returns the items in planned order, from the start.
func (p Plan) Deck() (*task.Deck, error) { return task.Open(p.Plan, p.items) }

// form returns the parameters with the form of answers that the plan requests.
func (p Plan) form(params verbatim.Params) verbatim.Params {
	if p.Variant != nil && p.Variant.As != "" {
		params.Structure = &verbatim.Structure{As: p.Variant.As, Schema: json.RawMessage("{}")}
	}
	return params
}

// maxItemCount is the largest number of items for each task and length.
const maxItemCount = 1_000_000_000

// Plan makes the plan of the selection, and reads the items of its file.
func (s *Selection) Plan() (Plan, error) {
	if s.Trials < 1 {
		return Plan{}, errkind.Usagef("", "--trials must be at least 1, got %d", s.Trials)
	}
	q := task.Request{Suite: s.Suite, Tasks: s.Tasks, Seed: s.Seed, Edition: verbatim.Edition(s.Edition), Trials: s.Trials}
	var items []verbatim.Item
	fields, err := task.NewFields(s.Fields)
	if err != nil {
		return Plan{}, err
	}
	if s.Lengths != "" {
		if q.Lengths, err = task.ParseLengths(s.Lengths, task.SuiteRanges(q.Suite, q.Edition)...); err != nil {
			return Plan{}, fmt.Errorf("--length: %w", err)
		}
	}
	switch n, notNumber := strconv.Atoi(s.Items); {
	case s.Items == "":
	case notNumber == nil:
		if n < 1 || n > maxItemCount {
			return Plan{}, errkind.Usagef("ask for at least one", "--items must be a number from 1 to %d, got %d", maxItemCount, n)
		}
		q.Items = n
	default:
		if q.File, items, err = readItems(s.Items, fields); err != nil {
			return Plan{}, err
		}
	}
	if s.Fields != "" && q.File == nil {
		return Plan{}, errkind.Usagef("add --items FILE, or leave it out", "--fields names fields of a file of items")
	}
	if s.Lists != "" {
		if q.Lists, items, err = task.PublishedLists(s.Lists); err != nil {
			return Plan{}, err
		}
		if q.Lists, items, err = task.PartOfLists(q.Lists, items, q); err != nil {
			return Plan{}, err
		}
		q.Tasks, q.Lengths, q.Items = nil, nil, 0
	}
	if q.Variant, err = s.Prompt.Variant(); err != nil {
		return Plan{}, err
	}
	plan, err := task.Plan(q)
	p := Plan{plan, fields.Taken(), items}
	if err == nil && plan.Variant != nil {
		_, err = p.Deck() // an error if there are too few examples
	}
	return p, err
}

// readItems reads a file of items. The hash of its bytes is part of the plan.
func readItems(path string, fields *task.Fields) (*verbatim.ItemFile, []verbatim.Item, error) {
	data, err := input.ReadFile(path, input.MaxItems)
	if err != nil {
		hint := "--items takes a number or the path of a file of items"
		if !strings.Contains(path, ".") {
			hint += "; to run a suite use --suite"
		}
		return nil, nil, errkind.Usagef(hint, "--items: %w", err)
	}
	return task.ReadItems(filepath.Base(path), data, filepath.Dir(path), fields, grade.Check)
}

// Differs reports whether prompts differ from the items' own at all.
func (v *PromptVariant) Differs() bool {
	own := *v
	if own.As == "text" {
		own.As = ""
	}
	return own != PromptVariant{}
}

// Variant returns the prompt variant of a plan. It reads the file of System, if it names one.
func (v *PromptVariant) Variant() (verbatim.Variant, error) {
	out := verbatim.Variant{Shots: v.Shots, Paraphrase: v.Paraphrase}
	if v.As != "text" {
		out.As = verbatim.StructureKind(v.As)
	}
	if v.NoSystem {
		if v.System != "" {
			return out, errkind.Usagef("use one of the two", "--system and --no-system cannot go together")
		}
		out.System = task.NoSystem
		return out, nil
	}
	if v.System == "" {
		return out, nil
	}
	text, err := systemText(v.System)
	if err != nil {
		return out, err
	}
	if text == "" || text == task.NoSystem {
		return out, errkind.Usagef("to leave the items' own system prompts out use --no-system", "--system %s: the text is empty", strconv.Quote(v.System))
	}
	out.System = text
	return out, nil
}

// systemText returns the text of --system: itself, or the content of the file that it names with @,
// without line ends at its end.
func systemText(s string) (string, error) {
	path, file := strings.CutPrefix(s, "@")
	if !file {
		return s, nil
	}
	const hint = "--system takes a text, or @ and the path of a file of text"
	data, err := input.ReadFile(path, input.MaxText)
	if err != nil {
		return "", errkind.Usagef(hint, "--system: %w", err)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}
