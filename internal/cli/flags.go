package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/memory"
	"verbatim/internal/model"
	"verbatim/internal/obedient"
	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
	"verbatim/internal/report"
	"verbatim/internal/sim"
	"verbatim/internal/store"
	"verbatim/internal/table"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/earlystop"
)

// metricNames lists the metrics of items and of trials.
func metricNames() []string {
	names := itemMetricNames()
	for _, metric := range report.TrialMetrics() {
		names = append(names, string(metric))
	}
	return names
}

// itemMetricNames are the metrics of an item, whatever its number of trials.
func itemMetricNames() (names []string) {
	for _, metric := range report.Metrics() {
		names = append(names, string(metric))
	}
	return names
}

// parseMetric reads --metric. It returns "" if the flag is not given: runs are then ranked by
// exactness, and the score column has the suite's own score.
func parseMetric(metric string) (report.Metric, error) {
	if metric == "" {
		return "", nil
	}
	parsed, err := report.ParseMetric(metric)
	if err != nil {
		return "", errkind.Usagef("", "--metric: %w", err)
	}
	return parsed, nil
}

// untilFlags holds the flags of `run --until-verdict`.
type untilFlags struct {
	on       bool
	baseline string
	tests    testFlags
}

func (u *untilFlags) register(cmd *cobra.Command, env *Env) {
	f := cmd.Flags()
	f.BoolVar(&u.on, "until-verdict", false, "early stop: items of the --baseline run until the verdict is known")
	singleFlag(f, &u.baseline, "baseline", "", "baseline `RUN` of --until-verdict (default: none)")
	u.tests.register(cmd, "rope", 0.02, "with --until-verdict: largest `difference` of mean scores that counts as equivalent, 0 to 1")
	cmd.RegisterFlagCompletionFunc("baseline", env.completeRuns())
}

// check refuses flags that do not go together.
func (u *untilFlags) check(cmd *cobra.Command) error {
	if !u.on {
		if name := firstGiven(cmd, "baseline", "rope", "alpha", "scope", "max-unanswered", "max-truncated-gap"); name != "" {
			return errkind.Usagef("add --until-verdict, or leave it out", "--%s goes with --until-verdict", name)
		}
		return nil
	}
	if u.baseline == "" {
		return errkind.Usagef("'verbatim runs' lists the runs", "--until-verdict: say with --baseline which run to compare with")
	}
	if name := firstGiven(cmd, "suite", "task", "length", "lists", "edition", "seed", "trials", "shots", "paraphrase", "system", "no-system", "warmup", "batch"); name != "" {
		return errkind.Usagef("leave it out", "--%s does not go with --until-verdict: items and prompts are those of the --baseline run", name)
	}
	return nil
}

// A single is the value of a flag that may be given once, since the last one of several would count in
// silence.
type single struct {
	to    *string
	given bool
}

// singleFlag adds a flag that may be given once.
func singleFlag(f *pflag.FlagSet, to *string, name, short, usage string) {
	f.VarP(&single{to: to}, name, short, usage)
}

// String returns the text.
func (s *single) String() string {
	if s.to == nil {
		return ""
	}
	return *s.to
}

// Type returns the type of the value.
func (s *single) Type() string { return "string" }

// Set sets the text, once.
func (s *single) Set(text string) error {
	if s.given {
		return fmt.Errorf("give it once: there are %s and %s", *s.to, text)
	}
	*s.to, s.given = text, true
	return nil
}

// A seed is the value of --seed: a number, or "random", which draws one. Its text is the number,
// so that a printed command names the seed that was drawn.
type seed uint64

// registerSeed adds the flag --seed of drawn items. Its default is 1.
func registerSeed(f *pflag.FlagSet, value *uint64) {
	*value = 1
	f.Var((*seed)(value), "seed", "seed of the items, a `number`, or random to draw one")
}

// String returns the number.
func (s *seed) String() string { return strconv.FormatUint(uint64(*s), 10) }

// Type returns the type of the value, for the help.
func (s *seed) Type() string { return "number" }

// Set reads a number or draws one. A drawn one has at most 15 digits, so that people can read and
// type it.
func (s *seed) Set(text string) error {
	if text == "random" {
		*s = seed(1 + rand.Uint64N(999_999_999_999_999))
		return nil
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number from 0 to 2^64-1, and not random", text)
	}
	*s = seed(n)
	return nil
}

