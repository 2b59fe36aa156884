package grade

import (
	"fmt"
	"slices"
	"strings"

	"verbatim"

	"verbatim/internal/grade/extract"
	"verbatim/internal/pylit"
)

// A Judge grades replies to one item, whose expected list it prepares once.
// It is safe for concurrent use.
type listJudge struct {
	item   *verbatim.Item
	want   []pylit.Value
	source []pylit.Value // the input; nil if unknown
	kind   pylit.Kind    // of the first item of the input: what others are cast to
	// mixed: the expected items are of several types, or there are none, so that
	// casts to the type of the first would spoil them. The published scorer casts
	// them nevertheless; our own verdict does not.
	mixed    bool
	scale    scale
	accept   [][]any // other right lists
	mistakes []listForeseen
	printed  string // the right reply
	asked    string // the last text of the prompt

	question *extract.Question
}

// newListJudge prepares the expected list of an item. It returns an error if the answer
// is not a list or holds a value that no literal has.
func newListJudge(it *verbatim.Item) (*listJudge, error) {
	if !it.Want.IsList() {
		return nil, fmt.Errorf("the expected answer of %s is a text, not a list", it.ID)
	}
	want, err := pylit.FromList(it.Want.List)
	if err != nil {
		return nil, fmt.Errorf("the expected list of %s: %w", it.ID, err)
	}
	accept, mistakes, err := otherAnswers(it)
	if err != nil {
		return nil, fmt.Errorf("the other answers of %s: %w", it.ID, err)
	}
	j := &listJudge{accept: accept, mistakes: mistakes, item: it, want: want, printed: pylit.MakeList(want).String()}
	given := want
	if it.Source != nil && it.Source.IsList() {
		if j.source, err = pylit.FromList(it.Source.List); err != nil {
			return nil, fmt.Errorf("the source list of %s: %w", it.ID, err)
		}
		given = j.source
	}
	if (it.Grader == "" || it.Grader == "list") && !isAscending(want) {
		j.scale = scale{want: want, ownOrder: true}
	} else {
		j.scale = newScale(want)
	}
	texts := promptTexts(it.Prompt)
	if len(texts) > 0 {
		j.asked = texts[len(texts)-1]
	}
	j.question = extract.OfList(given, j.source, texts...)
	if len(given) > 0 {
		j.kind = given[0].Kind()
	}
	j.mixed = len(want) == 0 || slices.ContainsFunc(want, func(v pylit.Value) bool { return v.Kind() != j.kind })
	return j, nil
}

// A Scratch holds the buffers of Judges. The zero Scratch is
// ready. It serves any number of judges, one reply at a time.
type Scratch struct {
	reference listReader // reads as SortBench does
	own       listReader // reads the text of our verdict if that is another one
	tally     tally
	finder    extract.Finder
	large     bool // the buffers of the last reply are too large to keep
}

// largeReply is the length from which the buffers for a reply are not kept.
const largeReply = 1 << 20

// count counts the items of a parsed reading, unless they are counted.
func (l *reading) count(j *listJudge, s *Scratch) {
	if !l.counted {
		l.counts, l.ranks = s.tally.count(&j.scale, l.items)
		l.counted = true
	}
}

// sortBench returns the verdict and counts of SortBench's scorer on a reply, and the reading. tuples: a tuple of numbers counts as a list, as the
// paper says. The published scorer reads only tuples of texts.
func (j *listJudge) sortBench(reply string, s *Scratch, tuples bool) (SortBench, reading) {
	if s.large {
		*s = Scratch{}
	}
	s.reference.tuples, s.own.tuples = tuples, tuples
	s.large = len(reply) >= largeReply
	reading := s.reference.read(reply, j.kind, len(j.want) > 0)
	score := SortBench{
		Parsed: reading.parsed, ErrorType: reading.repair.name, IsList: reading.isList,
		HasEllipsis: reading.ellipsis, RequiredCast: reading.cast, InputItems: len(j.want),
	}
	if reading.parsed {
		reading.count(j, s)
		c := reading.counts
		score.UnorderedPairs, score.UnorderedNeighbors = c.pairs, c.neighbors
		score.Missing, score.Additional = c.missing, c.added
		score.OutputItems = len(reading.items)
	}
	return score, reading
}

// ownReading reads a text by SortBench's rules, but without casts that would change
// the values of items.
func (j *listJudge) ownReading(text string, s *Scratch) reading {
	r := s.own.read(text, j.kind, !j.mixed)
	if r.lossy {
		r = s.own.read(text, j.kind, false)
	}
	return r
}

// canUse reports whether SortBench's reading serves for our verdict on a stripped reply: it read the same
// text, and its rules did not spoil it.
func (j *listJudge) canUse(reference reading, got string) bool {
	readable := reference.parsed && reference.repair.name == ""
	same := reference.text == got || readable && pylit.Strip(reference.text) == got
	return same && !j.mixed && !reference.lossy
}

// isExact reports whether the reply is the expected list and nothing else, however it
// is spelled: one list literal, without comments, with nothing cast.
func (j *listJudge) isExact(got string, r reading) bool {
	return r.isList && r.repair.name == "" && !r.ellipsis && !r.cast && !r.comments &&
		strings.HasPrefix(got, "[") && strings.HasSuffix(got, "]") && pylit.Strip(r.text) == got && j.right(r)
}

// right reports whether the reading is a right list: equal in order, value and type.
func (j *listJudge) right(r reading) bool {
	if !r.parsed || r.lossy {
		return false
	}
	return sameItems(r.items, j.want) || slices.ContainsFunc(j.accept, func(list []any) bool { return sameAnswer(r.items, list) })
}

// promptTexts returns the texts of a prompt: they show every list that is an input.
func promptTexts(prompt verbatim.Prompt) (texts []string) {
	for _, message := range prompt {
		for _, part := range message.Content {
			if part.Text != "" {
				texts = append(texts, part.Text)
			}
		}
	}
	return texts
}
