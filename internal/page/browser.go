package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"verbatim/internal/errkind"

	"verbatim/internal/recordview"
)

// Opener is the program that opens a file as the desktop would. No record can choose another.
const Opener = "xdg-open"

// WriteRecord writes the record as a page in a new temporary folder and returns its path. The
// page is not removed: the browser may read it after the program has ended. The commands on the
// page name the database.
func WriteRecord(record *recordview.View, database string) (path string, err error) {
	dir, err := os.MkdirTemp("", "verbatim-show-")
	if err != nil {
		return "", errkind.Runtimef("set TMPDIR to a folder that can be written", "cannot write the page: %w", err)
	}
	path = filepath.Join(dir, "record.html")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", errkind.Runtimef("", "cannot write the page: %w", err)
	}
	err = Record(file, record, database)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return "", errkind.Runtimef("", "cannot write %s: %w", path, err)
	}
	return path, nil
}

// OpenBrowser opens the file at a path with Opener. Opener may be the browser itself, which keeps
// running: after three seconds without an error it counts as started.
func OpenBrowser(path string) error {
	c := exec.Command(Opener, path)
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
