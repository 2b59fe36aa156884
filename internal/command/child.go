package command

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

	"verbatim/internal/wire/clean"
)

const (
	longestLine = 64 << 20        // of a child's output
	stopWait    = 2 * time.Second // for a child to end once its input is closed
)

var (
	errExtraLine  = errors.New("it wrote more than one line for a request")
	errNoLine     = errors.New("it ended without an answer")
	errNotReading = errors.New("it does not read its input")
	errLongLine   = fmt.Errorf("a line of its output is longer than %d MiB", longestLine>>20)
)

// A child is one running copy of a command. It serves one request at a time.
type child struct {
	launcher *launcher
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      io.ReadCloser
	stderr   tail
	lines    chan []byte   // its output, a line at a time
	quit     chan struct{} // closed when the lines are not read any more
	ended    chan struct{} // closed when it has ended and was collected
	err      error         // why it ended; set when gone is closed
	answers  int           // lines that were taken as answers

	releaseOnce sync.Once // closes quit
	mu          sync.Mutex
	collected   bool // its process id may belong to another process
}

// startChild has a launcher start a child in an environment.
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
	// Processes that it started may keep its error output open after its end.
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

// read passes the lines on until there are no more, and collects the child.
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
	// What it started and left behind ends with it. After this the group gets no
	// signal any more, because its number may be given to others.
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

// readLine returns the next line. A last one without its line feed counts if it
// is whole as JSON.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > longestLine {
			return nil, errLongLine
		}
		switch {
		case err == nil && len(bytes.TrimSpace(line)) == 0:
			line = line[:0] // blank lines are nothing
		case err == nil, err == io.EOF && json.Valid(line):
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// exchange writes a line and returns the one that comes back.
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
	var deaf <-chan time.Time
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
				// It has ended, as gone will say in a moment, or only closed its input.
				deaf = time.After(stopWait)
			}
		case <-deaf:
			return nil, errNotReading
		}
	}
}

// release closes the child's input and forgets its output.
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

// stop lets the child end by itself, kills it when it does not, and returns when
// it is gone.
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

// A tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	end []byte
}

// longestTail bounds what is kept of a child's error output.
const longestTail = 400

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p[max(0, len(p)-longestTail):]...)
	t.end = bytes.Clone(t.end[max(0, len(t.end)-longestTail):])
	return len(p), nil
}

// String returns it in one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return clean.Line(string(t.end), longestTail)
}
