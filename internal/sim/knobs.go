package sim

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/damage"
	"verbatim/internal/input"
)

// A Kind is a kind of simulated model: values for some knobs.
type Kind struct {
	Name  string
	Doc   string // one line
	Knobs string // as a query: "half=64&wrap=0.1"
}

// Kinds returns the kinds of simulated models.
func Kinds() []Kind {
	return []Kind{
		{"perfect", "always right", ""},
		{"careful", "right up to great lengths, seldom with words around the answer", "copy=20000&reverse=400&sort=600&add=80&find=64000&count=256&wrap=0.005"},
		{"sloppy", "wrong from short lengths on, with words around answers, refusals and outages",
			"copy=300&reverse=24&sort=24&add=16&find=8000&count=48&wrap=0.08&refuse=0.01&cut=0.005&down=0.02"},
		{"down", "never answers: every request meets an outage", "down=1"},
		{"echo", "repeats the question", "say=question"},
	}
}

// A Knob is a setting of a simulated model.
type knob struct {
	Name string
	Doc  string // one line, with the default where it is not 0
	set  func(k *settings, value string) error
}

// settings are the settings of one simulated model.
type settings struct {
	seed       uint64
	half       [taskCount]float64 // the length at which half of the answers are wrong; 0: never
	slope      float64
	facts      float64 // logits from the easiest value of a fact to the hardest
	errorShare float64 // the share of wrong answers at any length; negative: by length
	labels     []string

	wrap, refuse, filter, cut, down float64

	echo      bool
	limit     int
	reasoning float64
	latency   time.Duration
	spread    float64
	rate      float64
}

// A task is a kind of item with a difficulty of its own.
type task int

const (
	copyTask task = iota
	reverseTask
	sortTask
	addTask
	findTask
	countTask
	taskCount // the number of tasks
)

// Knobs returns the knobs of simulated models in the order of help texts. A share is a number from 0 to 1.
func Knobs() []knob {
	return []knob{
		{"half", "the length at which half of the answers are wrong, for every task", func(k *settings, v string) error {
			var x float64
			err := parseNumber(&x, v, 0, math.MaxInt32)
			for task := range k.half {
				k.half[task] = x
			}
			return err
		}},
		{"copy", "the same for copying texts, in characters", halfKnob(copyTask)},
		{"reverse", "the same for reversing texts, in characters", halfKnob(reverseTask)},
		{"sort", "the same for lists, in items", halfKnob(sortTask)},
		{"add", "the same for sums, in digits", halfKnob(addTask)},
		{"find", "the same for finding something in a text of at least four times its length, in characters of the text", halfKnob(findTask)},
		{"count", "the same for numbers that a text is searched or counted for, in characters of the text", halfKnob(countTask)},
		{"slope", "how steeply errors grow around that length: logits per doubling (1.5)", numberKnob(func(k *settings) *float64 { return &k.slope }, 100)},
		{"facts", "how steeply errors grow with a fact that makes items harder, such as ties: logits from its easiest value to its hardest (2)", numberKnob(func(k *settings) *float64 { return &k.facts }, 100)},
		{"error", "the share of wrong answers at every length", shareKnob(func(k *settings) *float64 { return &k.errorShare })},
		{"label", "spoil answers only into these failure labels, separated by commas; an item with no room for them is answered right", setLabels},
		{"wrap", "the share of right answers in quotes, fences or talk", shareKnob(func(k *settings) *float64 { return &k.wrap })},
		{"refuse", "the share of refusals", shareKnob(func(k *settings) *float64 { return &k.refuse })},
		{"filter", "the share of answers withheld by a content filter", shareKnob(func(k *settings) *float64 { return &k.filter })},
		{"cut", "the share of attempts whose stream ends too early", shareKnob(func(k *settings) *float64 { return &k.cut })},
		{"down", "the share of attempts that meet an outage", shareKnob(func(k *settings) *float64 { return &k.down })},
		{"limit", "the most tokens that it writes, whatever the token limit is; a token is 4 bytes", func(k *settings, v string) error {
			var x float64
			err := parseNumber(&x, v, 0, math.MaxInt32)
			k.limit = int(x)
			return err
		}},
		{"think", "the median number of tokens of reasoning before an answer", numberKnob(func(k *settings) *float64 { return &k.reasoning }, 1e5)},
		{"latency", "the median time to the first word, such as 50ms", func(k *settings, v string) error {
			d, err := time.ParseDuration(v)
			if err != nil || d < 0 || d > time.Hour {
				return fmt.Errorf("want a duration such as 50ms, not %q", v)
			}
			k.latency = d
			return nil
		}},
		{"spread", "how much that time varies: the standard deviation of its logarithm", numberKnob(func(k *settings) *float64 { return &k.spread }, 10)},
		{"rate", "tokens per second after the first word; 0 is all at once", numberKnob(func(k *settings) *float64 { return &k.rate }, 1e9)},
		{"say", "what it says: answer or question (answer)", func(k *settings, v string) error {
			if v != "answer" && v != "question" {
				return fmt.Errorf("want answer or question, not %q", v)
			}
			k.echo = v == "question"
			return nil
		}},
		{"seed", "another seed is another model of the same kind (1)", func(k *settings, v string) (err error) {
			if k.seed, err = strconv.ParseUint(v, 10, 64); err != nil {
				return fmt.Errorf("want a whole number, not %q", v)
			}
			return nil
		}},
	}
}

