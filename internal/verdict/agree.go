package verdict

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/shell"
)

// agree refuses two runs whose difference would not be one of models: other
// items, another wording, another task under the same name.
func agree(a, b *verbatim.Run) error {
	return allow(a, b, edition, seed, versions, file, prompt)
}

// allow refuses two runs that are one, and those of which a check finds that they
// differ.
func allow(a, b *verbatim.Run, checks ...func(a, b *verbatim.Plan) *Refusal) error {
	if same(a, b) {
		return &Refusal{RunA: a.Name, RunB: b.Name, Field: "run", Why: "they are the same run",
			Do: "'verbatim runs' lists the others; 'verbatim run --new' asks the same again"}
	}
	for _, differ := range checks {
		if r := differ(&a.Plan, &b.Plan); r != nil {
			r.RunA, r.RunB = a.Name, b.Name
			return r
		}
	}
	return nil
}

// same reports whether two runs are one, perhaps in two files.
func same(a, b *verbatim.Run) bool {
	return a.Name == b.Name && a.Plan.Hash == b.Plan.Hash && a.Model == b.Model && a.Origin == b.Origin && a.Started.Equal(b.Started)
}

// own reports whether a plan asks a user's items, which have neither seed nor edition.
func own(p *verbatim.Plan) bool { return p.Items != nil && p.Suite == "items" }

func edition(a, b *verbatim.Plan) *Refusal {
	if a.Edition == b.Edition || own(a) || own(b) {
		return nil
	}
	return &Refusal{Field: "edition", A: string(a.Edition), B: string(b.Edition), Do: "ask both with the same --edition: the editions put other questions and grade by other rules"}
}

func seed(a, b *verbatim.Plan) *Refusal {
	if a.Seed == b.Seed || a.Items != nil || b.Items != nil {
		return nil
	}
	return &Refusal{Field: "seed", A: strconv.FormatUint(a.Seed, 10), B: strconv.FormatUint(b.Seed, 10), Do: "ask both with the same --seed: two seeds have no item in common"}
}

func versions(a, b *verbatim.Plan) *Refusal {
	for _, x := range a.Cells {
		for _, y := range b.Cells {
			if x.Family == y.Family && x.Version != y.Version {
				return &Refusal{Field: "version of the family " + x.Family, A: strconv.Itoa(x.Version), B: strconv.Itoa(y.Version),
					Do: "ask both with the same version of this program: versions of a family draw other items"}
			}
		}
	}
	return nil
}

// file refuses two files of a user's items unless they are the same: an id says
// what an item is in its own file only.
func file(a, b *verbatim.Plan) *Refusal {
	if !own(a) || !own(b) || a.Items.SHA256 == b.Items.SHA256 {
		return nil
	}
	name := func(f *verbatim.ItemFile) string { return fmt.Sprintf("%s (SHA-256 %.12s…)", f.Name, f.SHA256) }
	return &Refusal{Field: "items file", A: name(a.Items), B: name(b.Items), Do: "ask both with the same file: the same id may name another question in another file"}
}

func prompt(a, b *verbatim.Plan) *Refusal {
	va, vb := variant(a), variant(b)
	if va == vb {
		return nil
	}
	return &Refusal{Field: "prompt", A: inWords(va), B: inWords(vb), Do: "ask both with the same --shots, --paraphrase and --system: what sets them apart may be the prompt and not the model"}
}

func variant(p *verbatim.Plan) verbatim.Variant {
	if p.Variant == nil {
		return verbatim.Variant{}
	}
	return *p.Variant
}

func inWords(v verbatim.Variant) string {
	var parts []string
	if v.Shots > 0 {
		parts = append(parts, "--shots "+strconv.Itoa(v.Shots))
	}
	if v.Paraphrase != "" {
		parts = append(parts, "--paraphrase "+shell.Word(v.Paraphrase))
	}
	switch {
	case v.System == "-":
		parts = append(parts, "--no-system")
	case v.System != "":
		head := []rune(v.System)
		if len(head) > 40 {
			head = append(head[:40:40], '…')
		}
		parts = append(parts, "--system "+shell.Word(string(head)))
	}
	if len(parts) == 0 {
		return "as the items have it"
	}
	return strings.Join(parts, " ")
}

// A Remark is a sentence about a comparison, and a word for machines.
type Remark struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// remarks says in what else the runs differ. Notes are about what a reader may
// have wanted to compare, warnings about what may have decided the result.
func remarks(a, b *verbatim.Run) (notes, warnings []Remark) {
	pa, pb := a.Params, b.Params
	if pa.Thinking != pb.Thinking {
		warnings = append(warnings, Remark{"token_limit", fmt.Sprintf("The token limits differ: A may think for %d tokens and B for %d. The one with less may have been cut short.", pa.Thinking, pb.Thinking)})
	}
	pa.Thinking, pb.Thinking = 0, 0
	if !reflect.DeepEqual(pa, pb) {
		notes = append(notes, Remark{"parameters", "The runs were asked with different parameters: the difference is one of models and parameters together."})
	}
	if a.Plan.Trials != b.Plan.Trials && a.Plan.Trials > 0 && b.Plan.Trials > 0 {
		notes = append(notes, Remark{"trials", fmt.Sprintf("A was asked each item %s, B %s: of each item the mean of a side's answers counts.", times(a.Plan.Trials), times(b.Plan.Trials))})
	}
	for _, r := range []struct {
		name       string
		run, other *verbatim.Run
	}{{"A", a, b}, {"B", b, a}} {
		what := ""
		switch {
		case Nano(r.run) && !Nano(r.other):
			what = " is nano, which is built into this program and was trained on tasks of these kinds"
		case Simulated(r.run) && !BuiltIn(r.other):
			what = " is built into this program"
		}
		if what != "" {
			warnings = append(warnings, Remark{"built-in", r.name + what + ": this says which of the two answered better here, and ranks neither."})
		}
		if t := r.run.Test; t != nil {
			warnings = append(warnings, Remark{"stopped", fmt.Sprintf("%s is the run of a test (%s), which stops as soon as it knows enough: these probabilities describe its answers, and their error rates are not those of a run of fixed size.", r.name, t.Kind)})
		}
	}
	return notes, warnings
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// graders counts who graded the answers of a side.
type graders map[string]int64

// names lists them in order.
func (g graders) names() []string {
	var list []string
	for name := range g {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// mixed refuses answers of one grader's different versions: a difference of rules
// would pass for one of models.
func mixed(a, b *verbatim.Run, of [2]graders) error {
	all := slices.Concat(of[0].names(), of[1].names())
	for _, x := range all {
		for _, y := range all {
			nx, _, _ := strings.Cut(x, "/")
			ny, _, _ := strings.Cut(y, "/")
			if nx == ny && x != y {
				return &Refusal{RunA: a.Name, RunB: b.Name, Field: "grader",
					A: strings.Join(of[0].names(), ", "), B: strings.Join(of[1].names(), ", "),
					Do: "grade both by the same rules: " + shell.Words("verbatim", "regrade", a.Name, b.Name)}
			}
		}
	}
	return nil
}
