package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/fake"
	"verbatim/internal/input"
	"verbatim/internal/model"
	"verbatim/internal/terminal"
	"verbatim/internal/wire"
)

func fakeCommand(env *Env) *cobra.Command {
	var k fakeFlags
	cmd := &cobra.Command{
		Use:   "fake [flags] [-- COMMAND [ARG...]]",
		Short: "Serve a simulated model with chosen faults on this machine",
		Long: `Serve a model on 127.0.0.1 that speaks the protocols of OpenAI (chat completions
and responses), Anthropic, Gemini and Ollama. It gives the right answers to the
items that the flags select, except for the faults of --fault. With --model that
model answers; a model that is not simulated answers any prompt.

The faults of a request are drawn from --fault-seed, the prompt, and the
number of earlier requests with that prompt. The same client therefore meets the
same faults again.

A fault is KIND[@PLACE][:SHARE][,NAME=VALUE...], such as 429:0.05,after=2.
PLACE is the position of a request, and SHARE the share of requests, 0 to 1.

` + faultHelp() + `
With a command after --, the server runs as long as the command and returns its
exit code. {url} in the arguments is replaced by http://127.0.0.1:PORT, which is
also in the variable VERBATIM_FAKE. 'verbatim run' without --model finds the
server by itself. Without a command, Ctrl-C ends the server.
At the end it prints what it did. docs/fake.md has the details.

Exit codes: 0 done, 1 failed, 2 usage error, or the code of the command.`,
		Example: `  verbatim fake
  verbatim fake --suite simpe --wrong 0.1 --port 8089
  verbatim fake --fault 429:0.05,after=2 --fault cut:0.01 -f 500:0.3,tries=1
  verbatim fake --latency 300ms --token-latency 10ms --slots 8
  verbatim fake --rate 5/s --burst 5 --speedup 20
  verbatim fake --model 'sim:sloppy?half=32'
  verbatim fake --model nano --port 8089
  verbatim fake --echo --for 10s
  verbatim fake --fault 500:0.3 -- verbatim run --model {url}/v1#m --db try.db`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && cmd.ArgsLenAtDash() != 0 {
				return errkind.Usagef("usage: "+cmd.UseLine(), "a command goes after --, and %q is before it", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return k.run(cmd, env, args) },
	}
	k.register(cmd)
	return cmd
}

// faultHelp lists the kinds of faults.
func faultHelp() string {
	var b strings.Builder
	b.WriteString("Faults:\n")
	for _, k := range fake.FaultKinds() {
		fmt.Fprintf(&b, "  %-14s %s\n", k.Name, k.Doc)
	}
	b.WriteString("  NNN            any status from 400 to 599\n")
	b.WriteString("\nContracts that --disobey breaks:\n")
	for _, c := range fake.Contracts() {
		fmt.Fprintf(&b, "  %-14s %s\n", c.Name, c.Doc)
	}
	return b.String()
}

func (k *fakeFlags) run(cmd *cobra.Command, env *Env, args []string) error {
	k.adoptSelection(cmd, args)
	closeModel, err := k.configure(cmd.Context(), env)
	if err != nil {
		return err
	}
	defer closeModel()
	s, err := fake.New(k.config)
	if err != nil {
		return errkind.Usagef("'verbatim fake --help' describes the flags", "%w", err)
	}
	signals, unsubscribe := env.Handler.Handle()
	defer unsubscribe()
	h := fakeHost{For: k.duration, Signals: signals}
	if err := h.Listen(s, k.port); err != nil {
		return err
	}
	started := time.Now()
	defer h.Close()
	if k.ready != "" {
		if err := h.writeReady(k.ready); err != nil {
			return err
		}
	}
	out := env.Out
	if len(args) > 0 {
		out = env.Err // the standard output is the command's
		err = h.Run(cmd.Context(), hostedCommand{Words: args, In: env.In, Out: env.RawOut, Err: env.RawErr})
		if ended, ok := errors.AsType[hostedExitCode](err); ok {
			err = exitStatus(ended)
		}
	} else {
		k.welcome(cmd, env, h.Base())
		err = h.Wait(cmd.Context())
	}
	h.Close()
	counts := s.Counts()
	if err := cmp.Or(err, k.report(env, out, counts, time.Since(started))); err != nil {
		return err
	}
	if counts.Unknown > 0 && counts.Unknown >= counts.Answered+counts.Broken {
		return errkind.Runtimef("give fake the flags that select the items of the client, such as --suite and --task, or --echo", "no request was of an item that this server knows")
	}
	return nil
}

// adoptSelection takes over the flags that select items from the command after --, if it is a
// command of this program. It does nothing if fake has such flags of its own.
func (k *fakeFlags) adoptSelection(cmd *cobra.Command, args []string) {
	at := slices.IndexFunc(args, func(w string) bool { return w == "run" || w == "check" || w == "horizon" })
	if at < 1 || selectionWords(cmd) != "" {
		return
	}
	var wrapped selectionFlags
	other := &cobra.Command{FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
	wrapped.register(other)
	if other.ParseFlags(args[at+1:]) == nil { // the command itself says what is wrong with its flags
		k.sel = wrapped
	}
}

// welcome prints where the server listens and the commands that send it requests.
func (k *fakeFlags) welcome(cmd *cobra.Command, env *Env, base string) {
	name := "fake-1"
	if len(k.config.Models) > 0 {
		name = k.config.Models[0]
	}
	env.Note("Listening on %s", base)
	for _, w := range wire.Protocols() {
		env.Note("  %-17s %s", w.Name, base+w.ClientPath)
	}
	env.Note("  %-17s %s", "chat, as at Azure", base+"/openai/deployments/"+name)
	env.Note("Send requests with")
	for _, w := range wire.Protocols() {
		address := w.Prefix() + base + w.BasePath() + "#" + name
		env.Note("  verbatim run --model=%s%s", terminal.ShellWord(address), selectionWords(cmd))
	}
	if k.duration > 0 {
		env.Note("It ends after %v, or with Ctrl-C.", k.duration)
	} else {
		env.Note("Ctrl-C ends it.")
	}
}

// report prints what the server did: to w, or as JSON to the standard output.
func (k *fakeFlags) report(env *Env, w io.Writer, c fake.Counts, took time.Duration) error {
	if k.asJSON {
		return writeDocument(env.Out, "fake", struct {
			Seconds float64 `json:"seconds"`
			fake.Counts
		}{took.Seconds(), c})
	}
	return env.writeTable(w, countsTable(c))
}

// fakeFlags holds the flags of `fake`.
type fakeFlags struct {
	sel      selectionFlags
	config   fake.Config
	model    string
	passEnv  []string
	faults   []string
	upstream []string
	disobey  []string
	port     int
	ready    string
	duration time.Duration
	rate     string
	asJSON   bool
}

func (k *fakeFlags) register(cmd *cobra.Command) {
	k.sel.register(cmd)
	f, c := cmd.Flags(), &k.config
	f.IntVarP(&k.port, "port", "p", 0, "TCP `port`; 0 is a free one (default 0)")
	f.StringVar(&k.ready, "ready-file", "", "`file` that gets the base URL, http://127.0.0.1:PORT, once the server listens (default: none)")
	f.DurationVar(&k.duration, "for", 0, "`time` after which the server ends, such as 10s (default: none)")
	f.BoolVar(&k.asJSON, "json", false, "one JSON document of what the server did")
	f.StringArrayVarP(&k.faults, "fault", "f", nil, "`fault` to inject, such as 429:0.05, or @FILE with one or more per line; repeatable (default: none)")
	f.Uint64Var(&c.Seed, "fault-seed", 1, "seed of all random draws except the items, a `number`")
	f.Float64Var(&c.Wrong, "wrong", 0, "`share` of wrong answers, 0 to 1 (default 0)")
	singleFlag(f, &k.model, "model", "m", "`model` that answers the prompts, such as sim:sloppy or nano (default: the right answers)")
	f.StringSliceVar(&k.passEnv, "pass-env", nil, "secret environment `variables` that an exec: command inherits (default: none)")
	f.StringArrayVar(&k.upstream, "upstream", nil, "`provider` behind a router, as NAME[,short][,stray][,fails]: short lacks the last character, stray ignores pins, fails answers 503; repeatable (default: no router)")
	f.StringSliceVar(&k.disobey, "disobey", nil, "`contracts` that the server breaks, listed above (default: none)")
	f.BoolVar(&c.Strict, "strict-names", false, "only the names of --serves are answered; others get status 404 (default: off)")
	f.BoolVar(&c.Echo, "echo", false, "the last message as the reply")
	f.StringSliceVar(&c.Models, "serves", nil, "`names` in the list of models; any name is answered (default fake-1, or nano with --model nano)")
	f.StringVar(&c.Key, "key", "", "`key` that clients must send (default: none)")
	f.StringSliceVar(&c.Hosts, "host", nil, "`names` of this machine besides localhost by which clients may reach the server, such as that of a tunnel (default: none)")
	f.IntVar(&c.Chunk, "chunk", 16, "`bytes` of the answer per event of a stream")
	f.DurationVar(&c.Pace.Latency, "latency", 0, "median `time` until the first byte (default 0s)")
	f.Float64Var(&c.Pace.Spread, "latency-spread", 0, "log-normal spread of --latency: the standard `deviation` of its logarithm (default 0)")
	f.DurationVar(&c.Pace.Token, "token-latency", 0, "`time` per token of four bytes (default 0s)")
	f.IntVar(&c.Pace.Knee, "knee", 0, "`requests` in flight above which --latency and --token-latency grow in proportion; 0: never (default 0)")
	f.Float64Var(&c.Pace.Clock, "speedup", 1, "`factor` by which latency, rates and windows run faster than real time; Retry-After stays in real seconds")
	f.IntVar(&c.Limits.Slots, "slots", 0, "`requests` that are answered at the same time; others wait in a queue (default: no limit)")
	f.BoolVar(&c.Limits.Metrics, "metrics", false, "the length of the queue at /metrics, as vLLM does, and not --slots at /props (default: off)")
	f.IntVar(&c.Limits.Queue, "queue", 0, "`requests` that may wait for a slot; others get status 503 (default: no limit)")
	f.StringVar(&k.rate, "rate", "", "rate limit of a token `bucket`, such as 5/s or 300/m; further requests get status 429 (default: none)")
	f.IntVar(&c.Limits.Burst, "burst", 1, "size of the bucket of --rate, in `requests`")
	f.DurationVar(&c.Limits.Window, "window", 0, "length of fixed windows of `time` (default: none)")
	f.IntVar(&c.Limits.Requests, "window-requests", 0, "`requests` accepted per window; others get status 429 (default: no limit)")
	f.DurationVar(&c.Batch.Time, "batch-time", 0, "`time` that a batch takes (default 0s)")
	f.Float64Var(&c.Batch.Failed, "batch-failed", 0, "`share` of a batch's requests that end in an error, 0 to 1 (default 0)")
	f.Float64Var(&c.Batch.Expired, "batch-expired", 0, "`share` of a batch's requests that expire without an answer, 0 to 1 (default 0)")
	f.Float64Var(&c.Batch.Lost, "batch-lost", 0, "`share` of created batches and files whose creation is not confirmed, 0 to 1 (default 0)")
	f.Float64Var(&c.Batch.Busy, "batch-busy", 0, "`share` of batch API calls that get status 503, 0 to 1 (default 0)")
	cmd.RegisterFlagCompletionFunc("model", completeModels)
	completeFlag(cmd, "disobey", contractWords)
	cmd.RegisterFlagCompletionFunc("fault", completeFaults)
}

// contractWords lists the contracts with their descriptions, for completion.
func contractWords() (words []string) {
	for _, c := range fake.Contracts() {
		words = append(words, c.Name+"\t"+c.Doc)
	}
	return words
}

// completeFaults completes --fault with the kinds of faults, which more may follow.
func completeFaults(*cobra.Command, []string, string) (words []string, directive cobra.ShellCompDirective) {
	for _, k := range fake.FaultKinds() {
		words = append(words, k.Name+"\t"+k.Doc)
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// configure reads the flags into the server's configuration. The function close closes the model
// that answers, after an error too; it is never nil.
func (k *fakeFlags) configure(ctx context.Context, env *Env) (close func() error, err error) {
	close = func() error { return nil }
	for _, text := range k.faults {
		if path, ok := strings.CutPrefix(text, "@"); ok {
			data, err := input.ReadFile(path, input.MaxText)
			if err != nil {
				return close, errkind.Usagef("--fault takes a fault, or @FILE", "--fault: %w", err)
			}
			text = string(data)
		}
		faults, err := fake.ParseFaults(text)
		if err != nil {
			return close, err
		}
		k.config.Faults = append(k.config.Faults, faults...)
	}
	for _, text := range k.upstream {
		u, err := parseUpstream(text)
		if err != nil {
			return close, err
		}
		k.config.Upstreams = append(k.config.Upstreams, u)
	}
	if k.config.Disobeys, err = fake.ParseContracts(k.disobey); err != nil {
		return close, errkind.Usagef("'verbatim fake --help' lists them", "--disobey: %w", err)
	}
	if k.rate != "" {
		if k.config.Limits.Rate, err = parseRate(k.rate); err != nil {
			return close, err
		}
	}
	if k.model != "" {
		opened, err := model.Open(ctx, k.model, model.Options{Stream: true, Getenv: env.Getenv, PassEnv: k.passEnv, Log: env.Err})
		if err != nil {
			return close, err
		}
		k.config.Model, close = opened.Model, opened.Close
		k.config.Any = !opened.Simulated // a simulated model needs the right answer of each prompt
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

// index draws the items of the selection. It finds them by their prompts.
func (k *fakeFlags) index() (*fake.Index, error) {
	plan, err := k.sel.Plan()
	if err != nil {
		return nil, err
	}
	deck, err := plan.Deck()
	if err != nil {
		return nil, err
	}
	index := &fake.Index{}
	for it, err := range deck.Items() {
		if err != nil {
			return nil, err
		}
		for _, p := range deck.Forms(it) { // the client chooses one of them
			index.Add(p, it)
		}
	}
	return index, nil
}

// parseUpstream reads NAME[,short][,stray][,fails].
func parseUpstream(text string) (fake.Upstream, error) {
	const form = "write it as NAME, NAME,short, NAME,stray or NAME,fails"
	words := strings.Split(text, ",")
	u := fake.Upstream{Name: words[0]}
	for _, w := range words[1:] {
		switch w {
		case "short":
			u.Short = true
		case "stray":
			u.Stray = true
		case "fails":
			u.Fails = true
		default:
			return u, errkind.Usagef(form, "--upstream %s: %q is unknown", text, w)
		}
	}
	if u.Name == "" {
		return u, errkind.Usagef(form, "--upstream %s has no name", text)
	}
	return u, nil
}

// parseRate reads a number of requests in a time, "5/s", "300/m" or "1000/h", and returns it per
// second.
func parseRate(text string) (float64, error) {
	n, unit, _ := strings.Cut(text, "/")
	rate, err := strconv.ParseFloat(n, 64)
	seconds, known := map[string]float64{"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}[unit]
	if err != nil || !known || !(rate > 0) {
		return 0, errkind.Usagef("write it as 5/s, 300/m or 1000/h", "--rate %s is no rate", text)
	}
	return rate / seconds, nil
}
