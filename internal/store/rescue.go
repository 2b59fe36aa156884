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
	"verbatim/internal/store/jsonlines"
	"verbatim/internal/store/lease"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// An Unsaved error says that a Writer could not save all that it was given, or not
// where the user looks for it, and where that is now.
type Unsaved struct {
	Err      error  // why
	Replies  int    // records that the database did not take
	Database string // a copy of the database with these records, or ""
	Lines    string // a file of these records that Import reads, or ""
	Failed   error  // why there is neither
}

// Error says what is wrong and where the records are.
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
	var e *sqlite.Error
	return errors.As(u.Err, &e) && e.Kind == sqlite.Moved && u.Database == ""
}

// Unwrap returns why the records could not be saved.
func (u *Unsaved) Unwrap() error { return u.Err }

// Hint says what to do about it.
func (u *Unsaved) Hint() string {
	hint := ""
	var e *sqlite.Error
	if errors.As(u.Err, &e) {
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

// rescue writes what was not saved to a file that nothing else is in. It returns nil
// where there is nothing to rescue.
func (w *Writer) rescue(cause error, pending []*rows.Entry) error {
	u := &Unsaved{Err: cause, Replies: len(pending)}
	var e *sqlite.Error
	if errors.As(cause, &e) && e.Kind == sqlite.Moved {
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

// rescueDatabase copies the database as the open connection sees it, and adds the
// records that wait.
func (w *Writer) rescueDatabase(pending []*rows.Entry) (string, error) {
	return w.s.rescueFile("", func(name string) error {
		// The name is taken by an empty file, which VACUUM INTO fills.
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
				if now, uid, err := rows.ReadRunUID(ctx, c, run); err != nil || uid != r.UID {
					return fmt.Errorf("run %s is not in the copy, %s is: %w", r.Run.Name, now.Name, err)
				}
			}
			if _, _, err := c.Exec(`DELETE FROM lease`); err != nil {
				return err
			}
			k := rows.NewInserter(c)
			if err := k.InsertAll(pending, func(*rows.Entry, verbatim.Outcome) {}); err != nil {
				return err
			}
			return k.FlushCounts()
		})
	})
}

// rescueLines writes the records as an export of their runs, which Import adds to the
// runs in the database.
func (w *Writer) rescueLines(pending []*rows.Entry) (string, error) {
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

// export writes records as Export does, through a database in memory.
func (w *Writer) export(to io.Writer, pending []*rows.Entry) error {
	ctx := context.Background()
	c, err := sqlite.Dial(w.s.file.Path(), filepath.Join(string(filepath.Separator), "rescue-"+lease.NewToken()), "memory")
	if err != nil {
		return err
	}
	defer c.Close()
	if _, _, err := c.ExecOnce(rows.Layout.Tables); err != nil {
		return err
	}
	var runs []int64
	err = c.Write(ctx, func() error {
		numbers := map[int64]int64{}
		k := rows.NewInserter(c)
		for _, e := range pending {
			if numbers[e.Run] == 0 {
				id, err := rows.AddRun(ctx, c, w.runs[e.Run].Run, w.runs[e.Run].UID)
				if err != nil {
					return err
				}
				numbers[e.Run] = id
				runs = append(runs, id)
			}
			moved := *e
			moved.Run = numbers[e.Run]
			// A record that contradicts another one is the one that stopped the Writer.
			if _, err := k.Insert(&moved); err != nil && !strings.Contains(err.Error(), "never replaced") {
				return err
			}
		}
		return k.FlushCounts()
	})
	if err != nil {
		return err
	}
	return c.Read(func() error { return jsonlines.Export(ctx, c, to, runs...) })
}

// rescueFile finds a position for a file next to the database, otherwise in the current
// directory, else among the temporary files, takes a name there that is free, and lets
// write fill it.
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
		if !slices.Contains(why, err.Error()) { // the positions may be one
			why = append(why, err.Error())
		}
	}
	return "", errors.New(strings.Join(why, "; "))
}

// displayName is a name as the user would write it: as the database was named where the file
// is next to it.
func (s *Store) displayName(name string) string {
	if filepath.Dir(name) == filepath.Dir(s.file.Abs()) {
		return filepath.Join(filepath.Dir(s.file.Path()), filepath.Base(name))
	}
	return name
}

// freeName makes an empty file whose name nothing had: stem, a number and suffix.
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
