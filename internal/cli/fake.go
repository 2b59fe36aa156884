package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/model"
)

// A faker holds the flags of `fake`.
type faker struct {
	sel      selection
	config   fake.Config
	model    string
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
		Use:   "fake",
		Short: "Serve a model that misbehaves on purpose, on this machine",
		Long: `Serve a model on 127.0.0.1 that speaks the protocols of OpenAI (chat completions
and responses), Anthropic, Gemini and Ollama, gives the right answers to the items
that the flags select, and misbehaves in the ways that --fault names.

What happens to a request is drawn from --seed-of-faults, its prompt and how often
that prompt was asked before: the same client meets the same faults again.

` + faultHelp() + `
Ctrl-C ends it and prints what it did. docs/fake.md has more.`,
		Example: `  verbatim fake
  verbatim fake --suite simpe --wrong 0.1 --port 8089
  verbatim fake --fault 429:0.05,after=2 --fault cut:0.01 --fault 500:0.3,tries=1
  verbatim fake --latency 300ms --spread 0.5 --token 10ms --slots 8
  verbatim fake --rate 5/s --burst 5 --clock 20
  verbatim fake --model 'sim:sloppy?half=32'
  verbatim fake --echo --for 10s`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return k.run(cmd, env) },
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
	f.StringVarP(&k.model, "model", "m", "", "a `model` that answers instead, such as sim:sloppy")
	f.BoolVar(&c.Echo, "echo", false, "say the last message back instead")
	f.StringSliceVar(&c.Models, "serves", nil, "the `names` in the list of models (default fake-1); any name is answered")
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

func (k *faker) run(cmd *cobra.Command, env *Env) error {
	close, err := k.configure(cmd.Context(), env)
	if err != nil {
		return err
	}
	defer close()
	s, err := fake.New(k.config)
	if err != nil {
		return misused("'verbatim fake --help' describes the flags", "%w", err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(k.port)))
	if err != nil {
		return failed("name another with --port, or 0 for any that is free", "cannot listen on port %d: %w", k.port, err)
	}
	signals, unsubscribe := env.Interrupts()
	defer unsubscribe()
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	started := time.Now()
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	base := "http://" + l.Addr().String()
	k.welcome(env, base)
	if k.ready != "" {
		if err := writeReady(k.ready, base); err != nil {
			return err
		}
	}
	var over <-chan time.Time
	if k.duration > 0 {
		over = time.After(k.duration)
	}
	select {
	case <-signals:
	case <-over:
	case <-cmd.Context().Done():
	case err = <-served:
	}
	server.Close()
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return failed("", "the server ended: %w", err)
	}
	return k.report(env, s.Counts(), time.Since(started))
}

// configure reads the flags into the server's configuration.
func (k *faker) configure(ctx context.Context, env *Env) (close func() error, err error) {
	close = func() error { return nil }
	if k.duration < 0 {
		return close, misused("leave it out to serve until Ctrl-C", "--for cannot be negative")
	}
	for _, text := range k.faults {
		if path, ok := strings.CutPrefix(text, "@"); ok {
			data, err := os.ReadFile(path)
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
		opened, err := model.Open(ctx, k.model, model.Options{Stream: true, Getenv: env.Getenv, Talk: env.Err})
		if err != nil {
			return close, err
		}
		k.config.Model, close = opened.Model, opened.Close
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
		index.Add(it.Prompt, it)
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

// writeReady writes the base URL in one go, so that who waits for the file never
// reads a part.
func writeReady(path, base string) error {
	temp := path + ".part"
	err := os.WriteFile(temp, []byte(base+"\n"), 0o644)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return failed("", "cannot write %s: %w", path, err)
	}
	return nil
}

// selectionFlags returns the flags of `run` that ask what is served.
func (k *faker) selectionFlags() string {
	var b strings.Builder
	add := func(flag, value string) {
		if value != "" {
			fmt.Fprintf(&b, " --%s %s", flag, shellWord(value))
		}
	}
	add("suite", k.sel.suite)
	add("task", strings.Join(k.sel.tasks, ","))
	add("length", k.sel.length)
	add("items", k.sel.items)
	add("lists", k.sel.lists)
	if k.sel.edition != string(verbatim.Standard) {
		add("edition", k.sel.edition)
	}
	if k.sel.seed != 1 {
		add("seed", strconv.FormatUint(k.sel.seed, 10))
	}
	return b.String()
}

// welcome says where the server listens and how to ask it.
func (k *faker) welcome(env *Env, base string) {
	name := "fake-1"
	if len(k.config.Models) > 0 {
		name = k.config.Models[0]
	}
	writeNote(env, "Listening on %s", base)
	for _, line := range [][2]string{
		{"chat completions", base + "/v1"},
		{"responses", base + "/v1"},
		{"Azure", base + "/openai/deployments/" + name},
		{"Anthropic", base},
		{"Gemini", base + "/v1beta"},
		{"Ollama", base},
	} {
		writeNote(env, "  %-17s %s", line[0], line[1])
	}
	writeNote(env, "Ask it with")
	writeNote(env, "  verbatim run --model %s%s", shellWord(base+"/v1#"+name), k.selectionFlags())
	if k.duration > 0 {
		writeNote(env, "It ends after %v, or with Ctrl-C.", k.duration)
	} else {
		writeNote(env, "Ctrl-C ends it.")
	}
}

// report prints what the server did.
func (k *faker) report(env *Env, c fake.Counts, took time.Duration) error {
	if k.asJSON {
		return writeJSON(env.Out, "fake", struct {
			Seconds float64 `json:"seconds"`
			fake.Counts
		}{took.Seconds(), c})
	}
	rows := [][]string{{"", "number"}}
	row := func(name string, n int64) { rows = append(rows, []string{name, strconv.FormatInt(n, 10)}) }
	row("requests", c.Requests)
	row("answered whole", c.Answered)
	row("refused", c.Refused)
	row("broken off", c.Broken)
	row("left in the queue", c.Left)
	row("most at once", c.Peak)
	row("different prompts", c.Prompts)
	row("prompts answered more than once", c.Twice)
	row("images", c.Images)
	row("prompt tokens billed", c.PromptTokens)
	row("completion tokens billed", c.CompletionTokens)
	var kinds []string
	for kind := range c.Faults {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		row("fault "+kind, c.Faults[kind])
	}
	return writeTable(env.Out, rows)
}
