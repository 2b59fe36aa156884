package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/report/parameter"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

// A GroupFact is something that --group-by can name.
type GroupFact struct {
	Name string
	Doc  string // what it is, in a few words
}

// GroupFacts lists what --group-by takes by a name of its own. In addition to these it takes
// every fact that items name, as NAME, or as fact:NAME where the list has another
// meaning for the word.
func GroupFacts() []GroupFact {
	var list []GroupFact
	for _, f := range knownFacts() {
		list = append(list, GroupFact{f.name, f.doc})
	}
	return list
}

// A groupFact reads a value of a run or of a record; "" is unknown.
type groupFact struct {
	name, doc string
	run       func(*verbatim.Run) string
	record    func(*verbatim.Record) string
	// hidden says that records which differ in it should not be pooled unnoticed.
	hidden bool
	// scope names what a hidden value is about: values that are about different things
	// are no difference. Nil: all are about the same.
	scope func(run *verbatim.Run, value string) string
}

// knownFacts lists the facts that have names of their own, those first that are asked
// for most. The hidden ones are warned of in this order.
func knownFacts() []groupFact {
	return []groupFact{
		{name: "task", doc: "the family of the item, such as reverse", record: familyOf},
		{name: "length", doc: "the length of the item", record: ofItem(verbatim.FactLength)},
		{name: "model", doc: "the model of the run", run: func(r *verbatim.Run) string { return r.Model }, hidden: true},
		{name: "run", doc: "the run's name", run: func(r *verbatim.Run) string { return r.Name }},
		{name: "provider", doc: "the provider or address of the model", run: func(r *verbatim.Run) string { return provider(r.Model) }},
		{name: "effort", doc: "the reasoning effort of the requests", run: func(r *verbatim.Run) string { return r.Params.Effort }},
		{name: "temperature", doc: "the temperature of the requests", run: temperature},
		{name: "suite", doc: "the suite of the plan", run: func(r *verbatim.Run) string { return r.Plan.Suite }, hidden: true},
		{name: "edition", doc: "the edition of the item", record: ofItem(verbatim.FactEdition), hidden: true},
		{name: "version", doc: "the family with its version, such as reverse@1", record: itemVersion, scope: before("@"), hidden: true},
		{name: "prompt", doc: "the prompt variant: shots, paraphrase, system prompt", run: promptOf, hidden: true},
		{name: "parameters", doc: "the parameters of the requests", run: func(r *verbatim.Run) string { return parameter.Text(r.Params) }, hidden: true},
		{name: "seed", doc: "the seed of the plan", run: func(r *verbatim.Run) string { return strconv.FormatUint(r.Plan.Seed, 10) }, hidden: true},
		{name: "trials", doc: "the number of trials per item", run: func(r *verbatim.Run) string { return strconv.Itoa(r.Plan.Trials) }, hidden: true},
		{name: "plan", doc: "the hash of the plan", run: func(r *verbatim.Run) string { return terminal.Prefix(r.Plan.Hash, 12) }, hidden: true},
		{name: "served", doc: "the model that the server reports", record: servedModel,
			scope: func(r *verbatim.Run, _ string) string { return r.Model }, hidden: true},
		{name: "upstream", doc: "the server behind a router, or the fingerprint of the model", record: UpstreamOf,
			scope: func(r *verbatim.Run, _ string) string { return r.Model }, hidden: true},
		{name: "grader", doc: "the grader with its version", record: graderOf, scope: before("/"), hidden: true},
		{name: "day", doc: "the UTC day of the request", record: dayOf},
		{name: "trial", doc: "the trial of the item, from 0", record: func(r *verbatim.Record) string { return strconv.Itoa(r.Trial) }},
		{name: "outcome", doc: "the outcome: pass, wrong, error and so on", record: func(r *verbatim.Record) string { return string(r.Outcome) }},
		{name: "label", doc: "the label of the grade", record: labelOf},
		{name: "finish", doc: "the finish reason of the reply", record: finishOf},
		{name: knobFact, doc: "the fact that makes items of the task harder, with its value, such as ties=2", record: knobOf()},
		{name: "mode", doc: "SortBench's basic, advanced or debug", record: ofItem(verbatim.FactMode)},
		{name: "origin", doc: "the source of imported replies", run: func(r *verbatim.Run) string { return r.Origin }},
		{name: "tool", doc: "the version of the program that made the run", run: func(r *verbatim.Run) string { return r.Tool }},
	}
}

