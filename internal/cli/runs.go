package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/model"
	"verbatim/internal/obedient"
	"verbatim/internal/report"
	"verbatim/internal/sim"
	"verbatim/internal/store"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// runsCommand returns the command `runs`.
func runsCommand(env *Env) *cobra.Command {
	var asJSON, verify bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the saved runs, or verify the database",
		Long: `List the saved runs, a line each.

With --verify the command reads and checks the whole database: pages and
indexes, references between rows, the numbers of records and grades of every
run, and the encoding of every text. It prints a line for each run and one for
the file: OK, or what is damaged.

Exit codes: 0 done, 1 failed or damaged, 2 usage error.`,
		Example: `  verbatim runs
  verbatim runs --verify --db copy.db`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := env.app(cmd).OpenDatabase(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			if verify {
				return verifyRuns(cmd.Context(), env, s, asJSON)
			}
			list, err := s.Runs(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				rows := make([]runEntry, len(list))
				for i, r := range list {
					rows[i] = runEntryOf(r)
				}
				return writeDocument(env.Out, "runs", struct {
					Runs []runEntry `json:"runs"`
				}{rows})
			}
			if len(list) == 0 {
				env.Note("there are no runs yet: 'verbatim run' makes one")
				return nil
			}
			return env.writeTable(env.Out, runTable(list))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().BoolVar(&verify, "verify", false, "check of the whole database; exit code 1 if it is damaged")
	return cmd
}

// verifyRuns checks the whole database.
func verifyRuns(ctx context.Context, env *Env, s *store.Store, asJSON bool) error {
	progress := env.Out
	if asJSON {
		progress = io.Discard
	}
	found, err := verifyStore(ctx, progress, s)
	if err != nil {
		return err
	}
	if asJSON {
		if err := writeDocument(env.Out, "verify", found); err != nil {
			return err
		}
	}
	return found.Err()
}

// A Run is the JSON form of a saved run.
type runEntry struct {
	N        int64            `json:"n"`
	Name     string           `json:"name"`
	Model    string           `json:"model"`
	Suite    string           `json:"suite"`
	Edition  string           `json:"edition"`
	Seed     uint64           `json:"seed"`
	Plan     string           `json:"plan"`
	State    string           `json:"state"` // finished, unfinished or running
	Planned  int64            `json:"planned"`
	Outcomes map[string]int64 `json:"outcomes"`
	Started  time.Time        `json:"started"`
	Ended    *time.Time       `json:"ended"`
	Origin   string           `json:"origin,omitempty"`
	// Variant is the prompt variant; absent: the items' own prompts.
	Variant *verbatim.Variant `json:"variant,omitempty"`
	// Test is the test that the run belongs to; absent without one.
	Test *verbatim.Test `json:"test,omitempty"`
}

// runEntryOf returns the JSON form of a saved run.
func runEntryOf(r store.RunSummary) runEntry {
	row := runEntry{
		N: r.N, Name: r.Name, Model: r.Model, Suite: r.Plan.Suite, Edition: string(r.Plan.Edition), Seed: r.Plan.Seed,
		Plan: r.Plan.Hash, State: state(r), Planned: r.Plan.Count, Outcomes: map[string]int64{}, Started: r.Started, Origin: r.Origin, Variant: r.Plan.Variant,
	}
	for o, n := range r.Tally {
		row.Outcomes[string(o)] = n
	}
	if !r.Ended.IsZero() {
		row.Ended = &r.Ended
	}
	if r.Test != nil {
		row.Test = r.Test.WithoutState()
	}
	return row
}

// state returns the state of a run. A test is finished when it has a verdict, even if requests of its
// plan were not sent.
func state(r store.RunSummary) string {
	finished := !r.Ended.IsZero()
	if r.Test != nil {
		finished = r.Test.Verdict != ""
	}
	switch {
	case r.Lease != nil:
		return "running"
	case finished:
		return "finished"
	}
	return "unfinished"
}

// testText describes the test of a run and its verdict, as in "check against sim-careful-ab12cd-1:
// pass"; "" without a test.
func testText(t *verbatim.Test) string {
	if t == nil {
		return ""
	}
	text := t.Kind
	if t.Baseline != "" {
		text += " against " + t.Baseline
	}
	return terminal.Visible(text + ": " + cmp.Or(t.Verdict, "open"))
}

// runTable lists saved runs, a line each.
func runTable(list []store.RunSummary) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Head: "run", Right: true}, {Head: "name", Min: 14, Spare: true}, {Head: "model", Min: 14}, {Head: "suite", Rank: 3}, {Head: "started", Rank: 2}, {Head: "answered", Right: true},
		{Head: "of", Right: true}, {Head: "pass", Right: true}, {Head: "state"}, {Head: "prompt", Rank: 4}, {Head: "test", Rank: 1},
	}}
	for _, r := range list {
		pass := "–"
		if n := r.Tally.Answered(); n > 0 {
			pass = fmt.Sprintf("%.1f%%", 100*float64(r.Tally["pass"])/float64(n))
		}
		of := fmt.Sprint(r.Plan.Count)
		if r.Test != nil && r.Test.Kind == app.SearchKind { // it sends as much of its plan as it needs
			of = "–"
		}
		prompt := ""
		if r.Plan.Variant != nil {
			prompt = report.VariantText(r.Plan.Variant)
		}
		t.Add(fmt.Sprint(r.N), terminal.Visible(r.Name), terminal.Visible(r.Model), terminal.Visible(r.Plan.Suite), r.Started.Local().Format("2006-01-02 15:04"),
			fmt.Sprint(r.Tally.Answered()), of, pass, state(r), prompt, testText(r.Test))
	}
	return t
}

