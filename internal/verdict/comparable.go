package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/terminal"
)

// CheckComparable rejects two runs whose difference would not be one of models: other
// items, another prompt, another version of a task.
func CheckComparable(a, b *verbatim.Run) error {
	return checkPlans(a, b, sameEdition, sameSeed, sameVersions, sameFile, samePrompt)
}

// checkPlans rejects a run that is compared with itself, and two runs whose plans fail one of
// the checks. A check returns nil, or a Refusal without the names of the runs.
func checkPlans(a, b *verbatim.Run, checks ...func(a, b *verbatim.Plan) *Refusal) error {
	if sameRun(a, b) {
		return &Refusal{RunA: a.Name, RunB: b.Name, Field: "run", Why: "they are the same run",
			Do: "'verbatim runs' lists the others; 'verbatim run --new' repeats a run"}
	}
	for _, check := range checks {
		if r := check(&a.Plan, &b.Plan); r != nil {
			r.RunA, r.RunB = a.Name, b.Name
			return r
		}
	}
	return nil
}

// sameRun reports whether two runs are one, possibly in two files.
func sameRun(a, b *verbatim.Run) bool {
	return a.Name == b.Name && a.Plan.Hash == b.Plan.Hash && a.Model == b.Model && a.Origin == b.Origin && a.Started.Equal(b.Started)
}

// fromUserFile reports whether the items of a plan come from a user's file. These have
// neither seed nor edition.
func fromUserFile(p *verbatim.Plan) bool { return p.Items != nil && p.Suite == "items" }

// sameEdition rejects plans of two editions, unless one is a file of items.
func sameEdition(a, b *verbatim.Plan) *Refusal {
	if a.Edition == b.Edition || fromUserFile(a) || fromUserFile(b) {
		return nil
	}
	return &Refusal{Field: "edition", A: string(a.Edition), B: string(b.Edition), Do: "run both with the same --edition: editions have different items and grading rules"}
}

// sameSeed rejects plans with two seeds, unless one has a file of items.
func sameSeed(a, b *verbatim.Plan) *Refusal {
	if a.Seed == b.Seed || a.Items != nil || b.Items != nil {
		return nil
	}
	return &Refusal{Field: "seed", A: strconv.FormatUint(a.Seed, 10), B: strconv.FormatUint(b.Seed, 10), Do: "run both with the same --seed: two seeds have no item in common"}
}

// sameVersions rejects plans with two versions of a task family.
func sameVersions(a, b *verbatim.Plan) *Refusal {
	for _, x := range a.Cells {
		for _, y := range b.Cells {
			if x.Family == y.Family && x.Version != y.Version {
				return &Refusal{Field: "version of family " + x.Family, A: strconv.Itoa(x.Version), B: strconv.Itoa(y.Version),
					Do: "run both with the same version of this program: versions of a family have different items"}
			}
		}
	}
	return nil
}

// sameFile rejects two different files of a user's items: an id names an item only within
// its file.
func sameFile(a, b *verbatim.Plan) *Refusal {
	if !fromUserFile(a) || !fromUserFile(b) || a.Items.SHA256 == b.Items.SHA256 {
		return nil
	}
	name := func(f *verbatim.ItemFile) string { return fmt.Sprintf("%s (SHA-256 %.12s…)", f.Name, f.SHA256) }
	return &Refusal{Field: "items file", A: name(a.Items), B: name(b.Items), Do: "run both with the same file: an id may name different items in two files"}
}

// samePrompt rejects plans with two prompt variants.
func samePrompt(a, b *verbatim.Plan) *Refusal {
	va, vb := variantOf(a), variantOf(b)
	if va == vb {
		return nil
	}
	return &Refusal{Field: "prompt", A: describeVariant(va), B: describeVariant(vb), Do: "run both with the same --shots, --paraphrase, --system and --as: otherwise the prompt may cause the difference; 'verbatim compare --across prompt' measures what it causes"}
}

