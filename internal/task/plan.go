package task

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// A Request selects the items of a plan. Zero values stand for the defaults: the quick suite, the
// standard edition, one trial, ten items of each task and length. Seed 0 is a seed like any other.
type Request struct {
	Suite   string             // a suite's name
	Tasks   []string           // families of the suite, by name or pattern; without a suite, of all
	Lengths []verbatim.Lengths // nil: those of the suite, or each family's default lengths
	Items   int                // the number for each family and length; 0: as in the suite, or ten
	Trials  int
	Seed    uint64
	Edition verbatim.Edition
	// File names a user's items (ReadItems), which take the place of drawn ones.
	File *verbatim.ItemFile
	// Lists names published lists (PublishedLists): the items of the sortbench
	// suite in the reference edition.
	Lists *verbatim.ItemFile
	// Variant is the prompt variant; the zero value: the items' own prompts.
	Variant verbatim.Variant
}

// mostRequests bounds a plan: more is a typing mistake.
const mostRequests = 100_000_000

// Plan makes the plan of a request. Its errors are usage errors, with hints.
func Plan(q Request) (verbatim.Plan, error) {
	p := verbatim.Plan{Suite: q.Suite, Seed: q.Seed, Edition: cmp.Or(q.Edition, verbatim.Standard), Trials: cmp.Or(q.Trials, 1)}
	if err := checkEdition(p.Edition); err != nil {
		return p, err
	}
	for _, n := range []int{p.Trials, q.Items} {
		if n < 0 || n > mostRequests {
			return p, misuse("ask for 1 or more", "%d is not a possible number of items or trials", n)
		}
	}
	var err error
	switch {
	case q.File != nil || q.Lists != nil:
		err = planFile(&p, q)
	case len(q.Tasks) > 0 && q.Suite == "":
		err = planTasks(&p, q)
	default:
		err = planSuite(&p, q)
	}
	if err == nil {
		err = markDistinct(&p)
	}
	if err != nil {
		return p, err
	}
	return complete(p, q.Variant)
}

// checkEdition refuses unknown editions.
func checkEdition(e verbatim.Edition) error {
	if !slices.Contains(verbatim.Editions(), e) {
		return misuse("the editions are standard, paper and reference", "there is no edition %q", e)
	}
	return nil
}

// complete sets the variant, the number of requests and the hash of a plan.
func complete(p verbatim.Plan, v verbatim.Variant) (verbatim.Plan, error) {
	if err := planVariant(&p, v); err != nil {
		return p, err
	}
	if p.Items != nil {
		p.Count = int64(p.Items.N)
	}
	for _, c := range p.Cells {
		p.Count += int64(c.N)
	}
	if p.Count > mostRequests/int64(p.Trials) {
		return p, misuse("ask for fewer items or trials", "%d items with %d trials are more than the %d requests that a plan may have",
			p.Count, p.Trials, mostRequests)
	}
	p.Count *= int64(p.Trials)
	var err error
	p.Hash, err = planHash(p)
	return p, err
}

// planFile plans the items of a file or of published lists. Such a plan has no seed: its items are not
// drawn.
func planFile(p *verbatim.Plan, q Request) error {
	p.Seed = 0
	switch {
	case q.File != nil && q.Lists != nil:
		return misuse("leave out one of the two", "a file of items and published lists do not go together")
	case len(q.Tasks) > 0 || len(q.Lengths) > 0 || q.Items > 0:
		return misuse("leave out --task, --length and the number of items", "all items of a file are sent: no part can be selected")
	case q.Lists != nil && q.Suite != "" && !publishedSuite(q.Suite):
		return misuse("use --suite sortbench", "published lists belong to the suite sortbench, not %s", q.Suite)
	case q.Lists != nil && p.Edition == verbatim.Paper:
		return misuse("use --edition reference", "published lists are the reference edition, not the paper's")
	case q.Lists != nil:
		p.Suite, p.Edition, p.Items = "sortbench", verbatim.Reference, q.Lists
		if strings.HasSuffix(q.Lists.Name, partOfSuite) {
			p.Suite += partOfSuite
		}
	case q.Suite != "":
		return misuse("leave out --suite", "a file of items is a suite of its own")
	case p.Edition != verbatim.Standard:
		return misuse("leave out --edition", "a file of items has no editions")
	default:
		p.Suite, p.Items = "items", q.File
	}
	if p.Items.N == 0 {
		return misuse("put an item in it: docs/format.md describes the lines", "%s holds no items", p.Items.Name)
	}
	return nil
}

