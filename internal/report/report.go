package report

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/recordview"
	"verbatim/internal/stats"
	"verbatim/internal/upstream"
	"verbatim/internal/verdict"
)

// A Report is the report on one or several runs. Of computes all of it but Leaderboard,
// Comparisons, Tool, Command and Database. Its JSON form is the format "verbatim/report/1"; a
// missing number is null.
type Report struct {
	Format string `json:"format"`
	// Confidence is the confidence of all intervals: 0.95.
	Confidence float64 `json:"confidence"`
	// AtLeast is the exact share up to whose longest length a run counts as exact; 0: AtLeast.
	AtLeast float64 `json:"-"`
	Runs    []Block `json:"runs"`
	// Leaderboard ranks the runs; nil without several runs that can be ranked.
	Leaderboard *verdict.Leaderboard `json:"leaderboard,omitempty"`
	// Comparisons compare every run with the baseline: the one that --baseline names, or the
	// leader.
	Comparisons []*verdict.Comparison `json:"comparisons,omitempty"`
	// Groups are the records by the facts of --group-by; nil without it.
	Groups *Grouping `json:"groups,omitempty"`
	// Samples are sample answers; nil if none were requested or can be read.
	Samples *Samples `json:"samples,omitempty"`
	// Tool is the version of the program that made the report. Command is the command line
	// that makes it again.
	Tool    string `json:"tool,omitempty"`
	Command string `json:"command,omitempty"`
	// Database is the file that commands must name with --db to find the runs; empty: the
	// default one.
	Database string `json:"-"`
	// Warnings are about comparing the runs with each other.
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Block is the report on one run.
type Block struct {
	Head     Head     `json:"head"`
	Families []Family `json:"families"`
	Total    Line     `json:"total"` // all families together
	// Lengths are all families together, by length; nil unless there are several families,
	// all with the same lengths.
	Lengths []Line `json:"lengths,omitempty"`
	// Wordings has an element for each wording if the items are spread over several. The
	// intervals of totals then include the variance between them.
	Wordings []Wording `json:"wordings,omitempty"`
	// ModelScore is the score of the SortBench paper; see Family.ModelScore. If all families
	// have the same lengths, it is over the scores of all of them, as in Table 1 of the paper:
	// the mean of the defined scores at each length, weighted by the length. Otherwise it is
	// the mean of the ModelScore of the families that have one.
	ModelScore *float64 `json:"model_score"`
	// Reasoning sums up the reasoning of answers by outcome, in the order of
	// verbatim.Outcomes; empty if no server reported any.
	Reasoning []Reasoned `json:"reasoning_by_outcome,omitempty"`
	// InText is the number of answers whose reasoning was removed from their text.
	InText int64 `json:"reasoning_in_text,omitempty"`
	// NoContent is nil unless the token limit stopped answers before any content.
	NoContent *NoContent `json:"stopped_before_content,omitempty"`
	// Contexts say how many answers fit a context window; empty if no server counted tokens.
	Contexts []Context `json:"contexts,omitempty"`
	// NeededContext is the number of tokens of the longest prompt with its answer; 0: unknown.
	NeededContext int64 `json:"needed_context,omitempty"`
	// Days are the records by UTC day; empty if all are of one day.
	Days []Day `json:"days,omitempty"`
	// Upstreams are the answers by the server that wrote them; empty unless the endpoint
	// names several.
	Upstreams []Upstream `json:"upstreams,omitempty"`
	// Retried is nil if no request is known to have had several attempts.
	Retried *Retried `json:"retried,omitempty"`
	// Resent counts the attempts that were sent again at once because the server had closed an
	// idle connection. They are no retries.
	Resent int64 `json:"resent,omitempty"`
	// Outages counts the failures of unanswered items by class, commonest first.
	Outages []Count `json:"outages,omitempty"`
	// Flags counts the flags of grades, commonest first.
	Flags []Count `json:"flags,omitempty"`
	// FinishWords counts the answers with an unknown finish reason, commonest first.
	FinishWords []finishWord `json:"unknown_finish_reasons,omitempty"`
	Warnings    []Warning    `json:"warnings,omitempty"`

	Free bool `json:"-"` // the run costs nothing, so that reports name no cost
}

// A Head says which run a Block is about.
type Head struct {
	N       int64            `json:"n,omitempty"` // the number that `runs` prints; 0 before the run is saved
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
	// Variant is the prompt variant; nil: the prompts are those of the items.
	Variant *verbatim.Variant `json:"variant,omitempty"`
	Started *time.Time        `json:"started,omitempty"`
	Ended   *time.Time        `json:"ended,omitempty"`
	Took    *float64          `json:"took_seconds,omitempty"` // from the start to the end
	Tool    string            `json:"tool,omitempty"`
	Params  verbatim.Params   `json:"params"`
	Load    *verbatim.Load    `json:"load,omitempty"` // requests in flight and what the server runs at once; nil: unknown
	Graders []Count           `json:"graders,omitempty"`
	Metric  Metric            `json:"metric"` // what the score column holds

	Asks   string `json:"-"` // equal for plans that differ in their variant only
	Varied bool   `json:"-"` // this or another run of the report has a variant
}

// A Family is the lines of one family, shortest length first, and their total.
type Family struct {
	Name  string `json:"name"`
	Total Line   `json:"total"`
	Lines []Line `json:"lines"`
	// ModelScore is the mean of the scores of the lines, weighted by their lengths (Herbold
	// 2025, arXiv:2504.08312, eq. 4). It is nil unless every line is of one length and has a
	// score.
	ModelScore *float64 `json:"model_score"`
	// FirstErrors has a rate for each tenth of the expected text: of the answers that are right
	// up to it, those with their first error in it. Only expected texts of LongText characters
	// or more count. Refusals do not count. It is empty without such answers.
	FirstErrors []Rate `json:"first_errors,omitempty"`
}

// A Line counts and measures records: those of one family at one length or in one band of
// lengths, or those of a total.
type Line struct {
	Family string `json:"family,omitempty"` // empty on the total of a run
	Length string `json:"length,omitempty"` // "16", or "9–16" for a band; empty on totals
	// Lengths is Length as numbers; nil on totals, and if the length of a user's items is a
	// word.
	Lengths *verbatim.Lengths `json:"lengths,omitempty"`
	// Planned is the number of planned requests of this line. It is nil if the plan does not
	// say it: the lengths inside a range are drawn with the items, so their numbers are known
	// only when all requests have been sent.
	Planned    *int64 `json:"planned"`
	Recorded   int64  `json:"recorded"` // answered or not
	Answered   int64  `json:"answered"`
	Unanswered int64  `json:"unanswered"` // cut, error and skipped
	Exact      Rate   `json:"exact"`      // the whole reply is the expected answer
	Extracted  Rate   `json:"extracted"`  // the answer found in the reply is right
	Score      Mean   `json:"score"`
	// Trials is about items with several trials; nil without such items.
	Trials *Trials `json:"trials,omitempty"`
	// Outcomes counts the records by outcome, in the order of verbatim.Outcomes.
	Outcomes []Count `json:"outcomes"`
	// Failures counts the answers that are not exact by label, commonest first.
	Failures   []Count  `json:"failures,omitempty"`
	FirstToken Duration `json:"first_token_seconds"`
	// FirstContent is the time to the first text that is not reasoning. FirstToken is the time
	// to the first text of any kind.
	FirstContent Duration `json:"first_content_seconds"`
	// Queued is the time in the server's queue, which Seconds includes. Its N is the number of
	// answers for which the server reports it.
	Queued  Duration `json:"queue_seconds"`
	Seconds Duration `json:"seconds"`
	Tokens  tokens   `json:"tokens"`
	Cost    *Cost    `json:"cost,omitempty"` // nil if no cost is known
}

// A Reasoned sums up the reasoning of the answers with one outcome.
type Reasoned struct {
	Outcome verbatim.Outcome `json:"outcome"`
	// Sizes are in tokens, as the server counts them. N is 0 without such counts.
	Sizes
	// Texts is nil if no text of reasoning was received.
	Texts *ReasoningTexts `json:"texts,omitempty"`
}

// Sizes sum up numbers of tokens or characters of N answers. For more than ExactNumbers answers,
// the quantiles between Min and Max are those of a histogram, as for Duration.
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

// ReasoningTexts sums up the texts of reasoning. Answers without such a text do not count.
type ReasoningTexts struct {
	Characters       Sizes             `json:"characters"`
	Words            Sizes             `json:"words"`
	SecondThoughts   Marked            `json:"second_thoughts"`
	RepeatedLines    Marked            `json:"repeated_lines"`
	LanguageSwitches Marked            `json:"language_switches"`
	Patterns         map[string]Marked `json:"patterns"`          // by name of reasoning.Patterns
	Phrases          map[string]Marked `json:"phrases,omitempty"` // by phrase
}

// Marked counts marks in texts of reasoning.
type Marked struct {
	Total   int64 `json:"total"`
	Answers int64 `json:"answers"` // with at least one mark
}

// A Context counts the answers whose prompt and completion, reasoning included, together fit a
// window of so many tokens.
type Context struct {
	Window int64 `json:"window"`
	Fit    int64 `json:"fit"`
	Of     int64 `json:"of"` // answers with known counts of both
}

// A Day sums up the records of one UTC day.
type Day struct {
	Day    string  `json:"day"` // as 2006-01-02; Others for the days after the first 400
	Line   Line    `json:"line"`
	Served []Count `json:"served_models,omitempty"`
}

// A Grouping is the records of all runs by the facts of --group-by.
type Grouping struct {
	By     []string `json:"by"`
	Groups []Group  `json:"groups"`
	// Warnings are about groups whose records differ in facts that are not shown.
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Group is the records that share a value of every fact.
type Group struct {
	Key  []string `json:"key"` // a value for each of Grouping.By; "": records without one
	Line Line     `json:"line"`
	// Mixed are the facts that are not shown and differ within the group.
	Mixed []Mixed `json:"mixed,omitempty"`
}

// A Mixed is a fact with its values in a group, and how often each occurs.
type Mixed struct {
	Fact   string  `json:"fact"`
	Values []Count `json:"values"`
}

// Samples are the first few answers of every run, family and label, in planned order.
type Samples struct {
	Each int      `json:"each"`     // at most so many of every run, family and label
	Of   int64    `json:"answered"` // answers from which they were chosen
	List []Sample `json:"list"`
}

// A Sample is one answer.
type Sample struct {
	Run int `json:"run_index"` // in Report.Runs
	*recordview.View
	// Cut names the fields that are shortened.
	Cut []string `json:"cut,omitempty"`
}

// Trials are shares of the items whose trials are all answered.
type Trials struct {
	Each     int64 `json:"each"`     // trials of an item
	Any      Rate  `json:"any"`      // exact in one trial or more: pass@k with k = Each
	All      Rate  `json:"all"`      // exact in every trial
	Majority Rate  `json:"majority"` // exact in more than half of the trials
	// Fewer holds pass@k and all@k for fewer trials, from 1 to at most 9.
	Fewer []fewerTrials `json:"fewer"`
}

// fewerTrials are means over the items with at least Trials answers. All answers to an item count.
type fewerTrials struct {
	Trials int64 `json:"trials"`
	Any    Mean  `json:"any"` // pass@k
	All    Mean  `json:"all"` // all@k
}

// A Mean is the mean score of the answers that have one, or for a metric over trials of the items.
type Mean struct {
	Value *float64 `json:"value"` // nil without scores
	N     int64    `json:"n"`     // number of scores
	// Low and High are its 95 % interval by item; see stats.ScoreSums. They are nil for a mean
	// outside 0 to 1.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// A Duration sums up the known times of N replies, in seconds. Its quantiles are those of a
// histogram: their relative error is at most 2.2 % for times of a microsecond or more.
type Duration struct {
	Median *float64 `json:"median"`
	P95    *float64 `json:"p95"`
	N      int64    `json:"n"`
}

// tokens are sums over the replies for which the server reported a count.
type tokens struct {
	Prompt     Sum `json:"prompt"`
	Completion Sum `json:"completion"`
	Reasoning  Sum `json:"reasoning"`
}

// A Sum is a sum over N replies.
type Sum struct {
	Total *int64 `json:"total"` // nil if N is 0
	N     int64  `json:"n"`     // replies with a reported number
}

// A Count says how often a name occurs.
type Count struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// A finishWord counts the answers with a finish reason that the program does not know, or that
// says that the server failed. They are graded as finished answers.
type finishWord struct {
	Word string `json:"word"` // as the server spells it
	// Failure says that the word means a failure of the server. Such replies come from a
	// file.
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
	Cost *Cost `json:"cost,omitempty"` // of these answers; nil if no cost is known
}

// Retried counts the requests with more than one attempt. If their share of exact answers differs
// from the share of the other requests, retries influence the result.
type Retried struct {
	N     int64 `json:"n"`     // requests, answered or not
	Exact Rate  `json:"exact"` // of the requests that were answered in the end
}

// An Upstream sums up the answers of one of several servers to which an endpoint passes requests.
type Upstream struct {
	Name   string           `json:"name"`
	Line   Line             `json:"line"`
	Failed *upstream.Failed `json:"failed,omitempty"` // the attempts that failed there; nil: none are known
}

// A Wording counts the answers to the items in one wording, over all families. The official
// wording of each family has the name "0".
type Wording struct {
	Name  string `json:"name"`
	Exact Rate   `json:"exact"`
}

// A Warning is a doubt about numbers.
type Warning struct {
	Kind string `json:"kind"` // one word, for programs
	Text string `json:"text"` // sentences, for people
}

// An Input is a run and its records, in any order, each request once. Records may come without the
// texts of prompts and replies, which Of does not read.
type Input struct {
	Run verbatim.Run
	// Note is a remark that must be next to the numbers, such as that the model is simulated.
	Note    string
	Records iter.Seq2[verbatim.Record, error]
	// Pieces are the same records, split into streams that goroutines may read at the same
	// time. Without pieces, Of reads Records. A record of a piece is valid only until the next
	// one is read.
	Pieces []iter.Seq2[verbatim.Record, error]
	// Unrecorded is the maximum cost of attempts without a record.
	Unrecorded verbatim.Money
	// Record reads the record at a position of the plan with all its texts, for samples. Nil:
	// samples of this run cannot be read.
	Record func(seq int64) (verbatim.Record, error)
}

// pieces returns the streams of the records.
func (in *Input) pieces() []iter.Seq2[verbatim.Record, error] {
	if len(in.Pieces) > 0 {
		return in.Pieces
	}
	return []iter.Seq2[verbatim.Record, error]{in.Records}
}

// Options say what a Report holds.
type Options struct {
	Metric  Metric   // of the score column; empty: MetricScore
	GroupBy []string // facts, as ParseGroupBy returns them
	Samples int      // at most so many of every run, family and label
}

// A Metric is the number between 0 and 1 that the score column shows.
type Metric string

// The metrics. MetricScore, the default, is the score that the suite itself gives:
// SortBench's in its suite, exactness elsewhere.
const (
	MetricScore      Metric = "score"
	MetricExact      Metric = "exact"      // 1 if the whole reply is the expected answer, otherwise 0
	MetricExtracted  Metric = "extracted"  // 1 if the answer found in the reply is right, otherwise 0
	MetricSimilarity Metric = "similarity" // 1 minus the normalised edit distance
	MetricSortBench  Metric = "sortbench"  // SortBench score, in the normalisation of the item's edition
)

// Metrics lists the metrics, the default first.
func Metrics() []Metric {
	return []Metric{MetricScore, MetricExact, MetricExtracted, MetricSimilarity, MetricSortBench}
}

// ParseMetric reads the name of a metric. An empty name is MetricScore.
func ParseMetric(s string) (Metric, error) {
	if s == "" {
		return MetricScore, nil
	}
	names := make([]string, 0, len(Metrics()))
	for _, m := range Metrics() {
		if s == string(m) {
			return m, nil
		}
		names = append(names, string(m))
	}
	if m, ok, err := parseTrialMetric(s); ok {
		return m, err
	}
	return "", fmt.Errorf("unknown metric %q; the metrics are %s, and over the trials of an item pass@K, all@K, all, majority", s, strings.Join(names, ", "))
}

// ParseAnswerMetric is ParseMetric for tests that may stop after any answer. It rejects metrics over
// the trials of an item.
func ParseAnswerMetric(s string) (Metric, error) {
	m, err := ParseMetric(s)
	if err == nil && m.OverTrials() {
		return "", fmt.Errorf("%s is over the trials of an item, and this command scores answers one by one; use it with run, report or compare", m)
	}
	return m, err
}

// String returns the name of the metric in a sentence.
func (m Metric) String() string {
	if m == MetricScore || m == "" {
		return "the suite's own"
	}
	return string(m)
}

// Score returns the score of an answer to the item; ok is false if it is undefined. A metric over
// trials has the score of MetricExact. Similarity and SortBench scores need the measures of the
// grade.
func (m Metric) Score(item *verbatim.Item, g *verbatim.Grade) (score float64, ok bool) {
	if m.OverTrials() {
		m = MetricExact
	}
	switch m {
	case MetricExact:
		return one(g.Exact), true
	case MetricExtracted:
		return one(g.Extracted), true
	case MetricSimilarity:
		if v, ok := g.Measures["similarity"]; ok {
			return v, true
		}
		return 1, g.Exact // an exact answer is not measured
	case MetricSortBench:
		return sortBenchMeasure("sortbench", item, g)
	}
	if g.Score == nil {
		return 0, false
	}
	return *g.Score, true
}

// sortBenchMeasure returns a measure of SortBench by its name, in the normalisation of the item's
// edition, or in that of published scores; ok is false if the grade does not have it. Faithfulness
// and validity have no normalisation.
func sortBenchMeasure(name string, item *verbatim.Item, g *verbatim.Grade) (value float64, ok bool) {
	key := name
	switch {
	case name == "faithfulness" || name == "validity":
	case g.Grader == "published":
		key = name + "_published"
	case verbatim.Edition(item.Facts[verbatim.FactEdition]) != verbatim.Reference:
		key = name + "_standard"
	}
	value, ok = g.Measures[key]
	return value, ok
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Metrics over the trials of an item. Each is a number for an item, from how many of its
// answers are exact. metricPassAt and metricAllAt have a number of trials behind them.
const (
	metricPassAt   Metric = "pass@"    // probability that one of K trials or more is exact
	metricAllAt    Metric = "all@"     // probability that all of K trials are exact
	metricAll      Metric = "all"      // 1 if all trials are exact, otherwise 0
	metricMajority Metric = "majority" // 1 if more than half of the trials are exact, otherwise 0
)

// TrialMetrics lists metrics over trials, with 2 trials as an example.
func TrialMetrics() []Metric {
	return []Metric{metricPassAt + "2", metricAllAt + "2", metricAll, metricMajority}
}

// parseTrialMetric reads a metric over trials; ok is false if s is another one.
func parseTrialMetric(s string) (m Metric, ok bool, err error) {
	if s == string(metricAll) || s == string(metricMajority) {
		return Metric(s), true, nil
	}
	for _, kind := range []Metric{metricPassAt, metricAllAt} {
		number, is := strings.CutPrefix(s, string(kind))
		if !is {
			continue
		}
		k, err := strconv.ParseInt(number, 10, 32)
		if err != nil || k < 1 {
			return "", true, fmt.Errorf("%q needs a number of trials from 1 on, such as %s2", s, kind)
		}
		return kind + Metric(strconv.FormatInt(k, 10)), true, nil
	}
	return "", false, nil
}

// trials splits a metric over trials into its kind and its number of trials, 0 for all. The kind of
// another metric is "".
func (m Metric) trials() (kind Metric, k int64) {
	for _, kind := range []Metric{metricPassAt, metricAllAt} {
		if number, ok := strings.CutPrefix(string(m), string(kind)); ok {
			k, _ := strconv.ParseInt(number, 10, 32) // as parseTrialMetric wrote it
			return kind, k
		}
	}
	if m == metricAll || m == metricMajority {
		return m, 0
	}
	return "", 0
}

// OverTrials reports whether the metric gives one score for all trials of an item.
func (m Metric) OverTrials() bool {
	kind, _ := m.trials()
	return kind != ""
}

// ItemScore returns the function that computes the score of an item from its answers; nil for a
// metric of one answer.
func (m Metric) ItemScore() verdict.ItemScoreFunc {
	kind, k := m.trials()
	switch kind {
	case metricPassAt:
		return func(right, answers int64, _ int) (float64, bool) {
			return stats.PassAtK(right, max(answers, k), k), answers >= k
		}
	case metricAllAt:
		return func(right, answers int64, _ int) (float64, bool) {
			return stats.AllAtK(right, max(answers, k), k), answers >= k
		}
	case metricAll:
		return func(right, answers int64, trials int) (float64, bool) {
			return one(right == answers), answers >= int64(trials)
		}
	case metricMajority:
		return func(right, answers int64, trials int) (float64, bool) {
			return one(2*right > answers), answers >= int64(trials)
		}
	}
	return nil
}

// CheckTrials rejects a metric over more trials than a run has, and one over all trials if the runs
// have different numbers of trials.
func (m Metric) CheckTrials(runs ...*verbatim.Run) error {
	kind, k := m.trials()
	if kind == "" {
		return nil
	}
	for _, r := range runs {
		trials := int64(max(r.Plan.Trials, 1))
		if k > trials {
			name := "this run"
			if r.Name != "" {
				name = "run " + r.Name
			}
			return errkind.Usagef(fmt.Sprintf("K can be at most %d here; more need a run with --trials %d", trials, k),
				"--metric %s needs %d trials of each item, but %s has %d", m, k, name, trials)
		}
		if first := int64(max(runs[0].Plan.Trials, 1)); k == 0 && trials != first {
			return errkind.Usagef("use pass@K or all@K with a number of trials that all runs have", "--metric %s is over all trials of an item, but run %s has %d and run %s has %d", m, runs[0].Name, first, r.Name, trials)
		}
	}
	return nil
}

// modelScore returns Family.ModelScore, given the lines of the family.
func modelScore(lines []Line) *float64 {
	var lengths []int
	var scores []float64
	for i := range lines {
		l := &lines[i]
		if l.Lengths == nil || l.Lengths.Min != l.Lengths.Max || l.Score.Value == nil {
			return nil
		}
		lengths, scores = append(lengths, l.Lengths.Min), append(scores, *l.Score.Value)
	}
	return lengthWeighted(lengths, scores)
}

// lengthWeighted is stats.LengthWeighted. It is nil without such a mean, for example because a
// length is 0.
func lengthWeighted(lengths []int, scores []float64) *float64 {
	mean, ok, err := stats.LengthWeighted(lengths, scores)
	if !ok || err != nil {
		return nil
	}
	return &mean
}

// meanModelScore returns the mean of the model scores of families; nil if no family has one.
func meanModelScore(families []Family) *float64 {
	var sum stats.ExactSum
	n := 0
	for i := range families {
		if v := families[i].ModelScore; v != nil {
			sum.Add(*v)
			n++
		}
	}
	if n == 0 {
		return nil
	}
	mean := sum.Value() / float64(n)
	return &mean
}
