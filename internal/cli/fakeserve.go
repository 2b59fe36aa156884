package cli

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/cli/flags"
	"verbatim/internal/errkind"
	"verbatim/internal/fake"
	"verbatim/internal/fake/count"
	"verbatim/internal/fake/host"
	"verbatim/internal/output"
	"verbatim/internal/shell"
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
	signals, unsubscribe := env.interrupts.Handle()
	defer unsubscribe()
	h := host.Host{For: k.duration, Signals: signals}
	if err := h.Listen(s, k.port); err != nil {
		return err
	}
	started := time.Now()
	defer h.Close()
	if k.ready != "" {
		if err := h.WriteReady(k.ready); err != nil {
			return err
		}
	}
	out := env.Out
	if len(args) > 0 {
		out = env.Err // the standard output is the command's
		err = h.Run(cmd.Context(), host.Command{Words: args, In: env.In, Out: env.rawOut, Err: env.rawErr})
		var ended host.ExitCode
		if errors.As(err, &ended) {
			err = exitStatus(ended)
		}
	} else {
		k.welcome(cmd, env, h.Base())
		err = h.Wait(cmd.Context())
	}
	h.Close()
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
	if at < 1 || flags.SelectionWords(cmd) != "" {
		return
	}
	var wrapped flags.Selection
	other := &cobra.Command{FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
	wrapped.Register(other)
	if other.ParseFlags(args[at+1:]) == nil { // the command itself says what is wrong with its flags
		k.sel = wrapped
	}
}

// welcome says where the server listens and how to ask it.
func (k *fakeFlags) welcome(cmd *cobra.Command, env *Env, base string) {
	name := "fake-1"
	if len(k.config.Models) > 0 {
		name = k.config.Models[0]
	}
	writeNote(env, "Listening on %s", base)
	for _, w := range wire.Protocols() {
		writeNote(env, "  %-17s %s", w.Name, base+w.ClientPath)
	}
	writeNote(env, "  %-17s %s", "chat, as at Azure", base+"/openai/deployments/"+name)
	writeNote(env, "Ask it with")
	for _, w := range wire.Protocols() {
		address := w.Prefix() + base + w.BasePath() + "#" + name
		writeNote(env, "  verbatim run --model=%s%s", shell.Word(address), flags.SelectionWords(cmd))
	}
	if k.duration > 0 {
		writeNote(env, "It ends after %v, or with Ctrl-C.", k.duration)
	} else {
		writeNote(env, "Ctrl-C ends it.")
	}
}

// report prints what the server did: to w, or as JSON to the standard output.
func (k *fakeFlags) report(env *Env, w io.Writer, c count.Counts, took time.Duration) error {
	if k.asJSON {
		return output.Document(env.Out, "fake", struct {
			Seconds float64 `json:"seconds"`
			count.Counts
		}{took.Seconds(), c})
	}
	return env.writeTable(w, host.CountsTable(c))
}