// planTasks plans items of single tasks, without a suite.
func planTasks(p *verbatim.Plan, q Request) error {
	families, err := Select(q.Tasks)
	if err != nil {
		return err
	}
	p.Suite = "custom"
	for _, f := range families {
		lengths := q.Lengths
		if len(lengths) == 0 {
			for _, n := range f.DefaultLengths {
				lengths = append(lengths, single(n))
			}
		}
		for i, l := range lengths {
			if slices.Contains(lengths[:i], l) {
				continue // the same items again
			}
			if err := checkLength(f, l, p.Edition); err != nil {
				return err
			}
			p.Cells = append(p.Cells, cell(f, l, cmp.Or(q.Items, 10)))
		}
	}
	return nil
}

// checkLength refuses lengths of which the family has no items. It draws an item of the least, the
// second and the greatest length. That is enough: lists run out of different items as they grow, and
// lists that need an even length show it in the first two.
func checkLength(f verbatim.Family, l verbatim.Lengths, edition verbatim.Edition) error {
	if l.Min > l.Max || l.Min < f.Min || f.Max > 0 && l.Max > f.Max {
		return misuse(fmt.Sprintf("ask for %d to %d %s", f.Min, f.Max, f.Unit), "%s has no items of %v %s", f.Name, l, f.Unit)
	}
	for _, n := range []int{l.Min, min(l.Min+1, l.Max), l.Max} {
		if _, err := drawItem(f, verbatim.Parameters{Length: single(n), Edition: edition}, 0, 0); err != nil {
			return fmt.Errorf("%s at length %d: %w", f.Name, n, err)
		}
	}
	return nil
}

// planSuite plans items of a suite.
func planSuite(p *verbatim.Plan, q Request) error {
	p.Suite = cmp.Or(p.Suite, "quick")
	suite, err := findSuite(p.Suite)
	if err != nil {
		return err
	}
	if suite.published && p.Edition == verbatim.Reference {
		return misuse("name their folder with --lists DIR (a checkout of the published repository), or import results with 'verbatim import sortbench PATH'",
			"the reference edition of %s has the published lists", p.Suite)
	}
	p.Cells, err = suite.part(p.Edition, q)
	if !slices.EqualFunc(p.Cells, suite.cells(p.Edition), sameCell) {
		p.Suite += partOfSuite
	}
	return err
}

// planHash returns the hash of all fields of a plan except Hash. They are hashed as JSON, whose form
// and order of fields must therefore not change.
func planHash(p verbatim.Plan) (string, error) {
	p.Hash = ""
	if p.Items != nil {
		// The content of the file counts, not its name.
		p.Items = &verbatim.ItemFile{SHA256: p.Items.SHA256, N: p.Items.N}
	}
	data, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("hash the plan: %w", err)
	}
	if p.Items != nil && p.Variant != nil && p.Variant.Shots > 0 {
		// The examples for published lists are drawn. In other plans the cells have the versions.
		for _, f := range familiesOf(p) {
			data = fmt.Appendf(data, "\n%s@%d", f.Name, f.Version)
		}
	}
	sum := sha256.Sum256(append([]byte("verbatim plan 1\n"), data...))
	return hex.EncodeToString(sum[:]), nil
}

// part returns the cells of the suite that have the tasks and lengths of a request, with its number
// of items. The error lists what the suite has instead.
func (s Suite) part(edition verbatim.Edition, q Request) ([]verbatim.Cell, error) {
	cells := s.cells(edition)
	if len(q.Tasks) > 0 {
		chosen, err := Select(q.Tasks)
		if err != nil {
			return nil, err
		}
		cells = slices.DeleteFunc(cells, func(c verbatim.Cell) bool {
			return !slices.ContainsFunc(chosen, func(f verbatim.Family) bool { return f.Name == c.Family })
		})
		if len(cells) == 0 {
			return nil, misuse("it has "+s.tasks(edition), "the suite %s has no task %s", s.Name, strings.Join(q.Tasks, ", "))
		}
	}
	if len(q.Lengths) > 0 {
		all := lengthsOf(cells)
		cells = slices.DeleteFunc(cells, func(c verbatim.Cell) bool { return !slices.Contains(q.Lengths, c.Length) })
		for _, l := range q.Lengths {
			if !slices.Contains(lengthsOf(cells), l) {
				return nil, misuse("it has "+joinLengths(all)+"; without --suite any length can be run", "the suite %s has no length %v", s.Name, l)
			}
		}
	}
	for i := range cells {
		cells[i].N = cmp.Or(q.Items, cells[i].N)
	}
	return cells, nil
}

