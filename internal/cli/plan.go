package cli

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/number"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/poweranalysis"
)

// planCommand returns the command `plan`.
func planCommand(env *Env) *cobra.Command {
	var r runFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Estimate the requests, tokens, cost and time of a run",
		Long: `Estimate what 'verbatim run' with the same arguments still has to do for each
model: requests, tokens, cost and minutes. It requests no answer and needs no
key. A server on this machine or network is asked for the context of its model:
items that do not fit with their answers are counted, and not sent.

Tokens are estimated from bytes. If replies of the model are saved, the ratio is
measured per task. Without any, it is 3 bytes of a prompt or 2 bytes of an
answer per token, and no reasoning.

"At most" is the worst-case cost, if the server honours token limits: every byte
of a prompt is a token, and every answer has the length of its limit. --budget
reserves this cost before each request.

Minutes are estimated from the mean time of saved replies, the requests in
flight (-j, or 4), --rpm and --tpm. For nano, which runs inside this program,
they follow from its tokens per second and processor.

The command also prints the statistical power of the plan:
  -  the smallest difference between two models that gets a verdict of 'verbatim compare' in 80 % of comparisons
  -  the smallest difference whose 95 % interval excludes 0, which is not yet a verdict
  -  the number of items that show two models equivalent within ±0.02
  -  simulated results of 'verbatim check' with a margin of 0.05, for an unchanged endpoint and for one that is worse by 0.10
Power is estimated from saved runs, or from an assumption; each line says which.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim plan --model openai:gpt-4o-mini --suite simpe
  verbatim plan -m openai:gpt-4o-mini -m anthropic:claude-haiku-4-5 --batch
  verbatim plan --suite simpe --shots 3 --model http://127.0.0.1:8080/v1 --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.plan(cmd, env)
		},
	}
	r.register(cmd)
	r.registerJSON(cmd)
	return cmd
}

// plan prints what a run is expected to need.
func (r *runFlags) plan(cmd *cobra.Command, env *Env) error {
	o, err := r.options(env)
	if err != nil {
		return err
	}
	plan, err := r.selection.plan(env)
	if err != nil {
		return err
	}
	f, err := env.app(cmd).Forecast(cmd.Context(), plan, o)
	if err != nil {
		return err
	}
	if r.asJSON {
		return writeDocument(env.Out, "plan", forecastDocument(f))
	}
	return writeForecast(env.Out, f, env.Style())
}

// An estimateJSON is the JSON form of the estimate for one model.
type estimateJSON struct {
	Model           string          `json:"model"`
	Requests        int64           `json:"requests"`
	Answered        int64           `json:"answered"`
	Input           int64           `json:"prompt_tokens"`
	Output          int64           `json:"completion_tokens"`
	Reasoning       int64           `json:"reasoning_tokens"`
	MostOutput      int64           `json:"completion_tokens_at_most"`
	ReasoningTokens int             `json:"reasoning_allowance"`
	Replies         int64           `json:"estimated_from_replies"`
	Batch           bool            `json:"batch"`
	Price           *verbatim.Price `json:"price"`
	Cost            *verbatim.Money `json:"cost_usd"`
	Most            *verbatim.Money `json:"cost_usd_at_most"`
	Minutes         *float64        `json:"minutes"`
	Context         *int64          `json:"context"`
	TooLong         int64           `json:"beyond_context"`
	Skipped         int64           `json:"skipped"`
	Images          int64           `json:"images"`
}

// forecastDocument returns the JSON form of a forecast.
func forecastDocument(f *app.Forecast) any {
	doc := struct {
		Plan   verbatim.Plan         `json:"plan"`
		Budget *verbatim.Money       `json:"budget_usd,omitempty"`
		Models []estimateJSON        `json:"models"`
		Power  *poweranalysis.Result `json:"power"`
	}{Plan: f.Plan, Budget: f.Budget, Power: f.Power}
	for _, e := range f.Models {
		j := estimateJSON{e.Model, e.Requests, e.Answered, int64(e.Input), int64(e.Output), int64(e.Reasoning), int64(e.MostOutput),
			e.Allowance, e.Replies, e.Batch, e.Price, e.Cost, e.Most, nil, e.Context, e.TooLong, e.Skipped, e.Images}
		if e.Time != nil {
			minutes := e.Time.Minutes()
			j.Minutes = &minutes
		}
		doc.Models = append(doc.Models, j)
	}
	return doc
}

// writeForecast prints a forecast as a table, with its assumptions. Without a terminal it is 80 columns wide,
// as reports are.
func writeForecast(w io.Writer, f *app.Forecast, s terminal.Style) error {
	s.Width = s.Columns()
	seed := ""
	if f.Plan.Items == nil && f.Plan.Seed != 1 {
		seed = fmt.Sprintf(", seed %d", f.Plan.Seed)
	}
	fmt.Fprintf(w, "Suite %s%s, plan %.6s: %s requests. Nothing was sent.\n\n", f.Plan.Suite, seed, f.Plan.Hash, number.Count(f.Plan.Count))
	t := &table.Table{Columns: []table.Column{{Head: "model", Min: 12}, {Head: "requests left", Short: "requests", Right: true}, {Head: "prompt tokens", Short: "tokens in", Right: true},
		{Head: "answer tokens", Short: "tokens out", Right: true}, {Head: "cost", Right: true}, {Head: "at most", Right: true}, {Head: "time", Spare: true}}}
	for _, e := range f.Models {
		t.Add(terminal.Visible(e.Model), number.Count(e.Requests), number.Count(int64(e.Input)), number.Count(int64(e.Output)),
			dollarsOr(e.Cost, "not known"), dollarsOr(e.Most, "not known"), estimatedTime(e))
	}
	if err := t.Print(w, s); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, e := range f.Models {
		fmt.Fprintln(w, terminal.WrapLines(estimateBasis(e), s.Width))
	}
	if f.Budget != nil {
		fmt.Fprintln(w, terminal.WrapLines(budgetText(f), s.Width))
	}
	_, err := fmt.Fprintf(w, "\n%s\n", terminal.WrapLines(powerText(f.Power), s.Width))
	return err
}

// budgetText says whether the budget is enough.
func budgetText(f *app.Forecast) string {
	var cost, most verbatim.Money
	for _, e := range f.Models {
		if e.Cost == nil {
			return fmt.Sprintf("The price of %s is unknown: its budget cannot be enforced.", terminal.Visible(e.Model))
		}
		cost, most = cost+*e.Cost, most+*e.Most
	}
	switch {
	case most <= *f.Budget:
		return fmt.Sprintf("A budget of %v is enough in any case.", *f.Budget)
	case cost <= *f.Budget:
		return fmt.Sprintf("A budget of %v is probably enough.", *f.Budget)
	}
	return fmt.Sprintf("A budget of %v is probably not enough: the run stops when it is used up, and can be continued.", *f.Budget)
}

// estimateBasis says in a sentence what an estimate is based on.
func estimateBasis(e app.Estimate) string {
	s := terminal.Visible(e.Model) + ": "
	if e.Answered > 0 {
		s += fmt.Sprintf("%s answered already; ", number.Count(e.Answered))
	}
	if e.Replies > 0 {
		s += fmt.Sprintf("tokens estimated from %s saved replies of this model", number.Count(e.Replies))
	} else {
		s += "tokens estimated from bytes (no saved replies of this model)"
	}
	switch {
	case e.Allowance == 0:
	case e.Reasons == nil:
		s += fmt.Sprintf("; whether it reasons is not known: the cost counts no reasoning, and the limit allows %s tokens for it", number.Count(int64(e.Allowance)))
	case e.Assumed > 0:
		s += fmt.Sprintf("; it reasons (price table): %s tokens of reasoning are assumed for each answer, and the limit allows %s", number.Count(int64(e.Assumed)), number.Count(int64(e.Allowance)))
	default:
		s += fmt.Sprintf("; the limit allows %s tokens for reasoning", number.Count(int64(e.Allowance)))
	}
	switch {
	case e.Price == nil:
		s += "; its price is not known (verbatim.toml or --prices can name it)"
	case e.Price.Input == 0 && e.Price.Output == 0:
		s += "; it costs nothing"
	default:
		s += fmt.Sprintf("; a million tokens cost $%s in and $%s out", withCents(e.Price.Input), withCents(e.Price.Output))
		if e.Price.Source != "" {
			s += " (" + terminal.Visible(strings.TrimSpace(e.Price.Source+" "+e.Price.AsOf)) + ")"
		}
	}
	if e.Batch {
		s += "; as a batch"
	}
	switch {
	case e.Context != nil && e.TooLong == 0:
		s += "; its context holds " + number.Count(*e.Context) + " tokens"
	case e.TooLong > 0:
		s += fmt.Sprintf("; its context holds %s tokens: %s requests do not fit with their answers and are not sent (use shorter lengths)", number.Count(*e.Context), number.Count(e.TooLong))
	}
	if e.Images > 0 {
		s += "; the tokens of " + number.Plural(e.Images, "image", "images") + " are not counted"
	}
	if e.Skipped > 0 {
		s += fmt.Sprintf("; it takes no images: %s requests have one and are skipped", number.Count(e.Skipped))
	}
	return s + "."
}

// withCents prints an exact amount with no decimals, or with at least two.
func withCents(m verbatim.Money) string {
	text := m.Decimal()
	if _, decimals, ok := strings.Cut(text, "."); ok && len(decimals) == 1 {
		return text + "0"
	}
	return text
}

// estimatedTime prints the time of the requests.
func estimatedTime(e app.Estimate) string {
	switch {
	case e.Requests == 0:
		return "none"
	case e.Batch:
		return "within a day"
	case e.Time == nil:
		return "not known"
	case *e.Time < time.Minute:
		return "under a minute"
	}
	return fmt.Sprintf("%s min", number.Count(int64(math.Ceil(e.Time.Minutes()))))
}

// dollarsOr prints an amount, or none if it is unknown.
func dollarsOr(m *verbatim.Money, none string) string {
	if m == nil {
		return none
	}
	return m.String()
}

// powerText says what comparisons and checks over the items of a plan can detect.
func powerText(p *poweranalysis.Result) string {
	if p == nil {
		return "No item can be sent to every model: nothing can be compared."
	}
	c := &p.Check
	equivalent := "no number of items"
	if p.Compare.Equivalent != nil {
		equivalent = number.Count(*p.Compare.Equivalent) + " items"
	}
	lines := []string{
		fmt.Sprintf("Power of answers to %s items, %.0f %% where no other is named:", number.Count(p.Items), 100*p.Power),
	}
	lines = append(lines, comparePowerText(&p.Compare)...)
	lines = append(lines,
		fmt.Sprintf("           to find two models equivalent within ±%g takes %s", p.Compare.Rope, equivalent),
		"           "+variabilityText(&p.Compare.Variability),
		fmt.Sprintf("  check    margin %g: an unchanged endpoint passes in %.0f %%, after %s items on average", c.Margin, 100*c.Unchanged.Passed, rounded(c.Unchanged.MeanItems)),
		fmt.Sprintf("           one that is worse by %.2f fails in %.0f %%, after %s items on average", c.Loss, 100*c.Worse.Worse, rounded(c.Worse.MeanItems)),
		"           "+variabilityText(&c.Variability),
	)
	return strings.Join(lines, "\n")
}

// comparePowerText says which difference gets a verdict, and which one only has an interval without
// 0.
func comparePowerText(p *poweranalysis.ComparePower) []string {
	if p.Detectable > 1 {
		return []string{"  compare  no difference gets a verdict: these are too few items"}
	}
	lines := []string{fmt.Sprintf("  compare  a difference of %.3f or more gets a verdict (in %.0f %% of %s simulated comparisons)", p.Detectable, 100*p.Verdict.Verdict, number.Count(int64(p.Verdict.Simulated)))}
	if p.Zero != nil {
		lines = append(lines, fmt.Sprintf("           at %.3f, the 95 %% interval excludes 0 in %.0f %%, and a verdict follows in %.0f %%: it needs more than %g", p.ExcludesZero, 100*p.Zero.ExcludesZero, 100*p.Zero.Verdict, p.Rope))
	}
	return lines
}

func rounded(n float64) string { return number.Count(int64(n + 0.5)) }

// variabilityText says how much scores vary, and how that is known.
func variabilityText(s *poweranalysis.Variability) string {
	var names []string
	for _, name := range s.Runs {
		names = append(names, terminal.Visible(name))
	}
	of := strings.Join(names, " and ")
	why := "20 % disagreement is assumed, without saved runs"
	switch s.Basis {
	case poweranalysis.FromPairs:
		why = fmt.Sprintf("from the %s items of %s", number.Count(s.Items), of)
	case poweranalysis.FromRepeats:
		why = fmt.Sprintf("from repeated answers to %s items of %s", number.Count(s.Items), of)
	case poweranalysis.FromRates:
		why = fmt.Sprintf("from the shares of right answers in %s, as if independent", of)
	}
	return fmt.Sprintf("(standard deviation of a difference %.2f: %s)", s.SD, why)
}
