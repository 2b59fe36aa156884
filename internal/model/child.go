package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"verbatim/internal/wire"
)

const (
	maxLine  = 64 << 20        // bytes of a line of a child's output
	stopWait = 2 * time.Second // how long a child may run after its input was closed
)

var (
	errExtraLine  = errors.New("it wrote more than one line for a request")
	errNoLine     = errors.New("it ended without an answer")
	errNotReading = errors.New("it does not read its input")
	errLongLine   = fmt.Errorf("a line of its output is longer than %d MiB", maxLine>>20)
)

// A child is one running copy of a command. It serves one request at a time.
type child struct {
	launcher *launcher
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      io.ReadCloser
	stderr   tail
	lines    chan []byte   // its output, a line at a time
	quit     chan struct{} // closed when no caller reads lines any more
	ended    chan struct{} // closed when it has ended and was waited for
	err      error         // why it ended; set before ended is closed
	answers  int           // the number of lines that were read as answers

	releaseOnce sync.Once // closes quit
	mu          sync.Mutex
	collected   bool // its process id may be that of another process
}

// startChild starts a child by a launcher, with the environment env.
func startChild(by *launcher, args, env []string) (*child, error) {
	k := &child{
		launcher: by,
		cmd:      exec.Command(args[0], args[1:]...),
		lines:    make(chan []byte),
		quit:     make(chan struct{}),
		ended:    make(chan struct{}),
	}
	k.cmd.Env = env
	k.cmd.Stderr = &k.stderr
	// Processes that the child started may keep its error output open after its end.
	k.cmd.WaitDelay = time.Second
	setProcessGroup(k.cmd)
	var err error
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if k.out, err = k.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := by.start(k.cmd); err != nil {
		return nil, err
	}
	go k.read()
	return k, nil
}

// read passes the lines of output to lines until the output ends, and waits for the child.
func (k *child) read() {
	in := bufio.NewReaderSize(k.out, 64<<10)
	err := errNoLine
	for {
		line, readErr := readLine(in)
		if readErr == errLongLine {
			err = errLongLine
		}
		if readErr != nil {
			break
		}
		select {
		case k.lines <- line:
		case <-k.quit:
		}
	}
	k.mu.Lock()
	// Processes that the child started end with it. After this the group gets no signal any
	// more, because its number may become that of another one.
	killGroup(k.cmd)
	k.launcher.guard.forget(k.cmd)
	k.collected = true
	k.mu.Unlock()
	if waitErr := k.cmd.Wait(); waitErr != nil && err == errNoLine {
		err = fmt.Errorf("%w (%v)", errNoLine, waitErr)
	}
	k.err = err
	k.launcher.childEnded()
	close(k.ended)
}

// readLine returns the next line that is not blank. A last line without line feed counts if it is JSON.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, errLongLine
		case err == nil && len(bytes.TrimSpace(line)) == 0:
			line = line[:0]
		case err == nil, err == io.EOF && json.Valid(line):
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// exchange writes a line and returns the line of the answer.
func (k *child) exchange(ctx context.Context, line []byte) ([]byte, error) {
	select {
	case <-k.lines:
		return nil, errExtraLine
	default:
	}
	wrote := make(chan error, 1)
	go func() {
		_, err := k.in.Write(line)
		wrote <- err
	}()
	var notReading <-chan time.Time
	for {
		select {
		case out := <-k.lines:
			k.answers++
			return out, nil
		case <-k.ended:
			return nil, k.err
		case <-ctx.Done():
			return nil, ctx.Err()
		case err := <-wrote:
			if err != nil {
				// It has ended, and ended will be closed in a moment; or it has only closed
				// its input.
				notReading = time.After(stopWait)
			}
		case <-notReading:
			return nil, errNotReading
		}
	}
}

// release closes the child's input, and its output is ignored from now on.
func (k *child) release() {
	k.releaseOnce.Do(func() {
		close(k.quit)
		k.in.Close()
	})
}

// kill ends the child at once.
func (k *child) kill() {
	k.release()
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.collected {
		killGroup(k.cmd)
		k.out.Close()
	}
}

// stop closes the child's input, kills the child if it does not end, and returns when it has ended.
func (k *child) stop() {
	k.release()
	select {
	case <-k.ended:
	case <-time.After(stopWait):
		k.kill()
		<-k.ended
	}
}

// withStderr adds the end of the child's error output to the reason of its end.
func (k *child) withStderr(err error) error {
	if text := k.stderr.String(); text != "" {
		return fmt.Errorf("%w; its error output ends: %s", err, text)
	}
	return err
}

// A tail is an io.Writer that keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	end []byte
}

// maxTail is how many bytes a tail keeps.
const maxTail = 400

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p[max(0, len(p)-maxTail):]...)
	t.end = bytes.Clone(t.end[max(0, len(t.end)-maxTail):])
	return len(p), nil
}

// String returns the end as one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return wire.CleanLine(string(t.end), maxTail)
}