// The lines of `run --json`. Each has its kind, and the first one the format.

type planLine struct {
	Format string        `json:"format"`
	Kind   string        `json:"kind"` // "plan"
	Plan   verbatim.Plan `json:"plan"`
	Runs   []planRun     `json:"runs"`
}

type planRun struct {
	N     int64  `json:"n"`
	Name  string `json:"name"`
	Model string `json:"model"`
}

type savedLine struct {
	Kind      string           `json:"kind"` // "saved"
	Run       string           `json:"run"`
	Seq       int64            `json:"seq"`
	Item      string           `json:"item"`
	Trial     int              `json:"trial"`
	Outcome   verbatim.Outcome `json:"outcome"`
	Label     string           `json:"label,omitempty"`
	Exact     *bool            `json:"exact"` // null: not answered
	Extracted *bool            `json:"extracted"`
	Score     *float64         `json:"score"`
	Seconds   *float64         `json:"seconds"`
	Error     string           `json:"error,omitempty"`
}

// writePlan writes the first line of `run --json`: the plan and its runs.
func writePlan(w io.Writer, plan verbatim.Plan, runs []verbatim.Run) error {
	line := planLine{Format: "verbatim/run/1", Kind: "plan", Plan: plan}
	for _, r := range runs {
		line.Runs = append(line.Runs, planRun{r.N, r.Name, r.Model})
	}
	return terminal.WriteJSONLine(w, line)
}

// writeSaved writes the line of a saved record.
func writeSaved(w io.Writer, run verbatim.Run, r *verbatim.Record) error {
	line := savedLine{Kind: "saved", Run: run.Name, Seq: r.Seq, Item: r.Item.ID, Trial: r.Trial, Outcome: r.Outcome}
	if g := r.Grade; g != nil {
		line.Label, line.Exact, line.Extracted, line.Score = g.Label, &g.Exact, &g.Extracted, g.Score
	}
	if r.Reply != nil && r.Reply.Times.Total > 0 {
		line.Seconds = new(r.Reply.Times.Total.Seconds())
	}
	if r.Failure != nil {
		line.Error = r.Failure.Error()
	}
	return terminal.WriteJSONLine(w, line)
}

