package report

import (
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
	"verbatim/internal/verdict/earlystop"
	"verbatim/internal/verdict/horizonsearch"
	"verbatim/internal/verdict/retest"
)

// A Check is the result of a test of a run against a baseline. Its JSON form is the format
// "verbatim/check/1".
type Check struct {
	Format string `json:"format"`
	Kind   string `json:"kind"` // "check" or "until-verdict"
	*earlystop.Result
	// Together is the number of models whose verdicts have the error rate AlphaTogether together; 0 for one
	// model.
	Together      int        `json:"holm_of,omitempty"`
	AlphaTogether float64    `json:"alpha_together,omitempty"`
	Metric        Metric     `json:"metric"`
	Against       CheckedRun `json:"baseline"`
	Run           CheckedRun `json:"run"`
	// Checks is the number of checks of this baseline in the database, this one included; 0
	// for other tests.
	Checks   int       `json:"checks_of_baseline"`
	Saved    int       `json:"calls_saved"` // items that an early verdict made unnecessary
	Cost     *Cost     `json:"cost"`
	Seconds  float64   `json:"seconds"`         // duration of this command
	Ended    string    `json:"ended,omitempty"` // why no more was sent before the test was finished
	ExitCode int       `json:"exit_code"`
	Notes    []Warning `json:"notes,omitempty"`
	Advice   []Advice  `json:"advice,omitempty"` // what to do now
	Started  time.Time `json:"started"`          // start of this command

	Again string          `json:"-"` // the command line that continues the test
	Price *verbatim.Price `json:"-"` // of the run, when it was started; nil: unknown
}

// A CheckList is the result of checks of several models. Its JSON form is the format "verbatim/checks/1".
type CheckList struct {
	Format   string   `json:"format"`
	Alpha    float64  `json:"alpha"` // of all verdicts together
	Checks   []*Check `json:"checks"`
	ExitCode int      `json:"exit_code"` // the worst
}

// A CheckedRun names a run of a Check.
type CheckedRun struct {
	N     int64  `json:"n,omitempty"`
	Name  string `json:"name"`
	Model string `json:"model"`
	Note  string `json:"note,omitempty"` // a remark, such as that the model is simulated
	Ref   string `json:"-"`              // names the run on a command line
}

// Advice is what to do now, in a sentence, and the command for it if there is one.
type Advice struct {
	Text    string `json:"text"`
	Command string `json:"command,omitempty"`
}

