package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// An Unsaved error is that of a Writer that could not save all of its records, or whose database
// is no longer at its path. It names the file that holds the records now.
type Unsaved struct {
	Err      error  // why the Writer stopped
	Replies  int    // the number of records that are not in the database
	Database string // a copy of the database with these records, or ""
	Lines    string // a file of these records that Import reads, or ""
	Failed   error  // why there is neither
}

// Error says why records could not be saved and where they are.
func (u *Unsaved) Error() string {
	s := u.Err.Error()
	switch {
	case u.Database != "" && u.Replies > 0:
		return fmt.Sprintf("%s: all of it is saved in %s, and with it %s that waited", s, u.Database, replies(u.Replies))
	case u.Database != "":
		return fmt.Sprintf("%s: all of it is saved in %s", s, u.Database)
	case u.Lines != "":
		s = fmt.Sprintf("%s: %s could not be saved in the database and %s in %s", s, replies(u.Replies), isOrAre(u.Replies), u.Lines)
	case u.Replies > 0:
		s = fmt.Sprintf("%s: %s could not be saved, nor written to another file: %v", s, replies(u.Replies), u.Failed)
	}
	if u.lost() {
		s += "; what was saved before cannot be read any more"
	}
	return s
}

func replies(n int) string {
	if n == 1 {
		return "1 reply"
	}
	return fmt.Sprintf("%d replies", n)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// lost reports whether the database was lost and no copy of it could be made.
func (u *Unsaved) lost() bool {
	return u.Database == "" && moved(u.Err)
}

// moved reports whether a database is no longer at its path.
func moved(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Kind == sqlite.Moved
}

// Unwrap returns why the records could not be saved.
func (u *Unsaved) Unwrap() error { return u.Err }

// Hint says how the records come into the database.
func (u *Unsaved) Hint() string {
	hint := ""
	if e, ok := errors.AsType[*sqlite.Error](u.Err); ok {
		hint = e.Hint
	}
	switch {
	case u.Database != "":
		return fmt.Sprintf("give the same command with --db %s, or move that file to where the database was and give it again", u.Database)
	case u.lost():
		hint = "bring back a backup of the database"
	}
	if u.Lines != "" {
		if hint != "" {
			hint += "; then "
		}
		hint += fmt.Sprintf("verbatim import %s, and give the same command again: what is in that file is not sent again", u.Lines)
	}
	return hint
}

// rescue writes the records that could not be saved to a new file. It returns nil if nothing has
// to be rescued.
func (w *Writer) rescue(cause error, pending []*Entry) error {
	u := &Unsaved{Err: cause, Replies: len(pending)}
	if moved(cause) {
		u.Database, u.Failed = w.rescueDatabase(pending)
		w.s.file.RemoveLog()
	} else if len(pending) == 0 {
		return nil
	}
	if u.Database == "" && len(pending) > 0 {
		u.Lines, u.Failed = w.rescueLines(pending)
	}
	return u
}

// rescueDatabase copies the database as the open connection sees it to a new file, adds the
// pending records, and returns the name of the file.
func (w *Writer) rescueDatabase(pending []*Entry) (string, error) {
	return w.s.rescueFile("", func(name string) error {
		// VACUUM INTO accepts the empty file that has the name.
		if _, _, err := w.c.ExecOnce("VACUUM INTO ?", name); err != nil {
			return err
		}
		ctx := context.Background()
		s, err := Open(ctx, name)
		if err != nil {
			return err
		}
		defer s.Close()
		if err := s.Check(ctx); err != nil {
			return err
		}
		return s.file.Update(ctx, func(c *sqlite.Conn) error {
			for run, r := range w.runs {
				now, err := readSavedRun(ctx, c, run)
				if err != nil {
					return err
				}
				if now.UID != r.UID {
					return fmt.Errorf("the copy of the database has the run %s in the place of run %s", now.Run.Name, r.Run.Name)
				}
			}
			if _, _, err := c.Exec(`DELETE FROM lease`); err != nil {
				return err
			}
			k := newInserter(c)
			if err := k.insertAll(pending, func(*Entry, verbatim.Outcome) {}); err != nil {
				return err
			}
			return k.flushCounts()
		})
	})
}

// rescueLines writes the pending records as an export of their runs to a new file, and returns the
// name of the file. Import adds them to the runs in the database.
func (w *Writer) rescueLines(pending []*Entry) (string, error) {
	return w.s.rescueFile(".jsonl", func(name string) error {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := w.export(f, pending); err != nil {
			return err
		}
		return f.Sync()
	})
}

// export writes records as Export does, by way of a database in memory.
func (w *Writer) export(to io.Writer, pending []*Entry) error {
	ctx := context.Background()
	c, err := sqlite.Dial(w.s.file.Path(), filepath.Join(string(filepath.Separator), "rescue-"+newToken()), "memory")
	if err != nil {
		return err
	}
	defer c.Close()
	if _, _, err := c.ExecOnce(layout.Tables); err != nil {
		return err
	}
	var runs []int64
	err = c.Write(ctx, func() error {
		numbers := map[int64]int64{}
		k := newInserter(c)
		for _, e := range pending {
			if numbers[e.Run] == 0 {
				id, err := addRun(ctx, c, 0, w.runs[e.Run].Run, w.runs[e.Run].UID)
				if err != nil {
					return err
				}
				numbers[e.Run] = id
				runs = append(runs, id)
			}
			renumbered := *e
			renumbered.Run = numbers[e.Run]
			// A second answer for a position may be what has stopped the Writer.
			if _, err := k.Insert(&renumbered); err != nil && !errors.Is(err, errAnswered) {
				return err
			}
		}
		return k.flushCounts()
	})
	if err != nil {
		return err
	}
	return c.Read(func() error { return exportRuns(ctx, c, to, runs...) })
}

// rescueFile makes a file with a free name, fills it by write, and returns its name. It tries the
// folder of the database first, then the current folder, then the folder for temporary files.
func (s *Store) rescueFile(suffix string, write func(name string) error) (string, error) {
	var why []string
	for _, dir := range []string{filepath.Dir(s.file.Abs()), ".", os.TempDir()} {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		name, err := freeName(filepath.Join(dir, filepath.Base(s.file.Abs())+".rescued-"), suffix)
		if err == nil {
			if err = write(name); err == nil {
				return s.displayName(name), nil
			}
			for _, part := range []string{"", "-wal", "-shm", "-journal"} {
				os.Remove(name + part) // half a file is worse than none
			}
		}
		if !slices.Contains(why, err.Error()) { // two of the folders may be the same
			why = append(why, err.Error())
		}
	}
	return "", errors.New(strings.Join(why, "; "))
}

// displayName returns the name of a file for messages: if the file is next to the database, with
// the folder as the user named it.
func (s *Store) displayName(name string) string {
	if filepath.Dir(name) == filepath.Dir(s.file.Abs()) {
		return filepath.Join(filepath.Dir(s.file.Path()), filepath.Base(name))
	}
	return name
}

// freeName makes an empty file with a free name: stem, a number and suffix.
func freeName(stem, suffix string) (string, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s%d%s", stem, n, suffix)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return name, f.Close()
		}
		if !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
}
