package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/fake"
	"verbatim/internal/model"
)

// A faker holds the flags of `fake`.
type faker struct {
	sel      selection
	config   fake.Config
	model    string
	passEnv  []string
	faults   []string
	port     int
	ready    string
	duration time.Duration
	rate     string
	asJSON   bool
}

func fakeCommand(env *Env) *cobra.Command {
	var k faker
	cmd := &cobra.Command{
		Use:   "fake [flags] [-- COMMAND [ARG...]]",
		Short: "Serve a model that misbehaves on purpose, on this machine",
		Long: `Serve a model on 127.0.0.1 that speaks the protocols of OpenAI (chat completions
and responses), Anthropic, Gemini and Ollama, gives the right answers to the items
that the flags select, and misbehaves in the ways that --fault names. With --model
that model answers; a model that is not simulated answers any prompt.

What happens to a request is drawn from --seed-of-faults, its prompt and how often
that prompt was asked before: the same client meets the same faults again.

` + faultHelp() + `
With a command after --, the server lives as long as that command, whose exit code
is returned; {url} in its arguments stands for http://127.0.0.1:PORT, which is also
in the variable VERBATIM_FAKE. Else Ctrl-C ends it. Then it prints what it did.
docs/fake.md has more.`,
		Example: `  verbatim fake
  verbatim fake --suite simpe --wrong 0.1 --port 8089
  verbatim fake --fault 429:0.05,after=2 --fault cut:0.01 --fault 500:0.3,tries=1
  verbatim fake --latency 300ms --spread 0.5 --token 10ms --slots 8
  verbatim fake --rate 5/s --burst 5 --clock 20
  verbatim fake --model 'sim:sloppy?half=32'
  verbatim fake --model nano --port 8089
  verbatim fake --echo --for 10s
  verbatim fake --fault 500:0.3 -- verbatim run --model {url}/v1#m --db try.db`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && cmd.ArgsLenAtDash() != 0 {
				return fmt.Errorf("a command goes after --")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return k.run(cmd, env, args) },
	}
	k.register(cmd)
	return cmd
}

