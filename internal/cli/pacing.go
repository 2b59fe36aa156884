package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"
)

// pacing holds the flags that bound how fast models get requests, and what they may cost.
type pacing struct {
	app.Pace
	budget string
}

func (p *pacing) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVarP(&p.Concurrency, "concurrency", "j", 0, "`requests` in flight per model, at most 4096 (default auto: tuned, at most 256)")
	f.IntVar(&p.MaxAttempts, "max-attempts", 8, "`attempts` per request, at most 3 until the endpoint has answered once")
	f.Float64Var(&p.RequestsPerMinute, "rpm", 0, "rate limit of each endpoint, in `requests` per minute (default: as configured, or none)")
	f.Float64Var(&p.TokensPerMinute, "tpm", 0, "rate limit of each endpoint, in `tokens` per minute (default: as configured, or none)")
	f.DurationVar(&p.Deadline, "deadline", time.Hour, "time limit of one request, all attempts included")
	f.StringVar(&p.budget, "budget", "", "total budget of the runs in US `dollars`, their earlier cost included (default: none)")
	f.BoolVar(&p.AllowUnpriced, "unpriced", false, "with --budget: requests to models of unknown price too; their cost is not counted")
}

// pace returns the values of the flags.
func (p *pacing) pace() (app.Pace, error) {
	if p.budget == "" {
		if p.AllowUnpriced {
			return p.Pace, app.UsageError("add --budget DOLLARS, or leave --unpriced out", "--unpriced needs --budget")
		}
		return p.Pace, nil
	}
	m, err := verbatim.ParseMoney(strings.TrimPrefix(strings.TrimSpace(p.budget), "$"))
	if err != nil {
		return p.Pace, app.UsageError("write dollars, such as --budget 2.50", "--budget: %w", err)
	}
	p.Budget = &m
	return p.Pace, nil
}
