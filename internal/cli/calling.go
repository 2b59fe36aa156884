package cli

import (
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/memory"
	"verbatim/internal/model"
	"verbatim/internal/redact"
	"verbatim/internal/terminal"
)

// calling holds the flags that say how requests are sent.
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
	f.Float64Var(&c.temperature, "temperature", 0, "sampling temperature, a `number` from 0 (default: not sent)")
	f.Float64Var(&c.topP, "top-p", 0, "nucleus sampling `probability`, 0 to 1 (default: not sent)")
	f.Int64Var(&c.sampleSeed, "sampling-seed", 0, "sampling seed of the model, a `number` (default: not sent)")
	f.StringVar(&c.effort, "reasoning-effort", "", "reasoning effort `level` in the provider's spelling (default: not sent)")
	f.Int64Var(&c.budget, "reasoning-budget", 0, "reasoning budget in `tokens`, sent as the parameter of the protocol, if it has one (default: not sent)")
	f.StringVar(&c.extra, "extra", "", "`JSON` object whose members are added to every request (default: none)")
	f.BoolVar(&c.plain, "no-stream", false, "replies in one piece, without streaming")
	f.StringSliceVar(&c.passEnv, "pass-env", nil, "secret environment `variables` that an exec: command inherits, such as HF_TOKEN (default: none)")
	f.DurationVar(&c.timeout, "timeout", 10*time.Minute, "time limit of one attempt")
	f.Int64Var(&c.maxReply, "max-reply", 0, "minimum for the size limit of a reply, in `bytes` (default limit: 32 per token of the token limit plus 64 KiB, at least 1 MiB)")
	f.DurationVar(&c.idle, "idle-timeout", 5*time.Minute, "time limit without new data in a reply, the server's queue included")
}

// largestReply bounds --max-reply: a text of the database may not be longer.
const largestReply = 512 << 20

// params returns the parameters that the flags set; others are not sent.
func (c *calling) params() (verbatim.Params, error) {
	p := verbatim.Params{Effort: c.effort}
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
	if c.extra != "" {
		if err := json.Unmarshal([]byte(c.extra), &p.Extra); err != nil {
			return p, app.UsageError(`it takes an object, such as '{"top_k": 1}'`, "--extra: %w", err)
		}
	}
	return p, nil
}

// options says how models are found and opened.
func (c *calling) options(env *Env) (model.Options, error) {
	if c.maxReply < 0 || c.maxReply > largestReply {
		return model.Options{}, app.UsageError("", "--max-reply must be from 0 to %d, got %d", int64(largestReply), c.maxReply)
	}
	o := model.Options{Stream: !c.plain, Timeout: c.timeout, Idle: c.idle, MaxReply: c.maxReply, Memory: memory.NewLimit(memory.Default),
		Getenv: env.Getenv, PassEnv: c.passEnv, Log: env.Err}
	if err := c.config.apply(env.app(nil), &o); err != nil {
		return o, err
	}
	return o, c.refuseSecrets(model.NewRedactor(o))
}

// refuseSecrets refuses parameters that look like secrets: they are saved with the
// run, and reports show them.
func (c *calling) refuseSecrets(redact redact.Redactor) error {
	var extra map[string]json.RawMessage
	if c.extra == "" || json.Unmarshal([]byte(c.extra), &extra) != nil {
		return nil // params returns that error
	}
	if path := redact.SecretParam(extra); path != "" {
		return app.UsageError(`parameters are saved with the run; name the variable that holds the secret in verbatim.toml: key_env = "NAME", or a header's as "env:NAME"`,
			"--extra: %s looks like a secret", terminal.Visible(path))
	}
	return nil
}
