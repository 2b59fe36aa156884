package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"verbatim/internal/errkind"
	"verbatim/internal/page"
	"verbatim/internal/recordview"
)

// opener is the program that opens a file as the desktop would. It is the same one whatever
// the record holds.
const opener = "xdg-open"

// openRecord writes the record as a page in a folder of its own, and opens it. The page stays:
// the browser may read it after the program has ended.
func openRecord(env *Env, record *recordview.View) error {
	dir, err := os.MkdirTemp("", "verbatim-show-")
	if err != nil {
		return errkind.Runtimef("set TMPDIR to a folder that can be written", "cannot write the page: %w", err)
	}
	path := filepath.Join(dir, "record.html")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errkind.Runtimef("", "cannot write the page: %w", err)
	}
	err = page.Record(file, record, env.program().Database)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return errkind.Runtimef("", "cannot write %s: %w", path, err)
	}
	if err := open(path); err != nil {
		writeNote(env, "%s did not open the page (%v): open it yourself", opener, err)
	}
	_, err = env.Out.Write([]byte(path + "\n"))
	return err
}

// open starts the opener. It may be the browser itself, which stays: an error is waited for,
// its end is not.
func open(path string) error {
	c := exec.Command(opener, path)
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(3 * time.Second):
		return nil
	}
}
