package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A pty is a terminal whose other end the test reads.
type pty struct {
	master, slave *os.File
	mu            sync.Mutex
	text          []byte
	done          chan struct{}
}

func openPTY(t *testing.T) *pty {
	t.Helper()
	control := func(f *os.File, request uintptr, arg unsafe.Pointer) {
		t.Helper()
		if _, _, err := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(arg)); err != 0 {
			t.Skipf("no terminal can be made here: %v", err)
		}
	}
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal can be made here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	var unlocked, number int32
	control(master, syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked))
	control(master, syscall.TIOCGPTN, unsafe.Pointer(&number))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal can be made here: %v", err)
	}
	size := [4]uint16{40, 100, 0, 0}
	control(slave, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	p := &pty{master: master, slave: slave, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		b := make([]byte, 1<<12)
		for {
			n, err := master.Read(b)
			p.mu.Lock()
			p.text = append(p.text, b[:n]...)
			p.mu.Unlock()
			if err != nil { // the other end is closed
				return
			}
		}
	}()
	return p
}

// close ends the terminal and returns what was written to it, with the line ends of
// the program.
func (p *pty) close(t *testing.T) string {
	t.Helper()
	p.slave.Close()
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		t.Fatal("the terminal does not end")
	}
	return strings.ReplaceAll(string(p.text), "\r\n", "\n")
}

// TestHostileTextOnATerminal runs commands on a terminal of the system, with colours and
// the line of progress.
func TestHostileTextOnATerminal(t *testing.T) {
	db := hostileDatabase(t, hostile)
	for _, c := range []struct{ args, own string }{
		{"show 1", "\x1b[1m"}, {"show 1 first", "\x1b[2m"}, {"report 1", "\x1b[36m"}, {"report 1 2 4", ""}, {"compare 1 2", "\x1b[1m"}, {"runs", ""},
		{"report 1 --format md", ""}, {"export 1", ""}, {"export 1 --format csv", ""}, {"show 1 --all --json", ""}, {"show nobody", ""},
		{"run --model sim:sloppy --task reverse --length 8 --items 4", "\r\x1b[K"},
	} {
		p := openPTY(t)
		env := Env{
			In: strings.NewReader(""), Out: p.slave, Err: p.slave, OutWidth: terminalWidth(p.slave), ErrWidth: terminalWidth(p.slave),
			Getenv: func(name string) string {
				return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db, "TERM": "xterm"}[name]
			},
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
		}
		if env.OutWidth != 100 {
			t.Fatalf("the terminal is %d columns wide", env.OutWidth)
		}
		args := strings.Fields(c.args)
		Main(args, env)
		text := p.close(t)
		harmlessResult(t, ran{out: text}, env.OutWidth, args[0] == "export", args)
		if text == "" || !strings.Contains(text, c.own) {
			t.Errorf("%q: %q is not in %q", args, c.own, text)
		}
	}
}
