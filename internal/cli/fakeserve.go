package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/errkind"
	"verbatim/internal/fake"
	"verbatim/internal/output"
	"verbatim/internal/shell"
	"verbatim/internal/table"
	"verbatim/internal/wire"
)

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
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(k.port)))
	if err != nil {
		return errkind.Runtimef("name another with --port, or 0 for any that is free", "cannot listen on port %d: %w", k.port, err)
	}
	signals, unsubscribe := env.handleInterrupts()
	defer unsubscribe()
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	started := time.Now()
	over := make(chan error, 1)
	go func() { over <- server.Serve(l) }()
	defer server.Close()
	base := "http://" + l.Addr().String()
	if k.ready != "" {
		if err := writeReady(k.ready, base); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	out := env.Out
	if len(args) > 0 {
		out = env.Err // the standard output is the command's
		command := make(chan error, 1)
		go func() { command <- runCommandNextTo(ctx, env, base, args) }()
		err = k.waitFor(signals, command, cancel)
	} else {
		k.welcome(cmd, env, base)
		err = k.alone(ctx, signals, over)
	}
	server.Close()
	counts := s.Counts()
	if e := k.report(env, out, counts, time.Since(started)); err == nil {
		err = e
	}
	if err == nil && counts.Unknown > 0 && counts.Unknown >= counts.Answered+counts.Broken {
		err = errkind.Runtimef("give fake the flags that select the items of the client, such as --suite and --task, or --echo", "no request was of an item that this server knows")
	}
	return err
}

// adoptSelection takes over the flags that select items from the command that the server
// wraps, if that is one of this program's and fake was given none of its own.
func (k *fakeFlags) adoptSelection(cmd *cobra.Command, args []string) {
	at := slices.IndexFunc(args, func(w string) bool { return w == "run" || w == "check" || w == "horizon" })
	if at < 1 || selectionFlags(cmd) != "" {
		return
	}
	var wrapped selection
	other := &cobra.Command{FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
	wrapped.register(other)
	if other.ParseFlags(args[at+1:]) == nil { // the command itself says what is wrong with its flags
		k.sel = wrapped
	}
}

// timeUp returns a channel that says when the time of --for is up.
func (k *fakeFlags) timeUp() <-chan time.Time {
	if k.duration <= 0 {
		return nil
	}
	return time.After(k.duration)
}

// alone waits until a person, the time or the server itself ends it.
func (k *fakeFlags) alone(ctx context.Context, signals <-chan os.Signal, over <-chan error) error {
	select {
	case <-signals:
	case <-k.timeUp():
	case <-ctx.Done():
	case err := <-over:
		return errkind.Runtimef("", "the server ended: %w", err)
	}
	return nil
}

// waitFor waits until the command ends. A terminal sends its interrupt to the
// command as well, which knows best what to do about it; any other signal, and
// the end of the time, end the command.
func (k *fakeFlags) waitFor(signals <-chan os.Signal, command <-chan error, cancel func()) error {
	up := k.timeUp()
	for {
		select {
		case s := <-signals:
			if s != os.Interrupt {
				cancel()
			}
		case <-up:
			cancel()
			<-command
			return errkind.Runtimef("allow more with --for, or leave it out", "the command did not end within %v", k.duration)
		case err := <-command:
			return err
		}
	}
}

// runCommandNextTo runs a command that asks the server at base, and returns its exit
// code as an error without words. The search for servers of this program finds that one.
func runCommandNextTo(ctx context.Context, env *Env, base string, args []string) error {
	words := make([]string, len(args))
	for i, w := range args {
		words[i] = strings.ReplaceAll(w, "{url}", base)
	}
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Stdin, c.Stdout, c.Stderr = env.In, env.rawOut, env.rawErr // a program of the user's may draw what it likes
	c.Env = append(os.Environ(), "VERBATIM_FAKE="+base, "VERBATIM_DISCOVER="+strings.TrimPrefix(base, "http://"))
	err := c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return exitStatus(exit.ExitCode())
	}
	if err != nil {
		return errkind.Runtimef("it is run without a shell; name a program that is there", "%s: %w", words[0], err)
	}
	return nil
}

// writeReady writes the base URL at once, so that a program that waits for the file never
// reads a part.
func writeReady(path, base string) error {
	temp := path + ".part"
	err := os.WriteFile(temp, []byte(base+"\n"), 0o644)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return errkind.Runtimef("", "cannot write %s: %w", path, err)
	}
	return nil
}

// selectionFlags returns the flags of cmd that select items, as they were given:
// with them, `run` asks what is served.
func selectionFlags(cmd *cobra.Command) string {
	selects := &cobra.Command{}
	new(selection).register(selects)
	var b strings.Builder
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if selects.Flags().Lookup(f.Name) == nil {
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		fmt.Fprintf(&b, " --%s=%s", f.Name, shell.Word(value))
	})
	return b.String()
}

// welcome says where the server listens and how to ask it.
func (k *fakeFlags) welcome(cmd *cobra.Command, env *Env, base string) {
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
		{"Gemini", base},
		{"Ollama", base},
	} {
		writeNote(env, "  %-17s %s", line[0], line[1])
	}
	writeNote(env, "Ask it with")
	for _, w := range wire.Protocols() {
		example, err := url.Parse(w.Example)
		if err != nil {
			continue
		}
		address := w.Prefix() + base + example.Path + "#" + name
		writeNote(env, "  verbatim run --model=%s%s", shell.Word(address), selectionFlags(cmd))
	}
	if k.duration > 0 {
		writeNote(env, "It ends after %v, or with Ctrl-C.", k.duration)
	} else {
		writeNote(env, "Ctrl-C ends it.")
	}
}

// report prints what the server did: to w, or as JSON to the standard output.
func (k *fakeFlags) report(env *Env, w io.Writer, c fake.Counts, took time.Duration) error {
	if k.asJSON {
		return output.Document(env.Out, "fake", struct {
			Seconds float64 `json:"seconds"`
			fake.Counts
		}{took.Seconds(), c})
	}
	t := &table.Table{Columns: []table.Column{{}, {Head: "number", Right: true}}}
	row := func(name string, n int64) { t.Add(name, strconv.FormatInt(n, 10)) }
	row("requests", c.Requests)
	row("answered whole", c.Answered)
	row("refused", c.Refused)
	row("broken off", c.Broken)
	row("left in the queue", c.Left)
	row("most at once", c.Peak)
	row("different prompts", c.Prompts)
	row("requests of no known item", c.Unknown)
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
	return env.writeTable(w, t)
}