// writeSummary writes the last line of a run: its report.
func writeSummary(w io.Writer, r *report.Report) error {
	return terminal.WriteJSONLine(w, struct {
		Kind    string                `json:"kind"`
		Summary report.HeadlineReport `json:"summary"`
	}{"summary", report.HeadlineReport{Report: r, Headline: report.HeadlineOf(r)}})
}

// writeVerdict writes the last line of a run that ends with a verdict.
func writeVerdict(w io.Writer, c *report.Check) error {
	return terminal.WriteJSONLine(w, struct {
		Kind    string        `json:"kind"`
		Verdict *report.Check `json:"verdict"`
	}{"verdict", c})
}

// A List has the models that can be named. Its JSON form is what 'verbatim models --json' prints.
type modelList struct {
	Config    string     `json:"config,omitempty"` // the file with Own
	Found     []server   `json:"found"`
	Own       []own      `json:"own"`
	Providers []supplier `json:"providers"`
	Models    []tariff   `json:"models"` // of Matching only: there are hundreds
	BuiltIn   []builtIn  `json:"built_in"`
	Simulated []string   `json:"simulated"`

	all    []tariff
	prices model.PriceTable
}

// A server is one on this machine.
type server struct {
	Title   string            `json:"server,omitempty"`
	Wire    string            `json:"wire"`
	BaseURL string            `json:"base_url"`
	Models  []string          `json:"models"`
	Model   string            `json:"model,omitempty"` // the one that run takes; absent: it must be named
	Ends    map[string]string `json:"ends,omitempty"`
	name    func(model string) string
}