// A Format holds the flags --format and --json of a command that prints a document.
type formatFlags struct {
	formats []table.Format
	flag    *pflag.Flag // --format
	name    string
	asJSON  bool
}

// Register adds the flags. The first of the formats is the default.
func (f *formatFlags) register(cmd *cobra.Command, formats []table.Format) {
	f.formats = formats
	names := formatNames(formats)
	cmd.Flags().StringVar(&f.name, "format", names[0], "`format` of the output: "+strings.Join(names, ", "))
	f.flag = cmd.Flags().Lookup("format")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "same as --format json")
	completeFlag(cmd, "format", fixedWords(names...))
}

// Name returns the name that the flags give, which may be the name of no format. It is a usage error
// if they name two.
func (f *formatFlags) Name() (string, error) {
	if !f.asJSON {
		return f.name, nil
	}
	if f.flag.Changed && f.name != "json" {
		return "", errkind.Usagef("leave out one of them", "--json does not go with --format %s", f.name)
	}
	return "json", nil
}

// Given reports whether a flag names the format.
func (f *formatFlags) Given() bool { return f.asJSON || f.flag.Changed }

// Chosen returns the format that the flags name; see Name.
func (f *formatFlags) chosen() (table.Format, error) {
	name, err := f.Name()
	if err != nil {
		return table.Format{}, err
	}
	return findFormat(f.formats, name)
}

// formats lists the formats of documents that hold tests or not, and that fill pages or not.
func formats(tests, pages bool) []table.Format {
	return slices.DeleteFunc(table.Formats(), func(f table.Format) bool { return f.Tests && !tests || f.Page && !pages })
}

// findFormat returns the format of this name; without one, a usage error.
func findFormat(formats []table.Format, name string) (table.Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return table.Format{}, unknownFormat(name, formatNames(formats))
}

// unknownFormat returns the usage error of a format whose name is not among the names.
func unknownFormat(name string, names []string) error {
	if i := slices.IndexFunc(table.Formats(), func(f table.Format) bool { return f.Name == name }); i >= 0 {
		others := "report and compare"
		if table.Formats()[i].Tests {
			others = "report and check"
		}
		return errkind.Usagef("the formats are "+strings.Join(names, ", "), "this command has no format %s: %s have it", name, others)
	}
	return errkind.Usagef("the formats are "+strings.Join(names, ", "), "there is no format %q", name)
}

func formatNames(formats []table.Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}

// onlyCSV refuses a flag of CSV with other formats.
func onlyCSV(flag string, given bool, format string) error {
	if given && format != "csv" {
		return errkind.Usagef("add --format csv, or leave it out", "--%s does not go with --format %s", flag, format)
	}
	return nil
}

// A Selection holds the flags that select items and prompts.
type selectionFlags struct{ app.Selection }

// Register adds the flags.
func (s *selectionFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&s.Suite, "suite", "s", "", "`suite` of items, such as quick, sortbench, hard or exact; 'verbatim suites' lists them (default: quick)")
	f.StringSliceVarP(&s.Tasks, "task", "t", nil, "task `families`, such as reverse,copy or 'sort-*', of the suite or of all; 'verbatim tasks' lists them (default: those of the suite)")
	f.StringVarP(&s.Lengths, "length", "l", "", "`lengths` of items: 16, or 8,12,16, or 8..256 for doubling (default: those of the suite or family)")
	f.StringVarP(&s.Items, "items", "n", "", "number of items per task and length, or a `FILE.jsonl` of your own items (default: as in the suite)")
	registerSeed(f, &s.Seed)
	f.StringVar(&s.Edition, "edition", "standard", "edition of the task descriptions, a `name`: standard, paper or reference")
	f.IntVar(&s.Trials, "trials", 1, "trials per item, a `number`")
	f.StringVar(&s.Lists, "lists", "", "`DIR` with SortBench's published lists, for --suite sortbench --edition reference (default: none)")
	registerPromptVariant(cmd, &s.Prompt)

	completeFlag(cmd, "suite", suiteNames)
	completeDrawn(cmd)
}

// suiteNames returns the names and descriptions of the suites, for completion.
func suiteNames() (names []string) {
	for _, s := range task.Suites() {
		names = append(names, s.Name+"\t"+s.Doc)
	}
	return names
}

