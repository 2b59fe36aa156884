package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"verbatim"

	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

// A GroupFact is something that --group-by can name.
type GroupFact struct {
	Name string
	Doc  string // what it is, in a few words
}

// GroupFacts lists the facts that --group-by takes. It also takes every fact of items, as NAME, or
// as fact:NAME if the list has another meaning for the word.
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
	// hidden says that records with different values should not be pooled unnoticed.
	hidden bool
	// scope names what a hidden value is about, such as the grader of a version. Values with
	// different scopes are no difference. Nil: all values have one scope.
	scope func(run *verbatim.Run, value string) string
}

// knownFacts lists the facts that have names of their own, roughly by how often they are used.
// Warnings about hidden facts are in this order.
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
		{name: "prompt", doc: "the prompt variant: shots, paraphrase, system prompt", run: func(r *verbatim.Run) string { return promptText(r.Plan.Variant) }, hidden: true},
		{name: "parameters", doc: "the parameters of the requests", run: func(r *verbatim.Run) string { return ParameterText(r.Params) }, hidden: true},
		{name: "seed", doc: "the seed of the plan", run: func(r *verbatim.Run) string { return strconv.FormatUint(r.Plan.Seed, 10) }, hidden: true},
		{name: "trials", doc: "the number of trials per item", run: func(r *verbatim.Run) string { return strconv.Itoa(r.Plan.Trials) }, hidden: true},
		{name: "plan", doc: "the hash of the plan", run: func(r *verbatim.Run) string { return terminal.Prefix(r.Plan.Hash, 12) }, hidden: true},
		{name: "served", doc: "the model that the server reports", record: ofReply(func(r *verbatim.Reply) string { return r.ServedModel }),
			scope: func(r *verbatim.Run, _ string) string { return r.Model }, hidden: true},
		{name: "upstream", doc: "the server behind a router, or the fingerprint of the model", record: upstreamOf,
			scope: func(r *verbatim.Run, _ string) string { return r.Model }, hidden: true},
		{name: "grader", doc: "the grader with its version", record: ofGrade(func(g *verbatim.Grade) string { return g.Grader }), scope: before("/"), hidden: true},
		{name: "day", doc: "the UTC day of the request", record: dayOf},
		{name: "trial", doc: "the trial of the item, from 0", record: func(r *verbatim.Record) string { return strconv.Itoa(r.Trial) }},
		{name: "outcome", doc: "the outcome: pass, wrong, error and so on", record: func(r *verbatim.Record) string { return string(r.Outcome) }},
		{name: "label", doc: "the label of the grade", record: ofGrade(func(g *verbatim.Grade) string { return g.Label })},
		{name: "finish", doc: "the finish reason of the reply", record: ofReply(func(r *verbatim.Reply) string { return string(r.Finish) })},
		{name: knobFact, doc: "the fact that makes items of the task harder, with its value, such as ties=2", record: knobOf()},
		{name: "mode", doc: "SortBench's basic, advanced or debug", record: ofItem(verbatim.FactMode)},
		{name: "origin", doc: "the source of imported replies", run: func(r *verbatim.Run) string { return r.Origin }},
		{name: "tool", doc: "the version of the program that made the run", run: func(r *verbatim.Run) string { return r.Tool }},
	}
}

// knobFact is the name of the fact that is the first knob of an item's family.
const knobFact = "knob"

// knobOf returns a function that reads the knob of an item. It collects the knobs of the families
// when it is first called.
func knobOf() func(*verbatim.Record) string {
	all := sync.OnceValue(task.AllKnobs)
	return func(r *verbatim.Record) string { return all().First(r.Item) }
}

// ParseGroupBy reads the value of --group-by: names with commas between them. An empty text is no
// grouping. Whether items have a fact that GroupFacts does not list is known only when they are
// read: Of returns a *GroupError if none has it.
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

// groupFacts returns the facts with these names.
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

// maxGroupBy bounds the number of facts, so that the table stays readable.
const maxGroupBy = 8

// groupFactOf returns the fact of a name: a known one, or a fact of items.
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

// alias returns the name of a fact for another word for it. Other names it returns unchanged.
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

// ofItem returns a function that reads a fact of an item.
func ofItem(fact string) func(*verbatim.Record) string {
	return func(r *verbatim.Record) string { return r.Item.Facts[fact] }
}

// before returns the scope of values such as "reverse@1": the part before a mark.
func before(mark string) func(*verbatim.Run, string) string {
	return func(_ *verbatim.Run, value string) string {
		name, _, _ := strings.Cut(value, mark)
		return name
	}
}

// itemVersion returns the family with its version, such as "reverse@1", with which the ID of a
// drawn item begins; "" for other items.
func itemVersion(r *verbatim.Record) string {
	head, _, _ := strings.Cut(r.Item.ID, "/")
	if !strings.Contains(head, "@") {
		return ""
	}
	return head
}

// ofReply returns a function that reads a value of a reply.
func ofReply(read func(*verbatim.Reply) string) func(*verbatim.Record) string {
	return func(r *verbatim.Record) string {
		if r.Reply == nil {
			return ""
		}
		return read(r.Reply)
	}
}

// ofGrade returns a function that reads a value of a grade.
func ofGrade(read func(*verbatim.Grade) string) func(*verbatim.Record) string {
	return func(r *verbatim.Record) string {
		if r.Grade == nil {
			return ""
		}
		return read(r.Grade)
	}
}

func dayOf(r *verbatim.Record) string {
	at := askedAt(r)
	if at.IsZero() {
		return ""
	}
	return dayName(dayNumber(at))
}

func temperature(r *verbatim.Run) string {
	if r.Params.Temperature == nil {
		return ""
	}
	return strconv.FormatFloat(*r.Params.Temperature, 'g', -1, 64)
}

// provider returns the part of a model's name before the model: "openai" of "openai:gpt-4o", and
// of "http://host/v1#m" the address without its fragment.
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
