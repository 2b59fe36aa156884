package app

import (
	"context"
	"fmt"

	"verbatim"
	"verbatim/internal/library"
	"verbatim/internal/pace"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
)

// An App is the process in which all operations run: its arguments, environment and database.
type App struct {
	Args     []string // the command line, without the program's name
	Getenv   func(string) string
	Database string // path of the database
	Tool     string // version of the program, which is saved with runs
	// Note prints one line about the state of the operation.
	Note func(line string)
	// OnLock prints that a locked database is waited for.
	OnLock func(line string)
	// AtExit registers remove, which is called if an interrupt ends the process. Forget cancels
	// that.
	AtExit func(remove func()) (forget func())
}

func (a *App) note(format string, args ...any) { a.Note(fmt.Sprintf(format, args...)) }

// OpenDatabase opens the database; it must exist.
func (a *App) OpenDatabase(ctx context.Context) (*store.Store, error) {
	return store.Open(ctx, a.Database, sqlite.OnLock(a.OnLock))
}

// CreateDatabase opens the database, and makes it if it is missing.
func (a *App) CreateDatabase(ctx context.Context) (*store.Store, error) {
	return store.Create(ctx, a.Database, sqlite.OnLock(a.OnLock))
}

// Library returns a Library of the database.
func (a *App) Library() *library.Library {
	return &library.Library{Path: a.Database, OnLock: a.OnLock, AtExit: a.AtExit}
}

// Events are called while requests are sent. Each may be nil.
type Events struct {
	// Started is called once, before the first request.
	Started func(verbatim.Plan, []verbatim.Run) error
	// Saved is called for every record that is saved.
	Saved func(verbatim.Run, *verbatim.Record) error
	// Watch is called before the first request. Then update is called at every change of the
	// progress, and done at the end.
	Watch func(Activity) (update func(run.Progress), done func())
}

// An Activity gives a progress line the present state of a job. Its functions may be called at any
// time.
type Activity struct {
	// Endpoints returns the states of the endpoints that get requests.
	Endpoints func() []pace.State
	// Progress describes how far a test or a search is. It is nil for a run, which ends with its
	// plan: the number of answers shows the progress.
	Progress func() string
}