// parseNumber sets x to a number from least to most.
func parseNumber(x *float64, v string, least, most float64) error {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(least <= f && f <= most) {
		return fmt.Errorf("want a number from %g to %g, not %q", least, most, v)
	}
	*x = f
	return nil
}

// shareKnob sets a share, from 0 to 1.
func shareKnob(field func(*settings) *float64) func(*settings, string) error {
	return numberKnob(field, 1)
}

// numberKnob sets a number from 0 to most.
func numberKnob(field func(*settings) *float64, most float64) func(*settings, string) error {
	return func(k *settings, v string) error { return parseNumber(field(k), v, 0, most) }
}

// halfKnob sets the length at which half of the answers to a task are wrong.
func halfKnob(task task) func(*settings, string) error {
	return numberKnob(func(k *settings) *float64 { return &k.half[task] }, math.MaxInt32)
}

// setLabels reads failure labels, of any grader.
func setLabels(k *settings, v string) error {
	var known []string
	for _, grader := range damage.Graders() {
		for _, s := range damage.Spoilers(grader) {
			if !slices.Contains(known, s.Label) {
				known = append(known, s.Label)
			}
		}
	}
	k.labels = strings.Split(v, ",")
	for _, label := range k.labels {
		if !slices.Contains(known, label) {
			return fmt.Errorf("no failure is labelled %q%s; there are %s", label, input.DidYouMean(label, known), strings.Join(known, ", "))
		}
	}
	return nil
}

// newSettings returns the settings of a kind with other values for some knobs. Knobs are set in the order
// of the table, so that half comes before the tasks that refine it. Errors are *input.NameError.
func newSettings(kind string, knobs url.Values) (settings, error) {
	k := settings{seed: 1, slope: 1.5, facts: 2, errorShare: -1}
	misnamed := func(reason, advice string) (settings, error) {
		return settings{}, &input.NameError{Name: "sim:" + kind, Reason: reason, Advice: advice}
	}
	var kinds []string
	var preset url.Values
	for _, s := range Kinds() {
		kinds = append(kinds, s.Name)
		if s.Name == kind {
			preset, _ = url.ParseQuery(s.Knobs) // never nil
		}
	}
	if preset == nil {
		return misnamed(fmt.Sprintf("there is no simulated model %q%s", kind, input.DidYouMean(kind, kinds)), "there are "+strings.Join(kinds, ", "))
	}
	all := Knobs()
	var names []string
	for _, knob := range all {
		names = append(names, knob.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(knobs)) {
		if !slices.Contains(names, name) {
			return misnamed(fmt.Sprintf("it has no knob %q%s", name, input.DidYouMean(name, names)), "its knobs are "+strings.Join(names, ", "))
		}
	}
	for _, values := range []url.Values{preset, knobs} {
		for _, knob := range all {
			if !values.Has(knob.Name) {
				continue
			}
			if err := knob.set(&k, strings.Join(values[knob.Name], ",")); err != nil {
				return misnamed("knob "+knob.Name+": "+err.Error(), knob.Name+" is "+knob.Doc)
			}
		}
	}
	return k, nil
}
