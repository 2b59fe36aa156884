// Package library finds saved runs by the names that users give them, and reads them for
// reports and comparisons.
//
// A Library finds runs. ReportOf computes their report, Sides reads them for a comparison, and
// Repeats analyses repeated items.
package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/scratch"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
)

// A SavedRun is a run that a command line names, with the store that holds it.
type SavedRun struct {
	verbatim.Run
	Store *store.Store
}

// A Library finds the runs that a command line names: in the database, or in exported
// files, which it unpacks into temporary databases. It must be closed.
type Library struct {
	Path string // of the database
	// OnLock prints that a locked database is waited for.
	OnLock func(line string)
	// AtExit registers remove, which is called if an interrupt ends the process. Forget cancels
	// that.
	AtExit func(remove func()) (forget func())

	main   *store.Store // nil until it is needed
	files  []*store.Store
	temps  []*scratch.Folder
	forget []func() // of AtExit, for each of temps
}

// Holds reports whether a run is in the database, and not in an exported file.
func (l *Library) Holds(r SavedRun) bool { return r.Store == l.main }

// Database opens the database; it must exist.
func (l *Library) Database(ctx context.Context) (*store.Store, error) {
	if l.main == nil {
		s, err := store.Open(ctx, l.Path, sqlite.OnLock(l.OnLock))
		if err != nil {
			return nil, err
		}
		l.main = s
	}
	return l.main, nil
}

// Find returns the run that a name means: its number, its name or the beginning, its model, "last", or
// an exported file.
func (l *Library) Find(ctx context.Context, name string) (SavedRun, error) {
	return l.findOf(ctx, name, "")
}

// findOf is Find, except that the name of a model means its newest run of the plan with
// this hash, if it has one.
func (l *Library) findOf(ctx context.Context, name, plan string) (SavedRun, error) {
	if strings.HasSuffix(name, ".jsonl") {
		if _, err := os.Stat(name); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return l.unpack(ctx, name)
		}
	}
	s, err := l.Database(ctx)
	if err != nil {
		return SavedRun{}, err
	}
	run, err := s.Find(ctx, name, plan)
	_, unknown := errors.AsType[*store.UnknownRun](err)
	if unknown && plan != "" {
		run, err = s.Find(ctx, name, "")
		_, unknown = errors.AsType[*store.UnknownRun](err)
	}
	if unknown {
		return SavedRun{}, errkind.Usagef("'verbatim runs' lists the runs; an exported file may be named too", "%w", err)
	}
	return SavedRun{run, s}, err
}

// FindAll returns the runs that the names mean, in their order.
func (l *Library) FindAll(ctx context.Context, names []string) ([]SavedRun, error) {
	var runs []SavedRun
	for _, name := range names {
		r, err := l.Find(ctx, name)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// unpack reads an exported file into a database of its own and returns its last run.
func (l *Library) unpack(ctx context.Context, path string) (SavedRun, error) {
	f, err := input.OpenFile(path)
	if err != nil {
		return SavedRun{}, errkind.Runtimef("", "%w", err)
	}
	defer f.Close()
	dir, err := scratch.NewFolder("", "verbatim-unpacked-")
	if err != nil {
		return SavedRun{}, errkind.Runtimef("", "%w", err)
	}
	l.temps = append(l.temps, dir)
	l.forget = append(l.forget, l.AtExit(func() { dir.Remove() }))
	s, err := store.Create(ctx, filepath.Join(dir.Path, "file.db"))
	if err != nil {
		return SavedRun{}, err
	}
	l.files = append(l.files, s)
	if _, err := s.Import(ctx, f); err != nil {
		return SavedRun{}, errkind.Runtimef("", "%s: %w", path, err)
	}
	run, err := s.Find(ctx, "last", "")
	return SavedRun{run, s}, err
}

// Close closes the databases and removes the unpacked files.
func (l *Library) Close() {
	for _, s := range l.files {
		s.Close()
	}
	if l.main != nil {
		l.main.Close()
	}
	for i, dir := range l.temps {
		dir.Remove()
		l.forget[i]()
	}
}
