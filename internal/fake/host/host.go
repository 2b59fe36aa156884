// Package host serves the test server on this machine: until it is interrupted, for a time, or
// as long as a command runs.
package host

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/errkind"
)

// A Host serves a handler.
type Host struct {
	For     time.Duration // ends it, or 0
	Signals <-chan os.Signal

	server  *http.Server
	address string
	over    chan error
}

// Listen begins to serve on 127.0.0.1; port 0 is any that is free.
func (h *Host) Listen(handler http.Handler, port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return errkind.Runtimef("name another with --port, or 0 for any that is free", "cannot listen on port %d: %w", port, err)
	}
	h.server = &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	h.address, h.over = l.Addr().String(), make(chan error, 1)
	go func() { h.over <- h.server.Serve(l) }()
	return nil
}

// Base returns the base URL.
func (h *Host) Base() string { return "http://" + h.address }

// Close ends the server.
func (h *Host) Close() error { return h.server.Close() }

// A Command is a program that the server runs for. {url} in its words is the base URL.
type Command struct {
	Words    []string
	In       io.Reader
	Out, Err io.Writer // as they are: a program of the user may draw what it likes
}

// An ExitCode is the error of a command that ended with that code.
type ExitCode int

func (ExitCode) Error() string { return "" }

// Run runs the command, and ends it when the time is up.
func (h *Host) Run(ctx context.Context, c Command) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- h.run(ctx, c) }()
	return h.waitFor(ended, cancel)
}

// timeUp returns a channel that says when the time of --for is up.
func (h *Host) timeUp() <-chan time.Time {
	if h.For <= 0 {
		return nil
	}
	return time.After(h.For)
}

// Wait waits until a person, the time or the server itself ends it.
func (h *Host) Wait(ctx context.Context) error {
	select {
	case <-h.Signals:
	case <-h.timeUp():
	case <-ctx.Done():
	case err := <-h.over:
		return errkind.Runtimef("", "the server ended: %w", err)
	}
	return nil
}

// waitFor waits until the command ends. A terminal sends its interrupt to the
// command as well, which knows best what to do about it; any other signal, and
// the end of the time, end the command.
func (h *Host) waitFor(command <-chan error, cancel func()) error {
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

// run runs the command. Its search for servers finds this one only.
func (h *Host) run(ctx context.Context, c Command) error {
	words := make([]string, len(c.Words))
	for i, w := range c.Words {
		words[i] = strings.ReplaceAll(w, "{url}", h.Base())
	}
	run := exec.CommandContext(ctx, words[0], words[1:]...)
	run.Stdin, run.Stdout, run.Stderr = c.In, c.Out, c.Err
	run.Env = append(os.Environ(), "VERBATIM_FAKE="+h.Base(), "VERBATIM_DISCOVER="+h.address)
	err := run.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return ExitCode(exit.ExitCode())
	}
	if err != nil {
		return errkind.Runtimef("it is run without a shell; name a program that is there", "%s: %w", words[0], err)
	}
	return nil
}

// WriteReady writes the base URL at once, so that a program that waits for the file never
// reads a part.
func (h *Host) WriteReady(path string) error {
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
