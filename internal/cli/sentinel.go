package cli

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/verdict/sentinel"
	"verbatim/internal/watching"
)

// sentinelCommand returns the command `sentinel`.
func sentinelCommand(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sentinel",
		Short: "Watch endpoints over days (exit 0, 3 or 4)",
		Long: `Watch whether an endpoint still answers as it did, with twelve calls a day.

'init' finds 24 single words at which the first two tokens are nearly equally
probable, and measures how often they deviate without any change: at most 511
calls, and 600 more without log probabilities. 'run' sends 12 words, and up to
180 while the answers look changed. The probability of any false alarm in the
whole watch is at most --alpha, if the endpoint deviates no more often than the
tolerance. A missed day is no evidence. Once a week, up to 7 calls test whether
the token limit, the stop sequence and the system prompt still work.

After an alarm, 'status' shows the days and the words that deviate. 'accept'
says that the change is known, and begins a new watch. The baseline never
follows by itself.`,
		Example: `  verbatim sentinel init http://127.0.0.1:8080/v1
  verbatim sentinel run http://127.0.0.1:8080/v1        # every day, from cron
  verbatim sentinel status`,
	}
	cmd.AddCommand(sentinelInitCommand(env, "init", "Begin to watch an endpoint", false), sentinelRunCommand(env), sentinelStatusCommand(env),
		sentinelInitCommand(env, "accept", "Begin a new watch after a known change", true))
	return cmd
}

func sentinelInitCommand(env *Env, name, short string, again bool) *cobra.Command {
	var p probeFlags
	s := watching.Settings{Again: again}
	cmd := &cobra.Command{
		Use:   name + " MODEL",
		Short: short,
		Long: short + `. Words are chosen, and it is measured how
often their answers deviate without any change:
  -  Up to 120 single words are sent once. Those of which the first two tokens lie 0.2 to 0.6 nats apart are chosen.
  -  Without log probabilities, up to 600 calls more draw each word at temperature 0.3. Words of which 6 to 9 of 10 draws are the answer at temperature 0 are chosen.
  -  Words with an empty answer are never chosen.
  -  The chosen words are sent 16 times more. The first 8 rounds leave out words with two answers. The others measure the rate of deviations.
  -  If the 99 % upper bound of that rate is above the tolerance, the tolerance becomes that bound. Above 0.2 the watch is refused.
  -  If several upstreams of a router answer, the watch is refused. Pin one with --extra.

Exit codes:
  0    the watch has begun
  3    the endpoint cannot be watched
  1    no answer at all, or a failure
  2    usage error
  130  interrupted`,
		Example: `  verbatim sentinel ` + name + ` http://127.0.0.1:8080/v1
  verbatim sentinel ` + name + ` openai:gpt-4o-mini --horizon 180 --budget 0.10`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := refuseProbability("alpha", s.Alpha, "0.01"); err != nil {
				return err
			}
			if !(s.Tolerance > 0 && s.Tolerance <= sentinel.MaxTolerance) {
				return errkind.Usagef("write a share, such as 0.05", "--tolerance %v: it must be above 0 and at most %v", s.Tolerance, sentinel.MaxTolerance)
			}
			s.Seed = p.seed
			return p.within(cmd, env, args, func(stop, abort context.Context, a *app.App, o app.Options) (*table.Document, int, error) {
				if p.plan {
					return planWatch(stop, a, o, s)
				}
				doc, err := watching.Enrol(stop, abort, a, o, s)
				if err != nil {
					return nil, 0, err
				}
				if doc.Refusal != "" {
					doc.ExitCode = Worse
				}
				return layout.Enrolment(doc, env.layout()), doc.ExitCode, nil
			})
		},
	}
	p.registerProbe(cmd)
	f := cmd.Flags()
	f.Float64Var(&s.Alpha, "alpha", 0.01, "maximum `probability` of any false alarm in the horizon, between 0 and 1")
	f.Float64Var(&s.Tolerance, "tolerance", 0.05, "`share` of calls that may deviate without a change, above 0 and at most 0.2")
	f.BoolVar(&s.Texts, "texts", false, "also 8 greedy texts of 28 tokens; they deviate after most updates of an engine, too")
	f.BoolVar(&s.Distances, "distances", false, "also the log probabilities of each word: a call deviates if they lie further from the middle one than all before, and than 0.2 nats")
	f.BoolVar(&s.MixUpstreams, "mix-upstreams", false, "several upstreams of a router may answer")
	f.BoolVar(&s.StrictName, "strict-name", false, "an alarm if another model name or fingerprint is reported")
	f.DurationVar(&s.Over, "over", 0, "`time` over which the 16 rounds are spread, such as 24h, so that they see the load of a day (default: one after the other)")
	f.IntVar(&s.Horizon, "horizon", 365, "`days` with calls for which --alpha holds")
	return cmd
}

