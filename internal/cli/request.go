package cli

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/memory"
	"verbatim/internal/model"

	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
	"verbatim/internal/terminal"
)

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