// taskNames returns the names and descriptions of the task families, for completion.
func taskNames() (names []string) {
	for _, f := range task.Families() {
		names = append(names, f.Name+"\t"+f.Doc)
	}
	return names
}

// editions returns the names of the editions.
func editions() (names []string) {
	for _, e := range verbatim.Editions() {
		names = append(names, string(e))
	}
	return names
}

// completeDrawn completes the flags --task and --edition.
func completeDrawn(cmd *cobra.Command) {
	completeFlag(cmd, "task", taskNames)
	completeFlag(cmd, "edition", editions)
}

// completeFlag completes a flag with words. A tab in a word is followed by its description. The words
// are made when a shell wants them: most commands never do.
func completeFlag(cmd *cobra.Command, flag string, words func() []string) {
	cmd.RegisterFlagCompletionFunc(flag, completeWords(words))
}

// completeWords returns the completion of an argument or a flag with words, which are made when a
// shell wants them.
func completeWords(words func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	}
}

// fixedWords returns the function that returns these words.
func fixedWords(words ...string) func() []string { return func() []string { return words } }

// firstGiven returns the first of these flags that is given; "" if none is.
func firstGiven(cmd *cobra.Command, names ...string) string {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// firstOther returns the first flag, by name, that is given and not among these; "" if there is no such flag.
func firstOther(cmd *cobra.Command, names ...string) (other string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if other == "" && !slices.Contains(names, f.Name) {
			other = f.Name
		}
	})
	return other
}

// registerPromptVariant adds the flags that change the prompts.
func registerPromptVariant(cmd *cobra.Command, v *app.PromptVariant) {
	f := cmd.Flags()
	f.IntVar(&v.Shots, "shots", 0, "number of `examples` with right answers before each question (default 0)")
	f.StringVar(&v.Paraphrase, "paraphrase", "", "`name` of another wording of the prompts, such as 1, or all to spread the items over the wordings; 'verbatim tasks NAME' lists them (default: the standard wording)")
	f.StringVar(&v.System, "system", "", "system prompt in place of the items' own: a `TEXT`, or @FILE (default: the items' own)")
	f.StringVar(&v.As, "as", "", "`form` in which JSON answers are requested: text, tool (the arguments of a tool) or schema (under a JSON Schema; default: text)")
	f.BoolVar(&v.NoSystem, "no-system", false, "prompts without the items' own system prompts")
	completeFlag(cmd, "as", fixedWords("text", string(verbatim.AsTool), string(verbatim.AsSchema)))
	completeFlag(cmd, "paraphrase", paraphrases)
}

// paraphrases returns the names of paraphrases for completion. Each is described by the
// beginning of the prompt of the first family.
func paraphrases() []string {
	var names []string
	for i, w := range task.Families()[0].Wordings {
		if i > 0 {
			texts, _ := w.Split()
			start, _, _ := strings.Cut(strings.Join(texts, "…"), ". ")
			names = append(names, task.WordingName(i)+"\t"+start)
		}
	}
	return append(names, task.AllWordings+"\titems spread over the wordings")
}

// selectionWords returns the flags of cmd that select items, as they were given. With them,
// `run` sends the items that `fake` serves.
func selectionWords(cmd *cobra.Command) string {
	selects := &cobra.Command{}
	new(selectionFlags).register(selects)
	var b strings.Builder
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if selects.Flags().Lookup(f.Name) == nil {
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		fmt.Fprintf(&b, " --%s=%s", f.Name, terminal.ShellWord(value))
	})
	return b.String()
}

// testFlags holds the flags of a test that compares with a baseline.
type testFlags struct {
	boundName       string // "margin" or "rope"
	bound           float64
	alpha           float64
	scope           string
	Items           int
	maxUnanswered   float64
	maxTruncatedGap float64
	metric          report.Metric
}

