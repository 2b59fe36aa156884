package task

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"verbatim"
)

// A Request is what somebody asks for. Zero values stand for the defaults: the
// quick suite, seed 0 as it is, the standard edition, one trial, ten items of
// each task and length.
type Request struct {
	Suite   string             // a suite's name; not together with Tasks or File
	Tasks   []string           // families, by name or pattern
	Lengths []verbatim.Lengths // for Tasks; none: the family's ladder
	Items   int                // for Tasks: of each family and length
	Trials  int
	Seed    uint64
	Edition verbatim.Edition
	// File names the items that are asked instead of drawn ones: a file of a
	// user, or published lists.
	File *verbatim.ItemFile
}

// mostRequests bounds a plan: more is a typing mistake.
const mostRequests = 100_000_000

// Plan resolves a request. The errors are the caller's to mend: they name what is
// wrong, which, and what to do instead.
func Plan(q Request) (verbatim.Plan, error) {
	p := verbatim.Plan{Suite: q.Suite, Seed: q.Seed, Edition: q.Edition, Trials: q.Trials, Items: q.File}
	if p.Edition == "" {
		p.Edition = verbatim.Standard
	}
	if !slices.Contains(verbatim.Editions(), p.Edition) {
		return p, misuse("the editions are standard, paper and reference", "there is no edition %q", p.Edition)
	}
	if p.Trials == 0 {
		p.Trials = 1
	}
	if p.Trials < 0 || q.Items < 0 {
		return p, misuse("ask for at least one", "a number of items or trials is negative")
	}
	var err error
	switch {
	case q.File != nil:
		err = planFile(&p, q)
	case len(q.Tasks) > 0:
		err = planTasks(&p, q)
	default:
		err = planSuite(&p, q)
	}
	if err != nil {
		return p, err
	}
	for _, c := range p.Cells {
		p.Count += int64(c.N)
	}
	if p.Items != nil {
		p.Count = int64(p.Items.N)
	}
	p.Count *= int64(p.Trials)
	if p.Count > mostRequests {
		return p, misuse("ask for fewer items or trials", "%d requests are more than a plan may hold (%d)", p.Count, mostRequests)
	}
	p.Hash, err = hash(p)
	return p, err
}

func planFile(p *verbatim.Plan, q Request) error {
	if len(q.Tasks) > 0 || len(q.Lengths) > 0 || q.Items > 0 {
		return misuse("leave out --task, --length and the number of items", "a file of items says itself what is asked")
	}
	if q.File.N == 0 {
		return misuse("put an item in it: docs/format.md describes the lines", "%s holds no items", q.File.Name)
	}
	// Published lists are SortBench's, whatever folder they come from; they are
	// drawn from no seed of ours.
	p.Seed = 0
	switch {
	case q.File.Name != publishedName:
		if q.Suite != "" {
			return misuse("leave out --suite", "a file of items is a suite of its own")
		}
		p.Suite = "items"
	case q.Suite != "" && q.Suite != "sortbench":
		return misuse("use --suite sortbench", "published lists belong to the suite sortbench, not %s", q.Suite)
	default:
		p.Suite, p.Edition = "sortbench", verbatim.Reference
	}
	return nil
}

func planTasks(p *verbatim.Plan, q Request) error {
	if q.Suite != "" {
		return misuse("use one of the two", "a suite and tasks cannot be asked together")
	}
	families, err := selectFamilies(q.Tasks)
	if err != nil {
		return err
	}
	n := q.Items
	if n == 0 {
		n = 10
	}
	p.Suite = "custom"
	for _, f := range families {
		lengths := q.Lengths
		if len(lengths) == 0 {
			for _, at := range f.Ladder {
				lengths = append(lengths, verbatim.Lengths{Min: at, Max: at})
			}
		}
		for _, l := range lengths {
			if err := possible(f, l, p.Edition); err != nil {
				return err
			}
			p.Cells = append(p.Cells, cell(f, l, n))
		}
	}
	return nil
}

// possible draws an item, to learn whether the family has any at the lengths.
func possible(f verbatim.Family, l verbatim.Lengths, edition verbatim.Edition) error {
	if l.Min < f.Min || f.Max > 0 && l.Max > f.Max {
		return misuse("", "%s has lengths of %d to %d %s, not %v", f.Name, f.Min, f.Max, f.Unit, l)
	}
	for _, n := range []int{l.Min, l.Max} {
		k := verbatim.Knobs{Length: verbatim.Lengths{Min: n, Max: n}, Edition: edition}
		if _, err := drawItem(f, k, 0, 0); err != nil {
			return fmt.Errorf("%s at length %d: %w", f.Name, n, err)
		}
	}
	return nil
}

func planSuite(p *verbatim.Plan, q Request) error {
	if len(q.Lengths) > 0 || q.Items > 0 {
		return misuse("name the tasks with --task, as in --task reverse --length 8..64 --items 20", "lengths and numbers of items go with tasks; a suite has its own")
	}
	if p.Suite == "" {
		p.Suite = "quick"
	}
	suite, err := findSuite(p.Suite)
	if err != nil {
		return err
	}
	if suite.published && p.Edition == verbatim.Reference {
		return misuse("name their folder with --lists DIR (a checkout of the published repository), or import results with 'verbatim import sortbench PATH'",
			"the reference edition of %s asks the published lists", p.Suite)
	}
	p.Cells = suite.cells(p.Edition)
	return nil
}

// hash names a plan by all that it holds. The fields are hashed in the form and
// order of their JSON, which therefore must not change.
func hash(p verbatim.Plan) (string, error) {
	p.Hash = ""
	if p.Items != nil {
		// The file's content counts, not its name.
		p.Items = &verbatim.ItemFile{SHA256: p.Items.SHA256, N: p.Items.N}
	}
	data, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("hash the plan: %w", err)
	}
	sum := sha256.Sum256(append([]byte("verbatim plan 1\n"), data...))
	return hex.EncodeToString(sum[:]), nil
}
