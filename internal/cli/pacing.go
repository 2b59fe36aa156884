package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/pace"
)

// pacing holds the flags that say how fast a model is asked and what it may cost.
type pacing struct {
	jobs      int
	tries     int
	perMinute float64
	tokens    float64
	deadline  time.Duration
	budget    string
	unpriced  bool
}

// firstTries is how often a request is tried before the endpoint has answered
// anything.
const firstTries = 3

// The number of requests in flight where nobody has named one: at most so many
// are found out to be useful, and so many are asked of what runs here.
const (
	mostJobs    = 256
	mostAbreast = 64 // of each, where several models are asked
	ownJobs     = 4
)

// waitRoom is how many requests next to those in flight may wait to be tried again
// before nothing new is begun. Else an endpoint at which a part of all prompts
// always fails would be busy with waiting.
const waitRoom = 64

func (p *pacing) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVarP(&p.jobs, "concurrency", "j", 0, "`requests` in flight per model, at most 4096 (default auto: tuned, at most 256)")
	f.IntVar(&p.tries, "max-attempts", 8, "`attempts` per request, at most 3 until the endpoint has answered once")
	f.Float64Var(&p.perMinute, "rpm", 0, "rate limit of each endpoint, in `requests` per minute (default: as configured, or none)")
	f.Float64Var(&p.tokens, "tpm", 0, "rate limit of each endpoint, in `tokens` per minute (default: as configured, or none)")
	f.DurationVar(&p.deadline, "deadline", time.Hour, "time limit of one request, all attempts included")
	f.StringVar(&p.budget, "budget", "", "total budget of the runs in US `dollars`, their earlier cost included (default: none)")
	f.BoolVar(&p.unpriced, "unpriced", false, "with --budget: requests to models of unknown price too; their cost is not counted")
}

// limit returns the budget, nil without one.
func (p *pacing) limit() (*verbatim.Money, error) {
	if p.budget == "" {
		if p.unpriced {
			return nil, misused("add --budget DOLLARS, or leave --unpriced out", "--unpriced needs --budget")
		}
		return nil, nil
	}
	m, err := verbatim.ParseMoney(strings.TrimPrefix(strings.TrimSpace(p.budget), "$"))
	if err != nil {
		return nil, misused("write dollars, such as --budget 2.50", "--budget: %w", err)
	}
	return &m, nil
}

// pacer makes what stands before a model; others says that more models are asked
// next to it.
func (p *pacing) pacer(t target, budget *pace.Budget, others bool) *pace.Pacer {
	c := pace.Config{
		Tries: p.tries, FirstTries: firstTries, Total: p.deadline, Price: t.Price, Budget: budget,
		RequestsPerMinute: p.perMinute, TokensPerMinute: p.tokens,
	}
	if c.Price == nil {
		c.Budget = nil // --unpriced
	}
	if c.RequestsPerMinute == 0 {
		c.RequestsPerMinute = float64(t.Limits.RequestsPerMinute)
	}
	if c.TokensPerMinute == 0 {
		c.TokensPerMinute = float64(t.Limits.TokensPerMinute)
	}
	switch {
	case p.jobs > 0:
		c.Jobs = p.jobs
	case t.Limits.Concurrency > 0:
		c.Jobs = t.Limits.Concurrency
	case t.local():
		c.Jobs = ownJobs
	case others:
		// What waits for its turn here is ahead of what is sent, and models are to be
		// asked item by item.
		c.Jobs, c.Adaptive = mostAbreast, true
	default:
		c.Jobs, c.Adaptive = mostJobs, true
	}
	return pace.New(c)
}

// costly lists parameters that raise what a request may cost above its reservation:
// several replies, other token limits, other tariffs, and tools that are paid apart.
func costly() []string {
	return []string{"n", "best_of", "candidateCount", "max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "num_predict",
		"service_tier", "tools", "web_search_options", "plugins"}
}

// afford checks before anything is asked that a budget can be kept. params are those
// that the models are asked with, unless their own entries say more.
func (p *pacing) afford(targets []target, params verbatim.Params, limit *verbatim.Money) error {
	if limit == nil {
		return nil
	}
	for _, t := range targets {
		extra := over(t.Params, params).Extra
		for _, name := range costly() {
			if _, there := extra[name]; there && t.Price != nil {
				return misused("leave it out, or ask without a budget",
					"the extra parameter %q may make a request of %s cost more than is reserved for it: the budget cannot be enforced", name, t.Name)
			}
		}
		if t.Price == nil && !p.unpriced {
			return misused("name its price in verbatim.toml or with --prices FILE, or run it without a price with --unpriced",
				"the price of %s is unknown: the budget cannot be enforced", t.Name)
		}
	}
	return nil
}