// Register adds the flags. The one for the bound has this name, default and help.
func (t *testFlags) register(cmd *cobra.Command, name string, bound float64, usage string) {
	t.boundName = name
	f := cmd.Flags()
	f.Float64Var(&t.bound, name, bound, usage)
	f.Float64Var(&t.alpha, "alpha", 0.05, "maximum error `rate` of the verdict, between 0 and 1")
	f.StringVar(&t.scope, "scope", string(earlystop.Endpoint), "scope of the verdict, a `name`: endpoint (future answers too) or benchmark (answers to these items)")
	f.Float64Var(&t.maxUnanswered, "max-unanswered", 0.02, "no verdict if a larger `share` of the items has no answer, 0 to 1")
	f.Float64Var(&t.maxTruncatedGap, "max-truncated-gap", 0.02, "no verdict if the token limit truncated one side more often by a larger `share`, 0 to 1")
	completeFlag(cmd, "scope", fixedWords(string(earlystop.Endpoint), string(earlystop.Benchmark)))
}

// Check checks the values, except for the ranges that flagcheck checks. Options needs it.
func (t *testFlags) Check(metric string) (err error) {
	if t.metric, err = report.ParseAnswerMetric(metric); err != nil {
		return errkind.Usagef("", "--metric: %w", err)
	}
	if !slices.Contains(earlystop.Scopes(), earlystop.Scope(t.scope)) {
		return errkind.Usagef("the scopes are endpoint and benchmark", "there is no scope %q", t.scope)
	}
	return cmp.Or(refuseProbability("alpha", t.alpha, "0.05"), refuseUnanswered(t.maxUnanswered))
}

// refuseProbability returns a usage error unless the value of a flag is above 0 and below 1.
func refuseProbability(flag string, value float64, example string) error {
	if value > 0 && value < 1 {
		return nil
	}
	return errkind.Usagef("write a probability, such as "+example, "--%s %v: it must be between 0 and 1", flag, value)
}

// refuseUnanswered returns a usage error if the value of --max-unanswered is no share.
func refuseUnanswered(share float64) error {
	if share >= 0 && share < 1 {
		return nil
	}
	return errkind.Usagef("write a share, such as 0.02", "--max-unanswered %v: it must be at least 0 and below 1", share)
}

// Options returns the options of a test of this kind against the baseline run.
func (t *testFlags) Options(kind, baseline string, o app.Options) app.TestOptions {
	return app.TestOptions{
		Options: o, Kind: kind, Baseline: baseline, BoundName: t.boundName, Metric: t.metric,
		Verdict: earlystop.Options{
			Scope: earlystop.Scope(t.scope), Bound: t.bound, Alpha: t.alpha, Items: t.Items,
			MaxUnanswered: t.maxUnanswered, MaxTruncatedGap: t.maxTruncatedGap, Score: t.metric.Score,
		},
	}
}

// requestFlags holds the flags that say how requests are sent.
type requestFlags struct {
	config      configFlags
	temperature float64
	topP        float64
	sampleSeed  int64
	effort      string
	budget      int64
	extra       string
	SystemAs    string
	logprobs    int
	plain       bool
	timeout     time.Duration
	idle        time.Duration
	passEnv     []string
	maxReply    int64
	cmd         *cobra.Command // it knows which flags are given
}

// Register adds the flags.
func (c *requestFlags) register(cmd *cobra.Command) {
	c.cmd = cmd
	c.config.register(cmd, true)
	f := cmd.Flags()
	f.Float64Var(&c.temperature, "temperature", 0, "sampling temperature, a `number` from 0 (default: not sent)")
	f.Float64Var(&c.topP, "top-p", 0, "nucleus sampling `probability`, 0 to 1 (default: not sent)")
	f.Int64Var(&c.sampleSeed, "sampling-seed", 0, "sampling seed of the model, a `number` (default: not sent)")
	f.StringVar(&c.effort, "reasoning-effort", "", "reasoning effort `level` in the provider's spelling (default: not sent)")
	f.Int64Var(&c.budget, "reasoning-budget", 0, "reasoning budget in `tokens`, sent as the parameter of the protocol, if it has one (default: not sent)")
	f.StringVar(&c.SystemAs, "system-as", "system", "`role` of the system text: system, or user for a model without a system role, which gets it in the first user message; a server that refuses the system role gets it so by itself")
	completeFlag(cmd, "system-as", fixedWords("system", model.SystemAsUser))
	f.IntVar(&c.logprobs, "logprobs", 0, "log probabilities of each token and of its `N` most probable alternatives, at most 20 (default: not requested)")
	f.StringVar(&c.extra, "extra", "", "`JSON` object whose members are added to every request (default: none)")
	f.BoolVar(&c.plain, "no-stream", false, "replies in one piece, without streaming")
	f.StringSliceVar(&c.passEnv, "pass-env", nil, "secret environment `variables` that an exec: command inherits, such as HF_TOKEN (default: none)")
	f.DurationVar(&c.timeout, "timeout", 10*time.Minute, "time limit of one attempt")
	f.Int64Var(&c.maxReply, "max-reply", 0, "minimum for the size limit of a reply, in `bytes` (default limit: 32 per token of the token limit plus 64 KiB, at least 1 MiB)")
	f.DurationVar(&c.idle, "idle-timeout", 5*time.Minute, "time limit without new data in a reply, the server's queue included")
}

