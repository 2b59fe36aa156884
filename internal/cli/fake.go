package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/fake"

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