// An own is a model of the user's file.
type own struct {
	Name     string          `json:"name"`
	Provider string          `json:"provider,omitempty"`
	Wire     string          `json:"wire"`
	BaseURL  string          `json:"base_url,omitempty"`
	Model    string          `json:"model,omitempty"`
	KeyEnv   []string        `json:"key_env"`
	KeySet   bool            `json:"key_set"`
	Price    *verbatim.Price `json:"price,omitempty"`
	Context  *int64          `json:"context,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	set      string          // the variable that has the key
	priced   string          // its provider in tables of prices
}

// A supplier is a provider.
type supplier struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Wire     string   `json:"wire"`
	BaseURL  string   `json:"base_url,omitempty"`
	KeyEnv   []string `json:"key_env"`
	KeySet   bool     `json:"key_set"`
	Local    bool     `json:"local"`
	Quirks   []string `json:"quirks"`
	Verified string   `json:"verified"`
	set      string   // the variable that has the key
	priced   string   // its name in tables of prices
}

// A tariff is a model with its price.
type tariff struct {
	Name     string          `json:"name"`
	Also     []string        `json:"also,omitempty"`
	From     string          `json:"from,omitempty"`
	Price    *verbatim.Price `json:"price,omitempty"`
	Varies   string          `json:"varies,omitempty"`
	UpTo     *int64          `json:"up_to,omitempty"`
	Context  *int64          `json:"context,omitempty"`
	provider string
}

// A builtIn is the model inside the program.
type builtIn struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Context int64  `json:"context"`
}

// newModelList lists all models that can be named with these options. Found are the servers on this machine.
func newModelList(o model.Options, found []model.Server) *modelList {
	c := &modelList{Config: o.Config.Path, Found: []server{}, Own: []own{}, Models: []tariff{},
		BuiltIn: []builtIn{{model.NanoName, model.NanoDoc, model.NanoContext}}, prices: o.Prices.Before(model.KnownPrices())}
	for _, f := range found {
		c.Found = append(c.Found, server{f.Title, f.Wire, f.BaseURL, f.Models, f.Model, f.Ends, f.Name})
	}
	for _, m := range o.Config.Models() {
		set := ""
		if i := slices.IndexFunc(m.KeyEnv, func(name string) bool { return strings.TrimSpace(o.Getenv(name)) != "" }); i >= 0 {
			set = m.KeyEnv[i]
		}
		c.Own = append(c.Own, own{m.Name, m.Provider, m.Wire, m.Address, m.Model, notNil(m.KeyEnv), set != "", m.Price, m.Context, m.Warnings, set, m.Priced})
	}
	for _, p := range model.Providers() {
		set := p.KeySet(o.Getenv)
		c.Providers = append(c.Providers, supplier{p.Name, p.Title, p.Wire, p.BaseURL, notNil(p.KeyEnv), set != "", p.Local, notNil(p.Quirks()), p.Verified, set, p.Priced()})
	}
	for _, k := range kinds() {
		c.Simulated = append(c.Simulated, "sim:"+k.Name)
	}
	seen := map[string]bool{}
	for _, t := range c.prices.All() {
		name := t.Provider + ":" + t.Model
		if strings.Contains(t.Provider, "://") {
			name = t.Provider + "#" + t.Model
		}
		if key := name + " " + t.From; !seen[key] { // the first table counts
			seen[key] = true
			c.all = append(c.all, tariff{name, t.Also, t.From, t.Price, t.Varies, t.UpTo, t.Context, t.Provider})
		}
	}
	return c
}

// kinds lists the simulated models.
func kinds() []sim.Kind {
	return append(sim.Kinds(), sim.Kind{Name: obedient.Name, Doc: obedient.Doc})
}

// notNil returns the list; an empty one for nil, which JSON shows as [].
func notNil(list []string) []string { return append([]string{}, list...) }

// Matching returns the entries that a pattern names. The whole name of a provider, or "sim", names
// it with all its models. Any other pattern names every entry whose name has it.
func (c *modelList) matching(pattern string) *modelList {
	none := func(string) bool { return false }
	name := strings.ToLower(strings.TrimSuffix(pattern, ":"))
	if name == "sim" {
		out := c.filtered(none)
		out.Simulated = c.Simulated
		return out
	}
	if i := slices.IndexFunc(c.Providers, func(p supplier) bool { return p.Name == name }); i >= 0 {
		p, out := c.Providers[i], c.filtered(none)
		out.Providers = []supplier{p}
		out.Found = filter(c.Found, func(f server) bool { return f.BaseURL == p.BaseURL })
		out.Models = filter(c.all, func(t tariff) bool { return t.provider == p.priced })
		return out
	}
	return c.filtered(matcher(pattern))
}

// filtered returns the entries with a name that matches.
func (c *modelList) filtered(match func(string) bool) *modelList {
	return &modelList{Config: c.Config, prices: c.prices,
		Found:     filter(c.Found, func(f server) bool { return match(f.BaseURL) || slices.ContainsFunc(f.Models, match) }),
		Own:       filter(c.Own, func(m own) bool { return match(m.Name) || match(m.Model) }),
		Providers: filter(c.Providers, func(p supplier) bool { return match(p.Name) || match(p.Title) }),
		Models: filter(c.all, func(t tariff) bool {
			return match(t.Name) || slices.ContainsFunc(t.Also, func(name string) bool { return match(t.provider + ":" + name) })
		}),
		BuiltIn:   filter(c.BuiltIn, func(b builtIn) bool { return match(b.Name) }),
		Simulated: filter(c.Simulated, match),
	}
}

// Empty reports whether the list has no entries.
func (c *modelList) Empty() bool {
	return len(c.Own)+len(c.Found)+len(c.Providers)+len(c.Models)+len(c.Simulated)+len(c.BuiltIn) == 0
}

// filter returns the values for which want is true.
func filter[T any](all []T, want func(T) bool) []T {
	return slices.DeleteFunc(append([]T{}, all...), func(v T) bool { return !want(v) })
}

// matcher returns the function that reports whether a name matches the pattern: it has the pattern
// in it or, if the pattern has a * or a ?, matches it as a whole. The case of letters does not matter.
func matcher(pattern string) func(string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		pattern = strings.ToLower(pattern)
		return func(name string) bool { return strings.Contains(strings.ToLower(name), pattern) }
	}
	expr := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("(?i)^(.*:)?" + expr + "$").MatchString
}