// largestReply bounds --max-reply, in bytes: the database takes no longer text.
const largestReply = 512 << 20

// Params returns the parameters that the flags set. Others are nil or empty: not sent.
func (c *requestFlags) Params() (verbatim.Params, error) {
	p := verbatim.Params{Effort: c.effort, Logprobs: c.logprobs}
	f := c.cmd.Flags()
	if f.Changed("temperature") {
		p.Temperature = &c.temperature
	}
	if f.Changed("top-p") {
		p.TopP = &c.topP
	}
	if f.Changed("sampling-seed") {
		p.Seed = &c.sampleSeed
	}
	if f.Changed("reasoning-budget") {
		p.ReasoningBudget = &c.budget
	}
	switch c.SystemAs {
	case "", "system":
	case model.SystemAsUser:
		p.SystemAs = model.SystemAsUser
	default:
		return p, errkind.Usagef("write --system-as user, or leave it out", "--system-as must be system or user, got %q", c.SystemAs)
	}
	if c.extra != "" {
		if err := json.Unmarshal([]byte(c.extra), &p.Extra); err != nil {
			return p, errkind.Usagef(`it takes an object, such as '{"top_k": 1}'`, "--extra: not a JSON object: %w", err)
		}
	}
	return p, nil
}

// Options returns the options with which models are found and opened. Diagnostics go to log.
func (c *requestFlags) Options(a *app.App, log io.Writer) (model.Options, error) {
	if c.maxReply < 0 || c.maxReply > largestReply {
		return model.Options{}, errkind.Usagef("", "--max-reply must be from 0 to %d, got %d", int64(largestReply), c.maxReply)
	}
	o := model.Options{Stream: !c.plain, Timeout: c.timeout, Idle: c.idle, MaxReply: c.maxReply, Memory: memory.NewLimit(memory.Default),
		Getenv: a.Getenv, PassEnv: c.passEnv, Log: log}
	if err := c.config.apply(a, &o); err != nil {
		return o, err
	}
	return o, c.refuseSecrets(model.NewRedactor(o))
}

// refuseSecrets refuses members of --extra that look like secrets: they are saved with the
// run, and reports show them.
func (c *requestFlags) refuseSecrets(redact redact.Redactor) error {
	var extra map[string]json.RawMessage
	if c.extra == "" || json.Unmarshal([]byte(c.extra), &extra) != nil {
		return nil // Params returns that error
	}
	if path := redact.SecretParam(extra); path != "" {
		return errkind.Usagef(`parameters are saved with the run; name the variable that holds the secret in verbatim.toml: key_env = "NAME", or a header's as "env:NAME"`,
			"--extra: %s looks like a secret", terminal.Visible(path))
	}
	return nil
}

// configFlags holds the flags about the settings of models: the file that names models, the
// prices, and permissions.
type configFlags struct {
	file          string
	prices        string
	plainHTTP     bool
	reasoningTags string
	trust         bool
}

// Register adds the flags. Those for requests are left out unless the command sends some.
func (c *configFlags) register(cmd *cobra.Command, sends bool) {
	f := cmd.Flags()
	f.StringVar(&c.file, "config", "", "`file` with names and settings of models (default: $VERBATIM_CONFIG, then the nearest verbatim.toml, then the one in your configuration folder)")
	f.StringVar(&c.prices, "prices", "", "`file` of prices that override the built-in ones (default: none)")
	if sends {
		f.BoolVar(&c.plainHTTP, "plain-http", false, "permission for http:// to other machines: prompts, replies and the key are not encrypted")
		f.BoolVar(&c.trust, "trust-config", false, "permission for the verbatim.toml found here to send keys to the addresses it names; remembered until the file changes")
		f.StringVar(&c.reasoningTags, "reasoning-tags", "", "`tags` around reasoning in the text, such as '<think>,</think>'; off keeps it in the text (default: the common ones, at the start of a reply)")
	}
}