// knobFact groups by the first knob that the family of an item declares.
const knobFact = "knob"

// knobOf reads the knob of an item. The families are looked at once, when a record is read.
func knobOf() func(*verbatim.Record) string {
	all := sync.OnceValue(task.AllKnobs)
	return func(r *verbatim.Record) string { return all().First(r.Item) }
}

// ParseGroupBy reads what --group-by was given: names with commas between them. The
// empty text is no grouping. Whether items name a fact that GroupFacts does not list
// is known only once they are read; Of says so where none of them does.
func ParseGroupBy(s string) ([]string, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var names []string
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return nil, fmt.Errorf("%q has nothing between two commas, or at an end: name facts as in model,length", terminal.Visible(s))
		}
		names = append(names, name)
	}
	_, err := groupFacts(names)
	return names, err
}

// groupFacts finds the facts with the names.
func groupFacts(names []string) ([]groupFact, error) {
	var list []groupFact
	for _, name := range names {
		f, err := groupFactOf(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(o groupFact) bool { return o.name == f.name }) {
			return nil, fmt.Errorf("%s is named twice", terminal.Visible(name))
		}
		list = append(list, f)
	}
	if len(list) > maxGroupBy {
		return nil, fmt.Errorf("%d facts to group by are too many: name at most %d", len(list), maxGroupBy)
	}
	return list, nil
}

// maxGroupBy is how many facts make a table that can be read.
const maxGroupBy = 8

func groupFactOf(name string) (groupFact, error) {
	for _, f := range knownFacts() {
		if f.name == alias(name) {
			return f, nil
		}
	}
	own := strings.TrimPrefix(name, "fact:")
	if own == "" || strings.ContainsFunc(own, func(r rune) bool { return r == ':' || r < ' ' }) {
		return groupFact{}, fmt.Errorf("%q names no fact: there are %s, and those that items name, as fact:NAME", terminal.Visible(name), factNames())
	}
	return groupFact{name: "fact:" + own, record: ofItem(own)}, nil
}

// alias returns the fact that other words for it mean.
func alias(name string) string {
	switch name {
	case "family":
		return "task"
	case "variant":
		return "prompt"
	case "served_model":
		return "served"
	}
	return name
}

func factNames() string {
	var names []string
	for _, f := range GroupFacts() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

func ofItem(fact string) func(*verbatim.Record) string {
	return func(r *verbatim.Record) string { return r.Item.Facts[fact] }
}

// before returns the scope of values that a mark separates from their versions.
func before(mark string) func(*verbatim.Run, string) string {
	return func(_ *verbatim.Run, value string) string {
		name, _, _ := strings.Cut(value, mark)
		return name
	}
}

// itemVersion returns the family and version that the id of a drawn item begins with.
func itemVersion(r *verbatim.Record) string {
	head, _, _ := strings.Cut(r.Item.ID, "/")
	if !strings.Contains(head, "@") {
		return ""
	}
	return head
}

func servedModel(r *verbatim.Record) string {
	if r.Reply == nil {
		return ""
	}
	return r.Reply.ServedModel
}

func graderOf(r *verbatim.Record) string {
	if r.Grade == nil {
		return ""
	}
	return r.Grade.Grader
}

func labelOf(r *verbatim.Record) string {
	if r.Grade == nil {
		return ""
	}
	return r.Grade.Label
}

func finishOf(r *verbatim.Record) string {
	if r.Reply == nil {
		return ""
	}
	return string(r.Reply.Finish)
}

func dayOf(r *verbatim.Record) string {
	at := askedAt(r)
	if at.IsZero() {
		return ""
	}
	return dayName(dayNumber(at))
}

func promptOf(r *verbatim.Run) string {
	if text := VariantText(r.Plan.Variant); text != "" {
		return text
	}
	return ItemsOwnPrompt
}

func temperature(r *verbatim.Run) string {
	if r.Params.Temperature == nil {
		return ""
	}
	return strconv.FormatFloat(*r.Params.Temperature, 'g', -1, 64)
}

// provider returns what a model's name says before the model: "openai" of
// "openai:gpt-4o", and of an address all but its fragment.
func provider(model string) string {
	if strings.HasPrefix(model, "http://") || strings.HasPrefix(model, "https://") {
		address, _, _ := strings.Cut(model, "#")
		return address
	}
	name, _, found := strings.Cut(model, ":")
	if !found {
		return ""
	}
	return name
}
