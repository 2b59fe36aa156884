package cli

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/errkind"
	"verbatim/internal/fake"
	"verbatim/internal/table"
)

// A Host serves a handler. After Listen, either Wait or Run waits for the end.
type fakeHost struct {
	For     time.Duration    // how long it serves at most; 0: no limit
	Signals <-chan os.Signal // the signals by which a person ends it

	server  *http.Server
	address string
	over    chan error // the error of the server
}

// Listen begins to serve on 127.0.0.1; port 0 is any free port.
func (h *fakeHost) Listen(handler http.Handler, port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return errkind.Runtimef("name another with --port, or 0 for any that is free", "cannot listen on port %d: %w", port, err)
	}
	h.server = &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	h.address, h.over = l.Addr().String(), make(chan error, 1)
	go func() { h.over <- h.server.Serve(l) }()
	return nil
}

// Base returns the base URL, without a path.
func (h *fakeHost) Base() string { return "http://" + h.address }

// Close ends the server.
func (h *fakeHost) Close() error { return h.server.Close() }

// A Command is a program that runs while the server serves. {url} in its words becomes the base
// URL.
type hostedCommand struct {
	Words    []string
	In       io.Reader
	Out, Err io.Writer // unfiltered: the program is the user's own
}

// An hostedExitCode is the error of a command that ended with that exit code. It has no text, because the
// command itself has printed what is wrong.
type hostedExitCode int

func (hostedExitCode) Error() string { return "" }

// Run runs the command until it ends, and kills it when the time For is over. The error is an
// hostedExitCode if the command ended with a code other than 0.
func (h *fakeHost) Run(ctx context.Context, c hostedCommand) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- h.run(ctx, c) }()
	return h.waitFor(ended, cancel)
}

// timeUp returns a channel that receives when the time For is over; nil: there is no limit.
func (h *fakeHost) timeUp() <-chan time.Time {
	if h.For <= 0 {
		return nil
	}
	return time.After(h.For)
}

// Wait waits for a signal, the end of ctx or of the time For, or an error of the server.
func (h *fakeHost) Wait(ctx context.Context) error {
	select {
	case <-h.Signals:
	case <-h.timeUp():
	case <-ctx.Done():
	case err := <-h.over:
		return errkind.Runtimef("", "the server ended: %w", err)
	}
	return nil
}

// waitFor waits until the command ends. A terminal sends its interrupt to the command too, which
// handles it. Any other signal and the end of the time kill the command.
func (h *fakeHost) waitFor(command <-chan error, cancel func()) error {
	up := h.timeUp()
	for {
		select {
		case s := <-h.Signals:
			if s != os.Interrupt {
				cancel()
			}
		case <-up:
			cancel()
			<-command
			return errkind.Runtimef("allow more with --for, or leave it out", "the command did not end within %v", h.For)
		case err := <-command:
			return err
		}
	}
}

// run runs the command. If the command is this program, its search for servers finds only this one.
func (h *fakeHost) run(ctx context.Context, c hostedCommand) error {
	words := make([]string, len(c.Words))
	for i, w := range c.Words {
		words[i] = strings.ReplaceAll(w, "{url}", h.Base())
	}
	run := exec.CommandContext(ctx, words[0], words[1:]...)
	run.Stdin, run.Stdout, run.Stderr = c.In, c.Out, c.Err
	run.Env = append(os.Environ(), "VERBATIM_FAKE="+h.Base(), "VERBATIM_DISCOVER="+h.address)
	err := run.Run()
	exit, hasRun := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return nil
	case hasRun && exit.ExitCode() > 0:
		return hostedExitCode(exit.ExitCode())
	case hasRun: // a signal ended it
		return errkind.Runtimef("", "%s: %w", words[0], err)
	}
	return errkind.Runtimef("the command is run without a shell; name a program that exists", "%s: %w", words[0], err)
}

// WriteReady writes the base URL to a file, which appears when it is complete: a program that waits
// for it never reads a part.
func (h *fakeHost) writeReady(path string) error {
	temp := path + ".part"
	err := os.WriteFile(temp, []byte(h.Base()+"\n"), 0o644)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return errkind.Runtimef("", "cannot write %s: %w", path, err)
	}
	return nil
}

// countsTable returns a table of the counts of a server.
func countsTable(c fake.Counts) *table.Table {
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
	for _, kind := range slices.Sorted(maps.Keys(c.Faults)) {
		row("fault "+kind, c.Faults[kind])
	}
	return t
}
