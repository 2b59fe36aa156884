package cli

import (
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/report"
	"verbatim/internal/wire"
)

// calling holds the flags that say how a model is called.
type calling struct {
	config      configuration
	temperature float64
	topP        float64
	sampleSeed  int64
	effort      string
	budget      int64
	extra       string
	plain       bool
	timeout     time.Duration
	idle        time.Duration
	passEnv     []string
	maxReply    int64
	cmd         *cobra.Command
}

func (c *calling) register(cmd *cobra.Command) {
	c.cmd = cmd
	c.config.register(cmd, true)
	f := cmd.Flags()
	f.Float64Var(&c.temperature, "temperature", 0, "sampling temperature; not sent unless given")
	f.Float64Var(&c.topP, "top-p", 0, "nucleus sampling; not sent unless given")
	f.Int64Var(&c.sampleSeed, "sample-seed", 0, "the model's sampling seed; not sent unless given")
	f.StringVar(&c.effort, "effort", "", "reasoning effort, as the provider spells it")
	f.Int64Var(&c.budget, "reasoning-budget", 0, "tokens that the model may think, for protocols that have such a parameter; not sent unless given")
	f.StringVar(&c.extra, "extra", "", "a `JSON` object that is added to every request as it is")
	f.BoolVar(&c.plain, "no-stream", false, "ask for the answer in one piece")
	f.StringSliceVar(&c.passEnv, "pass-env", nil, "`variables` that an exec: command inherits although their names say that they hold secrets, such as HF_TOKEN (default: none)")
	f.DurationVar(&c.timeout, "timeout", 10*time.Minute, "time limit for one answer")
	f.Int64Var(&c.maxReply, "max-reply", 0, "`bytes` that one reply may have at least (default: 32 for each token of its limit and 64 KiB, at least 1 MiB)")
	f.DurationVar(&c.idle, "idle", 5*time.Minute, "time limit without a new piece of the answer, the wait in a server's queue included")
}

// largestReply bounds --max-reply: a text of the database may not be longer.
const largestReply = 512 << 20

// params returns the parameters that were asked for; others are not sent.
func (c *calling) params() (verbatim.Params, error) {
	p := verbatim.Params{Effort: c.effort}
	f := c.cmd.Flags()
	if f.Changed("temperature") {
		p.Temperature = &c.temperature
	}
	if f.Changed("top-p") {
		p.TopP = &c.topP
	}
	if f.Changed("sample-seed") {
		p.Seed = &c.sampleSeed
	}
	if f.Changed("reasoning-budget") {
		p.ReasoningBudget = &c.budget
	}
	if c.extra != "" {
		if err := json.Unmarshal([]byte(c.extra), &p.Extra); err != nil {
			return p, misused(`it takes an object, such as '{"top_k": 1}'`, "--extra: %w", err)
		}
	}
	return p, nil
}

// options says how models are found and called.
func (c *calling) options(env *Env) (model.Options, error) {
	if c.maxReply < 0 || c.maxReply > largestReply {
		return model.Options{}, misused("", "--max-reply must be from 0 to %d, got %d", int64(largestReply), c.maxReply)
	}
	o := model.Options{Stream: !c.plain, Timeout: c.timeout, Idle: c.idle, MaxReply: c.maxReply, Memory: wire.NewMemory(wire.DefaultMemory),
		Getenv: env.Getenv, PassEnv: c.passEnv, Talk: env.Err}
	if err := c.config.apply(env, &o); err != nil {
		return o, err
	}
	return o, c.refuseSecrets(model.NewRedactor(o))
}

// refuseSecrets refuses parameters that look like secrets: they are saved with the
// run, and reports show them.
func (c *calling) refuseSecrets(redact model.Redactor) error {
	var extra map[string]json.RawMessage
	if c.extra == "" || json.Unmarshal([]byte(c.extra), &extra) != nil {
		return nil // params complains
	}
	if path := redact.SecretParam(extra); path != "" {
		return misused(`parameters are saved with the run; name the variable that holds the secret in verbatim.toml: key_env = "NAME", or a header's as "env:NAME"`,
			"--extra: %s looks like a secret", report.Visible(path))
	}
	return nil
}
