package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A view is the data of the page's templates, in the order of the page.
type view struct {
	frame
	Runs       []run
	Lone       bool // the report has one run
	Summary    *summaryView
	Warnings   *warningsView
	Ranking    *rankingView
	Ranks      rankChart
	Legend     []legendKey
	Curves     []curveChart
	CurveNotes curveNotes
	Heat       []heatTable
	Forest     *forestPanel
	Models     *table
	Families   []familyView
	Baseline   safeText
	Compared   []comparisonView
	Flips      []flipView
	Samples    *samplesView
	Outcomes   []*table
	Labels     labelChart
	Spent      []*table
	Days       *table
	Groups     *table
	From       *provenanceView
	Glossary   []termView
}

func newView(r *report.Report) *view {
	runs := runs(r)
	versus := newBaselineIndex(r)
	charts := curves(r)
	v := &view{
		frame: newFrame(title(r, runs)),
		Runs:  runs, Lone: len(runs) == 1,
		Summary: newSummary(r, runs, versus), Warnings: newWarnings(r, runs), Ranking: newRanking(r, runs),
		Ranks: rankBars(r), Legend: legend(r), Curves: charts, CurveNotes: newCurveNotes(r, charts), Heat: heatmap(r), Forest: overallForest(r),
		Models: modelTable(r, runs), Families: familyViews(r, versus), Compared: comparisonViews(r, runs),
		Outcomes: present(outcomeTable(r, runs), outageTable(r, runs), upstreamTable(r, runs), retriedTable(r, runs), trialTable(r, runs), flagTable(r, runs), firstErrorTable(r, runs)),
		Labels:   labelBars(r), Flips: flips(r), Samples: newSamples(r),
		Spent: present(moneyTable(r, runs), timeTable(r, runs), tokenTable(r, runs), reasoningTable(r, runs), contextTable(r, runs)),
		Days:  dayTable(r, runs), Groups: groupTable(r), From: newProvenance(r, runs), Glossary: glossary(),
	}
	if versus.baseline >= 0 {
		v.Baseline = runs[versus.baseline].Name
	}
	return v
}

// A samplesView has the samples of all runs, the largest number of each label, and the number of all
// answers.
type samplesView struct {
	Each, Of string
	Runs     []sampleView
}

// newSamples returns the samples; nil without any.
func newSamples(r *report.Report) *samplesView {
	list := samples(r)
	if len(list) == 0 {
		return nil
	}
	return &samplesView{number.Plural(int64(r.Samples.Each), "answer", "answers"), number.Plural(r.Samples.Of, "answer", "answers"), list}
}

// present leaves out the tables that are nil.
func present(list ...*table) []*table {
	var out []*table
	for _, t := range list {
		if t != nil {
			out = append(out, t)
		}
	}
	return out
}

//go:embed page.css
var pageStyle string

//go:embed chart.css
var chartStyle string

//go:embed page.js
var script string

// A frame is the head of every page.
type frame struct {
	Title  safeText
	Policy template.HTMLAttr
	Style  template.CSS
	Script template.JS
}

// newFrame makes the head of a page with this title.
func newFrame(title safeText) frame {
	style := pageStyle + chartStyle
	return frame{title, policy(style, script), template.CSS(style), template.JS(script)}
}

// policy returns the Content-Security-Policy of a page. It allows this style and this script,
// by their hashes, and pictures whose bytes are in the page. Without a script it allows none.
// It allows nothing else: no address, no style attribute and no event handler.
func policy(style, script string) template.HTMLAttr {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	scripts := ""
	if script != "" {
		scripts = "; script-src " + hash(script)
	}
	return template.HTMLAttr(`content="default-src 'none'; img-src data:; style-src ` + hash(style) + scripts + `; base-uri 'none'; form-action 'none'"`)
}

// A safeText is a text of a model, a server or a file that has passed through
// terminal.Visible. Templates put it into a bdi element, so that letters which are written
// from right to left do not reorder the text around it.
type safeText string

// The most characters of a name and of a sentence that are shown.
const (
	longestName     = 120
	longestSentence = 1200
)

// name makes a name safe, and short enough for a cell of a table.
func name(s string) safeText { return safeText(bounded(s, longestName)) }