func sentinelRunCommand(env *Env) *cobra.Command {
	var p probeFlags
	var look watching.Look
	cmd := &cobra.Command{
		Use:   "run [MODEL]",
		Short: "Look at a watched endpoint: 12 calls, one line",
		Long: `Send 12 calls to a watched endpoint, and up to 180 while its answers look
changed. The result is one line, made for cron. Replies of an upstream that was
not enrolled are an event, and no evidence. Two processes cannot look at the
same endpoint at once. A second run on the same day adds to that day. --all
looks at every endpoint that an earlier command of yours began to watch.

With --webhook, an alarm is posted there as JSON, three times at most. The text
of a reply is sent only with --webhook-text. If VERBATIM_WEBHOOK_KEY is set, the
header X-Verbatim-Signature holds sha256= and the HMAC of the body with that key.

Exit codes:
  0    quiet
  3    alarm
  4    too few answers
  1    no answer at all, or a failure
  2    usage error
  130  interrupted`,
		Example: `  verbatim sentinel run http://127.0.0.1:8080/v1
  verbatim sentinel run --all -q
  verbatim sentinel run openai:gpt-4o-mini -q --webhook https://example.org/hook`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if look.All && p.plan {
				return errkind.Usagef("name one model", "--plan and --all exclude each other")
			}
			if look.All == (len(args) == 1) {
				return errkind.Usagef("`verbatim sentinel status` lists what is watched", "name a model, or add --all")
			}
			return p.within(cmd, env, args, func(stop, abort context.Context, a *app.App, o app.Options) (*table.Document, int, error) {
				if p.plan {
					return planWatch(stop, a, o, watching.Settings{})
				}
				look.Key = env.Getenv("VERBATIM_WEBHOOK_KEY")
				list, failed, err := look.Run(stop, abort, a, o)
				if err != nil {
					return nil, 0, err
				}
				code := watchCode(list)
				if failed && code == exitDone {
					code = Undecided
				}
				return layout.Watches(list, false, env.layout()), code, nil
			})
		},
	}
	p.registerProbe(cmd)
	cmd.Flags().BoolVar(&look.All, "all", false, "every watched endpoint of the database")
	cmd.Flags().StringVar(&look.Hook, "webhook", "", "`URL` to which an alarm is posted (default: none)")
	cmd.Flags().BoolVar(&look.Text, "webhook-text", false, "with --webhook: the words that deviate, with their answers")
	return cmd
}

// planWatch makes the document of what a watch would send.
func planWatch(ctx context.Context, a *app.App, o app.Options, s watching.Settings) (*table.Document, int, error) {
	first, year, err := watching.Plan(ctx, a, o, s)
	if err != nil {
		return nil, 0, err
	}
	return layout.CallPlans(first, year), exitDone, nil
}

// watchCode sets the exit code of each watch, and returns that of the command: an alarm if one of
// them has an alarm.
func watchCode(list []*report.Watched) int {
	alarm, tooFew := false, false
	for _, w := range list {
		if w.Probed != nil {
			w.ExitCode = probeCode(w.Word == sentinel.Alarm, w.Word == sentinel.TooFew)
		}
		alarm, tooFew = alarm || w.Word == sentinel.Alarm, tooFew || w.Word == sentinel.TooFew
	}
	return probeCode(alarm, tooFew)
}

func sentinelStatusCommand(env *Env) *cobra.Command {
	var format formatFlags
	cmd := &cobra.Command{
		Use:   "status [MODEL]",
		Short: "Show watches: days, calls, capital and words that deviate",
		Long: `Show the watches of the database, without requests: the days with their
calls and deviations, the words that deviate, and how fast a change would be
seen. The capital is the value of the test: it begins at 1, and grows with
deviations. At 1/alpha there is an alarm.

Exit codes: 0 quiet, 3 alarm, 1 failure, 2 usage error.`,
		Example: `  verbatim sentinel status`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := format.chosen()
			if err != nil {
				return err
			}
			s, err := env.app(cmd).OpenDatabase(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			model := strings.Join(args, "") // none: all watches
			found, err := watching.Load(cmd.Context(), s, model)
			if err != nil {
				return err
			}
			if len(found) == 0 {
				return errkind.Usagef("begin with `verbatim sentinel init MODEL`", "no endpoint is watched")
			}
			var list []*report.Watched
			for i := range found {
				doc := watching.Status(&found[i])
				watching.WouldSee(&found[i], doc)
				list = append(list, doc)
			}
			code := watchCode(list)
			return cmp.Or(env.Print(layout.Watches(list, true, env.layout()), chosen), exitError(code))
		},
	}
	format.register(cmd, formats(true, false))
	return cmd
}
