package report

import (
	"time"

	"verbatim"
	"verbatim/internal/recordview"
	"verbatim/internal/upstream"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/leaderboard"
)

// A Report is what there is to say of one or several runs, computed once by Of.
// Its JSON form is the format "verbatim/report/2"; a missing number is null.
type Report struct {
	Format string `json:"format"`
	// Confidence is that of every interval: 0.95.
	Confidence float64 `json:"confidence"`
	Runs       []Block `json:"runs"`
	// Leaderboard ranks the runs; nil where there are not several that can be ranked.
	Leaderboard *leaderboard.Leaderboard `json:"leaderboard,omitempty"`
	// Comparisons hold every run next to the baseline: the one that was named as such, or
	// the leader.
	Comparisons []*verdict.Comparison `json:"comparisons,omitempty"`
	// Groups are the records by what --group-by names; nil without it.
	Groups *Grouping `json:"groups,omitempty"`
	// Samples are samples to look at; nil where none were asked for.
	Samples *Samples `json:"samples,omitempty"`
	// Tool is the version of the program that made the report, and Command makes it
	// again.
	Tool    string `json:"tool,omitempty"`
	Command string `json:"command,omitempty"`
	// Database is the file that commands must name with --db to find what is shown;
	// empty: none.
	Database string `json:"-"`
	// Warnings are the doubts about comparing the runs with each other.
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Block is what there is to say of one run.
type Block struct {
	Head     Head     `json:"head"`
	Families []Family `json:"families"`
	Total    Line     `json:"total"` // all families together
	// Lengths are all families together, line by line; nil unless there are several
	// and all were asked the same lengths.
	Lengths []Line `json:"lengths,omitempty"`
	// Wordings has a line for each wording if the items are spread over several. The intervals
	// of totals then include the variance between them.
	Wordings []Wording `json:"wordings,omitempty"`
	// ModelScore is the paper's: see Family.ModelScore. Where all families were asked
	// the same lengths it is over the scores of all of them, as in the paper's Table 1:
	// the mean score at a length, an undefined one left out, with the length for its
	// weight. Else it is the mean over the families that have one.
	ModelScore *float64 `json:"model_score"`
	// Reasoning sums up the reasoning of answers by outcome, in the order of
	// verbatim.Outcomes; empty where no server reported any.
	Reasoning []Reasoned `json:"reasoning_by_outcome,omitempty"`
	// InText is the number of answers whose reasoning was taken out of their text.
	InText int64 `json:"reasoning_in_text,omitempty"`
	// NoContent is nil unless the token limit stopped answers before any content.
	NoContent *NoContent `json:"stopped_before_content,omitempty"`
	// Contexts say how many items fit a context window; empty where no server counted
	// tokens.
	Contexts []Context `json:"contexts,omitempty"`
	// NeededContext is the tokens of the longest prompt with its answer; 0: not known.
	NeededContext int64 `json:"needed_context,omitempty"`
	// Days are the records by the UTC day on which they were asked; empty where all
	// are of one day.
	Days []Day `json:"days,omitempty"`
	// Upstreams are the answers by the server that wrote them; empty unless the endpoint
	// names several.
	Upstreams []Upstream `json:"upstreams,omitempty"`
	// Retried is nil where every request was tried once, or the tries are not known.
	Retried *Retried `json:"retried,omitempty"`
	// Resent counts the requests that were sent again at once because the server had closed a
	// kept connection: no retries.
	Resent int64 `json:"resent,omitempty"`
	// Outages counts the failures of unanswered items by class, commonest first.
	Outages []Count `json:"outages,omitempty"`
	// Flags counts what was noticed next to the labels, commonest first.
	Flags []Count `json:"flags,omitempty"`
	// FinishWords counts the answers whose finish reason is not known, commonest first.
	FinishWords []FinishWord `json:"unknown_finish_reasons,omitempty"`
	Warnings    []Warning    `json:"warnings,omitempty"`

	Free bool `json:"-"` // the run costs nothing, and reports name no cost
}

// A Head says which run a Block is about.
type Head struct {
	N       int64            `json:"n,omitempty"` // the number that `runs` prints; 0 before it is kept
	Name    string           `json:"name"`
	Model   string           `json:"model"`
	Served  []Count          `json:"served_models,omitempty"` // as the server names them
	Note    string           `json:"note,omitempty"`          // such as: that the model is simulated
	Origin  string           `json:"origin,omitempty"`        // of imported replies
	Suite   string           `json:"suite"`
	Edition verbatim.Edition `json:"edition"`
	Seed    uint64           `json:"seed"`
	Trials  int              `json:"trials"`
	Plan    string           `json:"plan"` // its hash
	Items   string           `json:"items,omitempty"`
	// Variant is how the items were put; nil: as they are.
	Variant *verbatim.Variant `json:"variant,omitempty"`
	Started *time.Time        `json:"started,omitempty"`
	Ended   *time.Time        `json:"ended,omitempty"`
	Took    *float64          `json:"took_seconds,omitempty"` // from the start to the end
	Tool    string            `json:"tool,omitempty"`
	Params  verbatim.Params   `json:"params"`
	Load    *verbatim.Load    `json:"load,omitempty"` // what was asked of the server at once, if it is known what it runs
	Graders []Count           `json:"graders,omitempty"`
	Metric  Metric            `json:"metric"` // what the score column holds

	Asks   string `json:"-"` // names the plan but for its variant
	Varied bool   `json:"-"` // a run of the report has a variant, this one or another
}

// A Family is the lines of one family, shortest length first, and their total.
type Family struct {
	Name  string `json:"name"`
	Total Line   `json:"total"`
	Lines []Line `json:"lines"`
	// ModelScore is the mean score with the length for its weight, the sum of length
	// times mean score over the sum of lengths (Herbold 2025, arXiv:2504.08312, eq. 4);
	// nil unless every line is of one length and has a score.
	ModelScore *float64 `json:"model_score"`
	// FirstErrors say for each tenth of the expected text how many answers have their first
	// error in it, of those that are right up to it. Answers to texts of LongText characters
	// count, and refusals do not. It is empty without such answers.
	FirstErrors []Rate `json:"first_errors,omitempty"`
}

// A Line counts and measures the records of one family at one length or in one
// band of lengths, or of everything that a total is over.
type Line struct {
	Family string `json:"family,omitempty"` // empty on the total of a run
	Length string `json:"length,omitempty"` // "16", or "9–16" for a band; empty on totals
	// Lengths is Length as numbers; nil on totals, and where the length that a
	// user's items name is not a number.
	Lengths *verbatim.Lengths `json:"lengths,omitempty"`
	// Planned counts the requests that the plan holds for this line. It is nil
	// where a plan does not say it: the lengths inside a range are drawn with
	// the items, so they are known only once everything was asked.
	Planned    *int64 `json:"planned"`
	Recorded   int64  `json:"recorded"` // answered or not
	Answered   int64  `json:"answered"`
	Unanswered int64  `json:"unanswered"` // cut, error and skipped
	Exact      Rate   `json:"exact"`      // right as the rule of the task demands
	Extracted  Rate   `json:"extracted"`  // right once a wrapper is removed
	Score      Mean   `json:"score"`
	// Trials is about items that are asked several times; nil where none is.
	Trials *Trials `json:"trials,omitempty"`
	// Outcomes counts the records by outcome, in the order of verbatim.Outcomes.
	Outcomes []Count `json:"outcomes"`
	// Failures counts the answers that are not exact by label, commonest first.
	Failures   []Count  `json:"failures,omitempty"`
	FirstToken Duration `json:"first_token_seconds"`
	// FirstContent is the time to the first text after reasoning; FirstToken is to the first
	// of either.
	FirstContent Duration `json:"first_content_seconds"`
	// Queued is the time in the server's queue, which Seconds includes; N counts the answers
	// of which the server says it.
	Queued  Duration `json:"queue_seconds"`
	Seconds Duration `json:"seconds"`
	Tokens  Tokens   `json:"tokens"`
	Cost    *Cost    `json:"cost,omitempty"` // nil where nothing is known of any
}

// A Reasoned sums up the reasoning of the answers with one outcome.
type Reasoned struct {
	Outcome verbatim.Outcome `json:"outcome"`
	// Sizes are in tokens, as the server counts them. Without its counts N is 0.
	Sizes
	// Texts is nil if no text of reasoning was received.
	Texts *ReasoningTexts `json:"texts,omitempty"`
}

// Sizes are numbers of tokens or characters of N answers. The quantiles between the ends are
// those of a histogram, as Duration's are.
type Sizes struct {
	Mean   *float64 `json:"mean"`
	Min    *float64 `json:"min"`
	P25    *float64 `json:"p25"`
	Median *float64 `json:"median"`
	P75    *float64 `json:"p75"`
	P95    *float64 `json:"p95"`
	Max    *float64 `json:"max"`
	Total  int64    `json:"total"`
	N      int64    `json:"n"`
}

// ReasoningTexts sums up what the texts of reasoning say. Answers without such a text do not
// count.
type ReasoningTexts struct {
	Characters       Sizes  `json:"characters"`
	SecondThoughts   Marked `json:"second_thoughts"`
	RepeatedLines    Marked `json:"repeated_lines"`
	LanguageSwitches Marked `json:"language_switches"`
}

// Marked counts marks in texts of reasoning.
type Marked struct {
	Total   int64 `json:"total"`
	Answers int64 `json:"answers"` // that have one or more
}

// A Context counts the answers whose prompt and completion, reasoning included, fit
// a window of so many tokens together.
type Context struct {
	Window int64 `json:"window"`
	Fit    int64 `json:"fit"`
	Of     int64 `json:"of"` // answers of which both counts are known
}

// A Day sums up the records that were asked on one UTC day.
type Day struct {
	Day    string  `json:"day"` // as 2006-01-02
	Line   Line    `json:"line"`
	Served []Count `json:"served_models,omitempty"`
}

// A Grouping is the records of all runs by facts that were named.
type Grouping struct {
	By     []string `json:"by"`
	Groups []Group  `json:"groups"`
	// Warnings say where records are pooled that differ in what is not shown.
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Group is the records that share a value of every fact.
type Group struct {
	Key  []string `json:"key"` // a value for each of Grouping.By; "" where a record has none
	Line Line     `json:"line"`
	// Mixed names the facts that are not shown and not the same for all records.
	Mixed []Mixed `json:"mixed,omitempty"`
}

// A Mixed is a fact with the values that are pooled.
type Mixed struct {
	Fact   string  `json:"fact"`
	Values []Count `json:"values"`
}

// Samples are answers that were chosen to be looked at: of every run, family and
// label the first few in planned order.
type Samples struct {
	Each int      `json:"each"`     // at most so many of every run, family and label
	Of   int64    `json:"answered"` // answers that they were chosen from
	List []Sample `json:"list"`
}

// A Sample is one answer.
type Sample struct {
	Run int `json:"run_index"` // in Report.Runs
	*recordview.View
	// Cut names the fields of which a part is left out, since they are long.
	Cut []string `json:"cut,omitempty"`
}

// Trials are shares of the items of which every trial was answered.
type Trials struct {
	Each     int64 `json:"each"`     // trials of an item
	Any      Rate  `json:"any"`      // exact in one trial or more: pass@k with k = Each
	All      Rate  `json:"all"`      // exact in every trial
	Majority Rate  `json:"majority"` // exact in more than half of the trials
	// Fewer are the same for fewer trials, from 1 on; at most maxFewer of them.
	Fewer []FewerTrials `json:"fewer"`
}

// FewerTrials are means over items, each from all answers to it.
type FewerTrials struct {
	Trials int64 `json:"trials"`
	Any    Mean  `json:"any"` // pass@k
	All    Mean  `json:"all"` // all@k
}

// A Mean is over the answers that have a value.
type Mean struct {
	Value *float64 `json:"value"`
	N     int64    `json:"n"` // how many have one
	// Low and High are its 95 % interval by item, as stats.ScoreSums; nil for a mean outside 0
	// to 1.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// A Duration sums up times, in seconds, of the replies that tell theirs. Its
// quantiles are those of a histogram whose buckets grow by a sixteenth of a
// doubling: off by 2.2 % at most, for times from a microsecond on.
type Duration struct {
	Median *float64 `json:"median"`
	P95    *float64 `json:"p95"`
	N      int64    `json:"n"`
}

// Tokens are sums over the replies whose server reported a count.
type Tokens struct {
	Prompt     Sum `json:"prompt"`
	Completion Sum `json:"completion"`
	Reasoning  Sum `json:"reasoning"`
}

// A Sum is nil when nothing was reported.
type Sum struct {
	Total *int64 `json:"total"`
	N     int64  `json:"n"` // replies that reported it
}

// A Count is how often something was seen.
type Count struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// A FinishWord counts the answers that ended for a reason which the program does not
// know, or which says that the server failed. They are graded as finished answers.
type FinishWord struct {
	Word string `json:"word"` // as the server spells it
	// Failure: the word says that the server failed. Such replies were saved by an
	// earlier version, or come from a file.
	Failure    bool     `json:"failure,omitempty"`
	N          int64    `json:"n"`
	Exact      int64    `json:"exact"`
	ExactShare *float64 `json:"exact_share"` // of N
}

// NoContent are the answers that the token limit stopped before any content: the model was
// still reasoning.
type NoContent struct {
	N    int64 `json:"n"`
	Of   int64 `json:"of"`             // answers
	Cost *Cost `json:"cost,omitempty"` // of these answers; nil if nothing is known of it
}

// Retried is about the requests that were tried more than once. Where their share
// of right answers is another than that of the others, the retries are part of the
// result.
type Retried struct {
	N     int64 `json:"n"`     // answered or not
	Exact Rate  `json:"exact"` // of those that were answered in the end
}

// An Upstream is the answers of one of several servers that an endpoint passes requests to.
type Upstream struct {
	Name   string           `json:"name"`
	Line   Line             `json:"line"`
	Failed *upstream.Failed `json:"failed,omitempty"` // nil: no attempt that names it failed
}

// A Wording counts the answers to the items in one wording, over all families. The official
// wording of each family has the name "0".
type Wording struct {
	Name  string `json:"name"`
	Exact Rate   `json:"exact"`
}

// A Warning is a doubt about numbers, in a sentence, and a word for machines.
type Warning struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}