// Apply writes the values of the flags into the options.
func (c *configFlags) apply(a *app.App, o *model.Options) (err error) {
	o.PlainHTTP = c.plainHTTP
	switch c.reasoningTags {
	case "":
	case "off":
		o.KeepTags = true
	default:
		if o.Tags, err = reasoning.ParseTags(c.reasoningTags); err != nil {
			return errkind.Usagef("write --reasoning-tags '<think>,</think>', or off", "--reasoning-tags: %w", err)
		}
	}
	if c.prices != "" {
		data, err := input.ReadFile(c.prices, input.MaxPrices)
		if err != nil {
			return errkind.Usagef("docs/models.md describes the file", "--prices: %w", err)
		}
		if o.Prices, err = model.ReadPrices(c.prices, data); err != nil {
			return err
		}
	}
	o.Config, err = a.Config(c.file, c.trust)
	return err
}

// paceFlags holds the flags that bound how fast models get requests, and what they may cost.
type paceFlags struct {
	app.Pace
	budget string
}

// Register adds the flags.
func (p *paceFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVarP(&p.Concurrency, "concurrency", "j", 0, "`requests` in flight per model, at most 4096 (default auto: tuned, at most 256)")
	f.IntVar(&p.MaxAttempts, "max-attempts", 8, "`attempts` per request, at most 3 until the endpoint has answered once")
	f.Float64Var(&p.RequestsPerMinute, "rpm", 0, "rate limit of each endpoint, in `requests` per minute (default: as configured, or none)")
	f.Float64Var(&p.TokensPerMinute, "tpm", 0, "rate limit of each endpoint, in `tokens` per minute (default: as configured, or none)")
	f.DurationVar(&p.Deadline, "deadline", time.Hour, "time limit of one request, all attempts included")
	f.StringVar(&p.budget, "budget", "", "total budget of the runs in US `dollars`, their earlier cost included (default: none)")
	f.BoolVar(&p.AllowUnpriced, "unpriced", false, "with --budget: requests to models of unknown price too; their cost is not counted")
}

// Values returns the values of the flags.
func (p *paceFlags) Values() (app.Pace, error) {
	if p.budget == "" {
		if p.AllowUnpriced {
			return p.Pace, errkind.Usagef("add --budget DOLLARS, or leave --unpriced out", "--unpriced needs --budget")
		}
		return p.Pace, nil
	}
	m, err := verbatim.ParseMoney(strings.TrimPrefix(strings.TrimSpace(p.budget), "$"))
	if err != nil {
		return p.Pace, errkind.Usagef("write dollars, such as --budget 2.50", "--budget: %w", err)
	}
	p.Budget = &m
	return p.Pace, nil
}

// CompleteRuns returns the completion with the names of saved runs, or else with files.
func (env *Env) completeRuns() cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		s, err := store.Open(cmd.Context(), env.databasePath(cmd))
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		defer s.Close()
		list, err := s.Runs(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		names := []string{"last\tthe newest run"}
		for _, r := range list {
			names = append(names, runWord(&r.Run))
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// runWord returns the word that completes to a run, and its description. A shell may evaluate
// the word: it is the run's name only if every shell takes that literally, and otherwise its
// number.
func runWord(r *verbatim.Run) string {
	word := r.Name
	if terminal.ShellWord(word) != word || strings.HasPrefix(word, "-") {
		word = strconv.FormatInt(r.N, 10)
	}
	return word + "\t" + terminal.Truncate(terminal.Visible(r.Plan.Suite+" on "+redact.ModelName(r.Model)), 80)
}

// completeModels completes the name of a model.
func completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{model.NanoName + "\t" + model.NanoDoc}
	for _, p := range model.Providers() {
		names = append(names, p.Name+":")
	}
	for _, k := range append(sim.Kinds(), sim.Kind{Name: obedient.Name, Doc: obedient.Doc}) {
		names = append(names, "sim:"+k.Name+"\t"+k.Doc)
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