// Complete fills in what follows from the rest: the format, Saved, notes and advice.
func (c *Check) Complete() {
	c.Format = "verbatim/check/1"
	if c.Word.Settled() && !c.FinalLook {
		c.Saved = c.Items - c.Sent
	}
	note := func(kind, format string, args ...any) {
		c.Notes = append(c.Notes, Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	for _, r := range []*CheckedRun{&c.Against, &c.Run} {
		if r.Note != "" && (r == &c.Run || r.Model != c.Run.Model) {
			note("built-in", "%s is %s.", r.Model, r.Note)
		}
	}
	if n := int64(c.Unanswered); n > 0 {
		note("unanswered", "%s no answer: left out on both sides.", number.Plural(n, "item that was sent has", "items that were sent have"))
	}
	if n := int64(c.Missing); n > 0 {
		note("unanswered", "%s no answer in the baseline: left out on both sides.", number.Plural(n, "item has", "items have"))
	}
	if n := int64(c.Unscored); n > 0 {
		note("score", "The score is undefined for %s and counts 0.", number.Plural(n, "answer", "answers"))
	}
	if n := int64(c.BaselineUnscored); n > 0 {
		note("score", "The score is undefined for %s of the baseline and counts 0.", number.Plural(n, "answer", "answers"))
	}
	c.advise()
}

// advise fills in Advice.
func (c *Check) advise() {
	say := func(command, format string, args ...any) {
		c.Advice = append(c.Advice, Advice{fmt.Sprintf(format, args...), command})
	}
	switch {
	case c.Word == verdict.Worse && c.Kind == "check":
		say("", "Do not repeat a failed check until it passes: the same command starts a new test, and each new test has its own chance of being wrong.")
	case c.Word == verdict.Withheld && c.Reason == earlystop.ReasonUnanswered:
		say(c.Again, "The same command sends the unanswered items again:")
	case c.Word == verdict.Withheld:
		say("", "Allow longer answers with --reasoning-tokens TOKENS, or more of a difference with --max-truncated-gap.")
	case c.Word == verdict.Inconclusive && !c.Finished:
		say(c.Again, "Continue with:")
	case c.Word == verdict.Inconclusive:
		c.adviseMore(say)
	}
	if c.Kind == "check" {
		c.adviseBaseline(say)
	}
}

// manyChecks is the number of checks of one baseline from which the advice is to make a new one.
const manyChecks = 3

// adviseBaseline says how one saved baseline limits its checks, and how many trials make it precise
// enough.
func (c *Check) adviseBaseline(say func(command, format string, args ...any)) {
	if e := c.BaselineError; e != nil && c.Word.Settled() && 2*1.96*e.SE > c.Bound {
		say("", "The error rates are averages over baselines. The mean of this baseline has a standard error of %.3f from its own answers, and all its checks share that error. "+
			"'verbatim run --trials %s' makes a baseline whose 1.96 standard errors are at most half the margin.", e.SE, number.Count(e.TrialsNeeded))
	}
	if c.Checks >= manyChecks {
		say("", "This is check %d of this baseline. A saved baseline is not for nightly repetition: each check has its own chance of error, and all share the error of the baseline. "+
			"Check after a change, and make a new baseline with 'verbatim run --new' from time to time.", c.Checks)
	}
}

// adviseMore says how many more items an undecided test needs.
func (c *Check) adviseMore(say func(command, format string, args ...any)) {
	left := c.Items - c.Sent
	switch {
	case c.Pairs < verdict.FewItems: // they tell nothing of further ones
	case c.ItemsNeeded == nil:
		say("", "No number of items would settle it if they go on like those so far: the difference is at the edge of the margin.")
	default:
		about := "About " + number.Rough(int64(*c.ItemsNeeded)) + " more items"
		if *c.ItemsNeeded == 1 {
			about = "One more item"
		}
		about += " would settle it if they go on like those so far"
		switch {
		case left == 0:
			say("", "%s, and the baseline has no more: make a larger baseline, then compare with that.", about)
		case *c.ItemsNeeded > left:
			say("", "%s, more than the %s that the baseline has left.", about, number.Count(int64(left)))
		default:
			say("", "%s.", about)
		}
	}
	if left > 0 {
		say(c.Again, "To go on with this test:")
	}
}

// A Compared is the result of comparing runs. Its JSON form is the format "verbatim/compare/1"; a
// missing number is null.
type Compared struct {
	Format string `json:"format"`
	// Method is "posterior", or "signed-rank" for the analysis of the SortBench paper.
	Method string `json:"method"`
	// Comparisons compare each run with the baseline, or all pairs of runs; empty if the method
	// is signed-rank.
	Comparisons []*verdict.Comparison `json:"comparisons"`
	// Ranking is the result of the method signed-rank; nil for the other method.
	Ranking *autorank.Ranking `json:"ranking"`
}

// Comparing returns the result of comparisons by posteriors.
func Comparing(list []*verdict.Comparison) *Compared {
	return &Compared{Format: "verbatim/compare/1", Method: "posterior", Comparisons: list}
}

// Ranked returns the result of a ranking by signed-rank tests.
func Ranked(r *autorank.Ranking) *Compared {
	return &Compared{Format: "verbatim/compare/1", Method: "signed-rank", Comparisons: []*verdict.Comparison{}, Ranking: r}
}

// SortBenchMeasures returns the columns of SortBench's weighted tables; see
// report.sortBenchMeasure.
func SortBenchMeasures() []autorank.Measure {
	var list []autorank.Measure
	for _, name := range []string{"sortbench", "sorting", "faithfulness", "validity"} {
		list = append(list, autorank.Measure{Name: name, Value: func(it *verbatim.Item, g *verbatim.Grade) (float64, bool) {
			return sortBenchMeasure(name, it, g)
		}})
	}
	return list
}

// A Retest is the analysis of one run whose items have two answers. In JSON it is a part of the
// format "verbatim/aa/1".
type Retest struct {
	N     int64  `json:"n"` // the run's number and name
	Run   string `json:"run"`
	Model string `json:"model"`
	Note  string `json:"note,omitempty"` // a remark, such as that the model is simulated
	Suite string `json:"suite"`
	Plan  string `json:"plan"` // its hash
	// Twice is nil if no item has two answers.
	Twice *retest.Result `json:"twice"`
}

// RetestFormat names the JSON form of a RetestList.
const RetestFormat = "verbatim/aa/1"

// A RetestList is the JSON form of `verbatim aa`.
type RetestList struct {
	Format string   `json:"format"`
	Runs   []Retest `json:"runs"`
}

// A HorizonSearch is the result of one search for a horizon. In JSON it is a part of the format
// "verbatim/horizon/1".
type HorizonSearch struct {
	N      int64  `json:"n"` // the run's number and name
	Run    string `json:"run"`
	Model  string `json:"model"`
	Note   string `json:"note,omitempty"` // a remark, such as that the model is simulated
	Task   string `json:"task"`
	Unit   string `json:"unit"`   // of lengths
	Metric Metric `json:"metric"` // which answers count as right: MetricExact or MetricExtracted
	// Limit is the horizon; nil without answers.
	Limit *horizonsearch.Horizon `json:"horizon"`
	// Ended is why the search ended; empty if it would go on.
	Ended horizonsearch.StopReason `json:"ended"`
	// More is a command that continues the search, if that would make the result more precise.
	More string `json:"more,omitempty"`
}

// HorizonFormat names the JSON form of a HorizonList.
const HorizonFormat = "verbatim/horizon/1"

// A HorizonList is the JSON form of `verbatim horizon`.
type HorizonList struct {
	Format   string          `json:"format"`
	Horizons []HorizonSearch `json:"horizons"`
}