// sentence makes a sentence safe, which may quote texts from outside.
func sentence(s string) safeText { return safeText(bounded(s, longestSentence)) }

// bounded returns the first characters of s as terminal.Visible shows them, with … if s is
// longer. It reads no more of s than it returns.
func bounded(s string, most int) string {
	end, n := 0, 0
	for end < len(s) && n < most {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
		n++
	}
	if end == len(s) {
		return terminal.Visible(s)
	}
	return terminal.Visible(s[:end]) + "…"
}

// names lists the names of counts, at most twelve of them.
func names(counts []report.Count) safeText {
	const most = 12
	var parts []string
	for i, c := range counts {
		if i == most {
			parts = append(parts, "and "+number.Count(int64(len(counts)-most))+" more")
			break
		}
		parts = append(parts, string(name(c.Name)))
	}
	return safeText(strings.Join(parts, ", "))
}

// missing is shown for an unknown number.
const missing = number.Missing

func signed(v float64) string     { return number.Signed(v, 3) }
func span(r verdict.Range) string { return number.SignedRange(r.Low, r.High, 3) }

// interval prints the interval of a rate in per cent; empty without one.
func interval(r report.Rate) string {
	if r.Low == nil || r.High == nil {
		return ""
	}
	return number.PercentRange(r.Low, r.High, 1)
}

// pValue prints a p-value as "p = 0.0123" or "p < 0.0001".
func pValue(p float64) string {
	text := number.PValue(p)
	if less, ok := strings.CutPrefix(text, "<"); ok {
		return "p < " + less
	}
	return "p = " + text
}

// some prints a count, and a dash for 0: among dashes, the counts are easy to find.
func some(n int64) string {
	if n == 0 {
		return missing
	}
	return number.Count(n)
}

// total prints a sum of tokens.
func total(s report.Sum) string {
	if s.Total == nil {
		return missing
	}
	return number.Count(*s.Total)
}

// rate is the cell of a share with its interval.
func rate(r report.Rate) cell {
	c := cell{Text: number.Percent(r.Share), Range: interval(r)}
	if r.Share != nil && r.Low != nil && r.High != nil {
		c.Bar = newBar(*r.Low, *r.Share, *r.High)
	}
	return c
}

// bare is a rate without its bar.
func bare(r report.Rate) cell {
	c := rate(r)
	c.Bar = nil
	return c
}

// answered prints the number of answers of a line, and of its requests if they differ.
func answered(l *report.Line) string {
	if l.Exact.Repeated() {
		return number.Count(l.Exact.Of) + " to " + number.Plural(l.Exact.Items, "item", "items")
	}
	of := l.Recorded
	if l.Planned != nil {
		of = *l.Planned
	}
	if of == l.Answered {
		return number.Count(of)
	}
	return number.Count(l.Answered) + " of " + number.Count(of)
}

// failure returns the commonest failure label of a line. It is nil if all answers are exact, or
// if only their scores are known.
func failure(l *report.Line) *report.Count {
	for i := range l.Failures {
		if f := &l.Failures[i]; f.N > 0 && f.Name != "score_only" {
			return f
		}
	}
	return nil
}

// outcome returns the number of records of a line with the outcome.
func outcome(l *report.Line, o verbatim.Outcome) int64 {
	for _, c := range l.Outcomes {
		if c.Name == string(o) {
			return c.N
		}
	}
	return 0
}

// ownPlanned reports whether the share of planned requests differs from the share of
// answers.
func ownPlanned(r *report.Report) bool {
	for i := range r.Runs {
		if e := &r.Runs[i].Total.Exact; number.Percent(e.OfPlanned) != number.Percent(e.Share) {
			return true
		}
	}
	return false
}

// scoreWords says which metric the score is.
func scoreWords(r *report.Report) string {
	metric := r.Runs[0].Head.Metric
	if metric == "" || metric == report.MetricScore {
		return "the suite’s own"
	}
	return string(metric)
}

// ownScore reports whether the score differs from the exact share.
func ownScore(r *report.Report) bool {
	for i := range r.Runs {
		l := &r.Runs[i].Total
		if (l.Score.Value == nil) != (l.Exact.Share == nil) || l.Score.Value != nil && number.Score(l.Score.Value) != number.Score(l.Exact.Share) {
			return true
		}
	}
	return false
}