// NoSystem is the Variant.System that leaves out the items' own system prompts.
const NoSystem = "-"

// mostShots bounds the examples before a question, which are drawn again for every item. No useful
// prompt has more.
const mostShots = 256

// planVariant sets the variant of a plan that is otherwise complete. A variant without changes is left
// out, so that it does not change the plan's hash.
func planVariant(p *verbatim.Plan, v verbatim.Variant) error {
	if v == (verbatim.Variant{}) {
		return nil
	}
	switch {
	case v.Shots < 0 || v.Shots > mostShots:
		return misuse("ask for 1 to 256 examples", "%d examples cannot be put before a question", v.Shots)
	case !utf8.ValidString(v.System):
		return misuse("write it in UTF-8", "the system prompt is not UTF-8")
	case v.System != "" && strings.TrimSpace(v.System) == "":
		return misuse("to leave the system prompt out use --no-system", "the system prompt is blank")
	case v.As != "" && v.As != verbatim.AsTool && v.As != verbatim.AsSchema:
		return misuse("write text, tool or schema", "answers cannot be requested as %q", v.As)
	case v.As == verbatim.AsTool && (v.Shots > 0 || v.Paraphrase != ""):
		return misuse("leave out --shots and --paraphrase", "an answer that is the call of a tool has one wording, and no examples")
	case v.Paraphrase != "" && p.Suite == "items":
		return misuse("leave out --paraphrase, or write the other wording into a file of its own",
			"the items of a file have no other wordings")
	}
	p.Variant = &v
	families := familiesOf(*p)
	for _, f := range families {
		if v.As != "" && f.Call == (verbatim.Wording{}) {
			return misuse("choose tasks whose answers are JSON objects: --task copy-json", "the answers of %s are no JSON objects: --as %s is not possible", f.Name, v.As)
		}
	}
	if v.Paraphrase == AllWordings {
		var err error
		v.Paraphrase, err = spreadOver(families)
		return err
	}
	for _, family := range families {
		if _, err := wording(family, v.Paraphrase); err != nil {
			return err
		}
	}
	return nil
}

// familiesOf returns the families of a plan's items: all of SortBench for published lists, none for
// a user's items.
func familiesOf(p verbatim.Plan) []verbatim.Family {
	return slices.DeleteFunc(Families(), func(f verbatim.Family) bool {
		if p.Items != nil {
			return p.Suite == "items" || !ofSortBench(f)
		}
		return !slices.ContainsFunc(p.Cells, func(c verbatim.Cell) bool { return c.Family == f.Name })
	})
}

// variantID returns the text of a variant inside an id: "shots=2", "shots=2,paraphrase=1",
// "system=9f86d081" with the start of the system prompt's hash, "system=-" without a system prompt. It
// is "" without a variant.
//
// Items that are written with their variant applied have it before their ids, as in
// "shots=2/reverse@1/len=16/seed=1/7": they are other items.
func variantID(v *verbatim.Variant) string {
	if v == nil {
		return ""
	}
	var parts []string
	if v.Shots > 0 {
		parts = append(parts, "shots="+strconv.Itoa(v.Shots))
	}
	if v.Paraphrase != "" {
		parts = append(parts, "paraphrase="+v.Paraphrase)
	}
	switch v.System {
	case "":
	case NoSystem:
		parts = append(parts, "system="+NoSystem)
	default:
		sum := sha256.Sum256([]byte(v.System))
		parts = append(parts, "system="+hex.EncodeToString(sum[:4]))
	}
	if v.As != "" {
		parts = append(parts, "as="+string(v.As))
	}
	return strings.Join(parts, ",")
}