// variantOf returns the prompt variant of a plan.
func variantOf(p *verbatim.Plan) verbatim.Variant {
	if p.Variant == nil {
		return verbatim.Variant{}
	}
	return *p.Variant
}

// describeVariant writes a prompt variant as flags.
func describeVariant(v verbatim.Variant) string {
	var parts []string
	if v.Shots > 0 {
		parts = append(parts, "--shots "+strconv.Itoa(v.Shots))
	}
	switch {
	case v.Wordings() > 1:
		parts = append(parts, "--paraphrase all")
	case v.Paraphrase != "":
		parts = append(parts, "--paraphrase "+terminal.ShellWord(v.Paraphrase))
	}
	switch {
	case v.System == "-":
		parts = append(parts, "--no-system")
	case v.System != "":
		head := []rune(v.System)
		if len(head) > 40 {
			head = append(head[:40:40], '…')
		}
		parts = append(parts, "--system "+terminal.ShellWord(string(head)))
	}
	if v.As != "" {
		parts = append(parts, "--as "+terminal.ShellWord(string(v.As)))
	}
	if len(parts) == 0 {
		return "the prompt of the items"
	}
	return strings.Join(parts, " ")
}

// Graders counts the answers of a run by grader and version, for example "text/3".
type Graders map[string]int64

// count counts an answer, if it was graded.
func (g Graders) count(a *Answer) {
	if a.Grader != "" {
		g[a.Grader]++
	}
}

// names lists the graders in order.
func (g Graders) names() []string { return slices.Sorted(maps.Keys(g)) }

// CheckGraders rejects answers of two runs, or of one, that were graded by different versions of one
// grader: a difference of rules would look like a difference of models.
func CheckGraders(a, b *verbatim.Run, ofA, ofB Graders) error {
	namesA, namesB := ofA.names(), ofB.names()
	versions := map[string]string{} // by grader
	for _, grader := range slices.Concat(namesA, namesB) {
		name, version, _ := strings.Cut(grader, "/")
		if other, ok := versions[name]; ok && other != version {
			words := []string{"verbatim", "regrade", a.Name}
			if a != b {
				words = append(words, b.Name)
			}
			return &Refusal{RunA: a.Name, RunB: b.Name, Field: "grader",
				A: strings.Join(namesA, ", "), B: strings.Join(namesB, ", "),
				Do: "grade both by the same rules, after an import of what is an exported file: " + terminal.ShellWords(words...)}
		}
		versions[name] = version
	}
	return nil
}

// A Refusal is the error of two runs that cannot be compared, or of a run that cannot be
// used as asked.
type Refusal struct {
	RunA, RunB string // the names of two runs; empty if Why is the whole message
	Field      string // what is wrong: "edition", "seed", "prompt", "grader", "items", "run"
	A, B       string // the values of Field in the two runs, if these differ
	Why        string // what is wrong, if A and B do not say it
	Do         string // what to do instead
}

// Error names both runs, the field and its two values, or says Why.
func (r *Refusal) Error() string {
	if r.RunA == "" {
		return r.Why
	}
	s := fmt.Sprintf("%s and %s cannot be compared: ", r.RunA, r.RunB)
	if r.Why != "" {
		return s + r.Why
	}
	return fmt.Sprintf("%sthe %s differs: %s in the first, %s in the second", s, r.Field, r.A, r.B)
}

// Hint says what to do instead.
func (r *Refusal) Hint() string { return r.Do }

// Misuse reports that this is a usage error.
func (r *Refusal) Misuse() bool { return true }

// A brokenRecord error is about a record that contradicts itself.
type brokenRecord struct {
	seq  int64
	item string
	why  string
}

func (e *brokenRecord) Error() string {
	if e.item == "" {
		return fmt.Sprintf("position %d: %s", e.seq, e.why)
	}
	return fmt.Sprintf("item %s: %s", e.item, e.why)
}