func (k *faker) register(cmd *cobra.Command) {
	k.sel.register(cmd)
	f, c := cmd.Flags(), &k.config
	f.IntVarP(&k.port, "port", "p", 0, "the `port` to listen on; 0 takes a free one")
	f.StringVar(&k.ready, "ready-file", "", "write the base URL, http://127.0.0.1:PORT, to this `file` once it listens")
	f.DurationVar(&k.duration, "for", 0, "end after this `time`, such as 10s")
	f.BoolVar(&k.asJSON, "json", false, "print what it did as one JSON document")
	f.StringArrayVarP(&k.faults, "fault", "f", nil, "a `fault`: KIND[@PLACE][:SHARE][,NAME=VALUE...], or @FILE with one or more a line; may be repeated")
	f.Uint64Var(&c.Seed, "seed-of-faults", 1, "the seed of everything that is drawn but the items")
	f.Float64Var(&c.Wrong, "wrong", 0, "the `share` of answers that are wrong")
	f.StringVarP(&k.model, "model", "m", "", "a `model` that answers instead, such as sim:sloppy or nano")
	f.StringSliceVar(&k.passEnv, "pass-env", nil, "`variables` that an exec: command inherits although their names say that they hold secrets (default: none)")
	f.BoolVar(&c.Echo, "echo", false, "say the last message back instead")
	f.StringSliceVar(&c.Models, "serves", nil, "the `names` in the list of models (default fake-1, or nano with --model nano); any name is answered")
	f.StringVar(&c.Key, "key", "", "the `key` that clients must send")
	f.IntVar(&c.Chunk, "chunk", 16, "`bytes` of the answer in one event of a stream")
	f.DurationVar(&c.Pace.Latency, "latency", 0, "median `time` until the first byte")
	f.Float64Var(&c.Pace.Spread, "spread", 0, "its log-normal spread: the standard deviation of the logarithm")
	f.DurationVar(&c.Pace.Token, "token", 0, "`time` for each token (four bytes)")
	f.IntVar(&c.Pace.Knee, "knee", 0, "requests at once beyond which all of these times grow in proportion")
	f.Float64Var(&c.Pace.Clock, "clock", 1, "how many times faster than real time latency, rate and windows run; Retry-After stays in real seconds")
	f.IntVar(&c.Limits.Slots, "slots", 0, "answers at once; the others wait in a queue")
	f.IntVar(&c.Limits.Queue, "queue", 0, "how many may wait for a slot; more get status 503 (default: any number)")
	f.StringVar(&k.rate, "rate", "", "requests in a time, such as `5/s` or 300/m: a token bucket; more get status 429")
	f.IntVar(&c.Limits.Burst, "burst", 1, "the size of that bucket")
	f.DurationVar(&c.Limits.Window, "window", 0, "the length of fixed windows of `time`")
	f.IntVar(&c.Limits.Requests, "window-requests", 0, "requests taken in each window; more get status 429")
	f.DurationVar(&c.Batch.Time, "batch-time", 0, "how long a batch takes")
	f.Float64Var(&c.Batch.Failed, "batch-failed", 0, "the `share` of a batch's requests that end in an error")
	f.Float64Var(&c.Batch.Expired, "batch-expired", 0, "the `share` of a batch's requests that are not answered in time")
	f.Float64Var(&c.Batch.Lost, "batch-lost", 0, "the `share` of batches and files that are made without a reply that says so")
	f.Float64Var(&c.Batch.Busy, "batch-busy", 0, "the `share` of calls of the batch APIs that get status 503")
	cmd.RegisterFlagCompletionFunc("model", completeModels)
	cmd.RegisterFlagCompletionFunc("fault", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, kind := range fake.FaultKinds() {
			names = append(names, kind.Name+"\t"+kind.Doc)
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// faultHelp lists the kinds of faults.
func faultHelp() string {
	var b strings.Builder
	b.WriteString("Faults:\n")
	for _, k := range fake.FaultKinds() {
		fmt.Fprintf(&b, "  %-14s %s\n", k.Name, k.Doc)
	}
	b.WriteString("  NNN            any status from 400 to 599\n")
	return b.String()
}

// configure reads the flags into the server's configuration.
func (k *faker) configure(ctx context.Context, env *Env) (close func() error, err error) {
	close = func() error { return nil }
	for _, text := range k.faults {
		if path, ok := strings.CutPrefix(text, "@"); ok {
			data, err := readInput(path, mostText)
			if err != nil {
				return close, misused("--fault takes a fault, or @FILE", "--fault: %w", err)
			}
			text = string(data)
		}
		faults, err := fake.ParseFaults(text)
		if err != nil {
			return close, err
		}
		k.config.Faults = append(k.config.Faults, faults...)
	}
	if k.rate != "" {
		if k.config.Limits.Rate, err = parseRate(k.rate); err != nil {
			return close, err
		}
	}
	if k.model != "" {
		opened, err := model.Open(ctx, k.model, model.Options{Stream: true, Getenv: env.Getenv, PassEnv: k.passEnv, Talk: env.Err})
		if err != nil {
			return close, err
		}
		k.config.Model, close = opened.Model, opened.Close
		k.config.Any = !opened.Simulated // what is simulated has to know the right answer
		if len(k.config.Models) == 0 && opened.Name == model.NanoName {
			k.config.Models = []string{model.NanoName}
		}
	}
	index, err := k.index()
	if err != nil {
		return close, err
	}
	k.config.Item = index.Item
	return close, nil
}

// index draws the items of the selection.
func (k *faker) index() (*fake.Index, error) {
	plan, err := k.sel.plan()
	if err != nil {
		return nil, err
	}
	deck, err := plan.deck()
	if err != nil {
		return nil, err
	}
	index := &fake.Index{}
	for place, ok := deck.Next(); ok && place.Trial == 0; place, ok = deck.Next() {
		it, err := deck.Item(place)
		if err != nil {
			return nil, err
		}
		index.Add(deck.Prompt(it), it)
	}
	return index, nil
}

// parseRate reads requests in a time: "5/s", "300/m", "1000/h".
func parseRate(text string) (float64, error) {
	n, unit, _ := strings.Cut(text, "/")
	rate, err := strconv.ParseFloat(n, 64)
	seconds, known := map[string]float64{"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}[unit]
	if err != nil || !known || !(rate > 0) {
		return 0, misused("write it as 5/s, 300/m or 1000/h", "--rate %s is no rate", text)
	}
	return rate / seconds, nil
}