// markDistinct marks the cells of lengths at which a family has so few items that some are drawn
// twice: a plan has none of them twice. The mark is part of the plan's hash.
func markDistinct(p *verbatim.Plan) error {
	for i := range p.Cells {
		c := &p.Cells[i]
		f, err := Find(c.Family)
		if err != nil {
			return err
		}
		if f.Few == 0 || c.Length.Min > f.Few {
			continue
		}
		c.Distinct = true
		if _, err := distinctIndexes(f, *c, p.Edition, p.Seed); err != nil {
			return err
		}
	}
	return nil
}

// distinctIndexes returns the indexes of the items of a cell with distinct items: in ascending order,
// without items whose question an earlier one has. A larger cell begins with the items of a smaller
// one.
func distinctIndexes(f verbatim.Family, c verbatim.Cell, edition verbatim.Edition, seed uint64) ([]int, error) {
	seen, indexes := make(map[[sha256.Size]byte]bool, c.N), make([]int, 0, c.N)
	most := 1000 + 20*c.N // draws that find all of a hundred items, and nearly all of a thousand
	for index := 0; len(indexes) < c.N; index++ {
		if index == most {
			return nil, misuse(fmt.Sprintf("ask for at most %d, or for repeats of them with --trials", len(indexes)),
				"%s has %d different items at length %v, and %d are requested", f.Name, len(indexes), c.Length, c.N)
		}
		it, err := drawItem(f, verbatim.Parameters{Length: c.Length, Edition: edition}, seed, index)
		if err != nil {
			return nil, err
		}
		if key := questionKey(&it); !seen[key] {
			seen[key] = true
			indexes = append(indexes, index)
		}
	}
	return indexes, nil
}

// questionKey returns the hash of the question of a drawn item, with its pictures.
func questionKey(it *verbatim.Item) (key [sha256.Size]byte) {
	sum := sha256.New()
	for _, part := range it.Prompt[len(it.Prompt)-1].Content {
		sum.Write([]byte(part.Text))
		if part.Image != nil {
			sum.Write(part.Image.Bytes)
		}
	}
	sum.Sum(key[:0])
	return key
}

// searchItems is the number of items of each length in the plan of a search. It is more than a search
// sends of all lengths together. So the plan, and the names and positions of its items, do not depend
// on how far a search goes.
const searchItems = 1000

// The greatest lengths of a search. A list of n items is several times as long as a text of n
// characters.
const (
	longestText = 1 << 16
	longestList = 1 << 12
)

// SearchPlan plans the search for the length at which a family's answers are no longer right. It has
// items of every half octave from 2 (2, 3, 4, 6, 8, 11, 16, 23, …) up to the greatest length of the
// family, more of each than a search sends. The search chooses items by the answers so far. Of the
// request it uses Seed, Edition and Variant. The plan has no suite and does not depend on the lengths of
// the search, so that a search with greater lengths uses the answers to smaller ones.
func SearchPlan(family string, q Request) (verbatim.Plan, error) {
	p := verbatim.Plan{Suite: "custom", Seed: q.Seed, Edition: cmp.Or(q.Edition, verbatim.Standard), Trials: 1}
	if err := checkEdition(p.Edition); err != nil {
		return p, err
	}
	f, err := Find(family)
	if err != nil {
		return p, err
	}
	for _, n := range halfOctaves(f, p.Edition) {
		p.Cells = append(p.Cells, cell(f, single(n), searchItems))
	}
	return complete(p, q.Variant)
}

// halfOctaves lists the lengths at half doublings of which the family has items. If it has no items of
// a length, such as an odd one of items in pairs, the next length takes its place.
func halfOctaves(f verbatim.Family, edition verbatim.Edition) []int {
	longest := longestText
	if f.Unit == "items" {
		longest = longestList
	}
	if f.Max > 0 {
		longest = min(longest, f.Max)
	}
	var out []int
	for half := 2; ; half++ {
		n := int(math.Round(math.Pow(2, float64(half)/2)))
		if n > longest {
			return out
		}
		for _, n := range []int{n, n + 1} {
			if len(out) > 0 && n <= out[len(out)-1] || n < f.Min {
				continue
			}
			if _, err := drawItem(f, verbatim.Parameters{Length: single(n), Edition: edition}, 0, 0); err == nil {
				out = append(out, n)
				break
			}
		}
	}
}
