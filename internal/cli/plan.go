package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/poweranalysis"
)

func planCommand(env *Env) *cobra.Command {
	var r runFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Estimate the requests, tokens, cost and time of a run",
		Long: `Estimate what 'verbatim run' with the same arguments still has to do for each
model: requests, tokens, cost and minutes. It sends no requests and needs no key.

Tokens are estimated from bytes. If replies of the model are saved, the ratio is
measured per task. Without any, it is 3 bytes of a prompt or 2 bytes of an
answer per token, and no reasoning.

"At most" is the worst-case cost, if the server honours token limits: every byte
of a prompt is a token, and every answer has the length of its limit. --budget
reserves this cost before each request.

Minutes are estimated from the mean time of saved replies, the requests in
flight (-j, or 4), --rpm and --tpm. For nano, which runs inside this program,
they follow from its tokens per second and processor.

The command also prints the statistical power of the plan. It has the smallest
difference between two models that gets a verdict of 'verbatim compare' with
80 % power, and the smallest one whose 95 % interval excludes 0, which is not
yet a verdict. It has the items needed to show two models equivalent within
±0.02. It also has simulated results of 'verbatim check' with a margin of 0.05:
for an unchanged endpoint and for one worse by 0.10. Power is estimated from
saved runs, or from an assumption; each line says which.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim plan --model openai:gpt-4o-mini --suite simpe
  verbatim plan -m openai:gpt-4o-mini -m anthropic:claude-haiku-4-5 --batch
  verbatim plan --suite simpe --shots 3 --model http://127.0.0.1:8080/v1 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.plan(cmd, env)
		},
	}
	r.register(cmd)
	return cmd
}

// plan prints what a run is expected to need.
func (r *runFlags) plan(cmd *cobra.Command, env *Env) error {
	o, err := r.options(env)
	if err != nil {
		return err
	}
	plan, err := r.selection.Plan()
	if err != nil {
		return err
	}
	f, err := env.app(cmd).Forecast(cmd.Context(), plan, o)
	if err != nil {
		return err
	}
	if r.asJSON {
		return writeJSON(env.Out, "plan", forecastJSON(f))
	}
	return writeForecast(env, f)
}

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
}

// forecastJSON returns the forecast for --json.
func forecastJSON(f *app.Forecast) any {
	doc := struct {
		Plan   verbatim.Plan         `json:"plan"`
		Budget *verbatim.Money       `json:"budget_usd,omitempty"`
		Models []estimateJSON        `json:"models"`
		Power  *poweranalysis.Result `json:"power"`
	}{Plan: f.Plan, Budget: f.Budget, Power: f.Power}
	for _, e := range f.Models {
		j := estimateJSON{e.Model, e.Requests, e.Answered, int64(e.Input), int64(e.Output), int64(e.Reasoning), int64(e.MostOutput),
			e.Allowance, e.Replies, e.Batch, e.Price, e.Cost, e.Most, nil}
		if e.Time != nil {
			minutes := e.Time.Minutes()
			j.Minutes = &minutes
		}
		doc.Models = append(doc.Models, j)
	}
	return doc
}

// writeForecast prints the forecast as a table, and its assumptions.
func writeForecast(env *Env, f *app.Forecast) error {
	fmt.Fprintf(env.Out, "Suite %s, plan %.6s: %s requests. Nothing was asked.\n\n", f.Plan.Suite, f.Plan.Hash, digits(f.Plan.Count))
	t := &table.Table{Columns: []table.Column{{Head: "model", Min: 12}, {Head: "requests left", Short: "requests", Right: true}, {Head: "prompt tokens", Short: "prompt", Right: true},
		{Head: "answer tokens", Short: "answer", Right: true}, {Head: "cost", Right: true}, {Head: "at most", Right: true}, {Head: "time"}}}
	for _, e := range f.Models {
		t.Add(terminal.Visible(e.Model), digits(e.Requests), digits(int64(e.Input)), digits(int64(e.Output)),
			dollarsOr(e.Cost, "not known"), dollarsOr(e.Most, "not known"), estimatedTime(e))
	}
	if err := env.writeTable(env.Out, t); err != nil {
		return err
	}
	fmt.Fprintln(env.Out)
	for _, e := range f.Models {
		fmt.Fprintln(env.Out, wrapFor(estimateBasis(e), env.OutWidth))
	}
	if err := writeBudget(env, f); err != nil {
		return err
	}
	_, err := fmt.Fprintf(env.Out, "\n%s\n", wrapFor(powerText(f.Power), env.OutWidth))
	return err
}

// writeBudget says whether the budget is enough.
func writeBudget(env *Env, f *app.Forecast) error {
	if f.Budget == nil {
		return nil
	}
	var cost, most verbatim.Money
	for _, e := range f.Models {
		if e.Cost == nil {
			fmt.Fprintf(env.Out, "The price of %s is unknown: its budget cannot be enforced.\n", terminal.Visible(e.Model))
			return nil
		}
		cost, most = cost+*e.Cost, most+*e.Most
	}
	switch {
	case most <= *f.Budget:
		fmt.Fprintf(env.Out, "A budget of %v is enough in any case.\n", *f.Budget)
	case cost <= *f.Budget:
		fmt.Fprintf(env.Out, "A budget of %v is probably enough.\n", *f.Budget)
	default:
		fmt.Fprintf(env.Out, "A budget of %v is probably not enough: the run stops when it is used up, and can be continued.\n", *f.Budget)
	}
	return nil
}

// basis says in a sentence what an estimate rests on.
func estimateBasis(e app.Estimate) string {
	s := terminal.Visible(e.Model) + ": "
	if e.Answered > 0 {
		s += fmt.Sprintf("%s answered already; ", digits(e.Answered))
	}
	if e.Replies > 0 {
		s += fmt.Sprintf("tokens estimated from %s saved replies of this model", digits(e.Replies))
	} else {
		s += "tokens estimated from bytes (no saved replies of this model)"
	}
	switch {
	case e.Allowance == 0:
	case e.Reasons == nil:
		s += fmt.Sprintf("; whether it reasons is not known: the cost counts no reasoning, and the limit allows %s tokens for it", digits(int64(e.Allowance)))
	default:
		s += fmt.Sprintf("; the limit allows %s tokens for reasoning", digits(int64(e.Allowance)))
	}
	switch {
	case e.Price == nil:
		s += "; its price is not known (verbatim.toml or --prices can name it)"
	case e.Price.Input == 0 && e.Price.Output == 0:
		s += "; it costs nothing"
	default:
		s += fmt.Sprintf("; $%s and $%s for a million tokens in and out", e.Price.Input.Decimal(), e.Price.Output.Decimal())
		if e.Price.Source != "" {
			s += " (" + terminal.Visible(strings.TrimSpace(e.Price.Source+" "+e.Price.AsOf)) + ")"
		}
	}
	if e.Batch {
		s += "; as a batch"
	}
	return s + "."
}

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
	return fmt.Sprintf("%s min", digits(int64(math.Ceil(e.Time.Minutes()))))
}

func dollarsOr(m *verbatim.Money, none string) string {
	if m == nil {
		return none
	}
	return m.String()
}

// digits writes a number with commas.
func digits(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// powerText says what a plan can tell.
func powerText(p *poweranalysis.Result) string {
	c := &p.Check
	equivalent := "no number of items"
	if p.Compare.Equivalent != nil {
		equivalent = digits(*p.Compare.Equivalent) + " items"
	}
	lines := []string{
		fmt.Sprintf("What answers to %s items can tell, with a chance of %.0f %% where none is named:", digits(p.Items), 100*p.Power),
	}
	lines = append(lines, comparePowerText(&p.Compare)...)
	lines = append(lines,
		fmt.Sprintf("           equivalence within ±%g takes %s", p.Compare.Rope, equivalent),
		"           "+variabilityText(&p.Compare.Variability),
		fmt.Sprintf("  check    margin %g: unchanged, it passes with a chance of %.0f %%, after %s items on average", c.Margin, 100*c.Unchanged.Passed, rounded(c.Unchanged.MeanItems)),
		fmt.Sprintf("           worse by %.2f, it fails with a chance of %.0f %%, after %s items", c.Loss, 100*c.Worse.Worse, rounded(c.Worse.MeanItems)),
		"           "+variabilityText(&c.Variability),
	)
	return strings.Join(lines, "\n")
}

// comparePowerText says what difference gets a verdict, and what difference only excludes
// 0.
func comparePowerText(p *poweranalysis.ComparePower) []string {
	if p.Detectable > 1 {
		return []string{"  compare  no difference gets a verdict: these are too few items"}
	}
	lines := []string{fmt.Sprintf("  compare  a difference of %.3f or more gets a verdict (in %.0f %% of %s simulated comparisons)", p.Detectable, 100*p.Verdict.Verdict, digits(int64(p.Verdict.Simulated)))}
	if p.Zero != nil {
		lines = append(lines, fmt.Sprintf("           at %.3f, the 95 %% interval excludes 0 in %.0f %%, with a verdict in %.0f %%: it must exceed %g", p.ExcludesZero, 100*p.Zero.ExcludesZero, 100*p.Zero.Verdict, p.Rope))
	}
	return lines
}

func rounded(n float64) string { return digits(int64(n + 0.5)) }

// variabilityText says what numbers rest on.
func variabilityText(s *poweranalysis.Variability) string {
	var names []string
	for _, name := range s.Runs {
		names = append(names, terminal.Visible(name))
	}
	of := strings.Join(names, " and ")
	why := "20 % disagreement is assumed, without saved runs to estimate it from"
	switch s.Basis {
	case poweranalysis.FromPairs:
		why = fmt.Sprintf("as on the %s items of %s", digits(s.Items), of)
	case poweranalysis.FromRepeats:
		why = fmt.Sprintf("as repeated answers to %s items of %s", digits(s.Items), of)
	case poweranalysis.FromRates:
		why = fmt.Sprintf("by the shares of right answers in %s, were they independent", of)
	}
	return fmt.Sprintf("(sd of a difference %.2f: %s)", s.SD, why)
}
