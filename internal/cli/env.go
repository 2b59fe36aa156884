package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"verbatim/internal/app"

	"verbatim/internal/layout"
	"verbatim/internal/scratch"

	"verbatim/internal/terminal"
)

// An Env is the environment that the program runs in.
type Env struct {
	Args     []string // without the program's name
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	// OutWidth and ErrWidth are the widths in columns of the terminals behind Out
	// and Err, or 0.
	OutWidth, ErrWidth int
	// Interrupts starts to deliver the signals by which a person stops a run. They do not
	// end the process until the second result is called.
	Interrupts func() (<-chan os.Signal, func())
	// Exit ends the process at once, for a command that an interrupt does not end.
	Exit func(code int)

	// Start sets the fields below. It replaces Out and Err by Filters, through which all text
	// goes. What is not text goes to RawOut and RawErr.
	RawOut, RawErr io.Writer
	Seal           terminal.Seal       // marks the control sequences that the program itself writes
	Unfinished     *scratch.Unfinished // removed when an interrupt ends the process
	Handler        *interruptHandler

	filters [2]*terminal.Filter // Out and Err
	checked *checkedWriter      // behind the filter of Out
}

// OS returns the Env of the process.
func OS() Env {
	return Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv,
		OutWidth: terminalWidth(os.Stdout), ErrWidth: terminalWidth(os.Stderr),
		Interrupts: processSignals,
		Exit:       os.Exit,
	}
}

// terminalWidth returns the number of columns of a terminal, at least 20; 0 if f is no terminal.
func terminalWidth(f *os.File) int {
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return max(w, 20)
}

// Start prepares the environment for a command line. The context ends with the first interrupt.
// The command has to call end when it is done: it writes what the Filters still hold.
func (env *Env) Start(args []string) (ctx context.Context, end func()) {
	env.Args = args
	env.Unfinished = &scratch.Unfinished{}
	env.Handler = &interruptHandler{Signals: env.Interrupts, Stopping: env.noteStopping, End: func() {
		env.Unfinished.RemoveAll()
		env.Exit(interrupted)
	}}
	env.Seal = terminal.NewSeal()
	env.RawOut, env.RawErr = env.Out, env.Err
	env.checked = &checkedWriter{Writer: env.RawOut}
	env.filters = [2]*terminal.Filter{terminal.NewFilter(env.checked, env.Seal), terminal.NewFilter(env.RawErr, env.Seal)}
	env.Out, env.Err = env.filters[0], env.filters[1]
	ctx, release := env.Handler.watch(context.Background())
	return ctx, func() {
		release()
		env.Flush()
	}
}

// Flush writes what the Filters still hold, and returns the first error of writing to Out.
func (env *Env) Flush() error {
	for _, f := range env.filters {
		f.Flush()
	}
	return env.checked.err
}

// A checkedWriter keeps the first error of its Writer, for callers that print and look at no errors.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.err = cmp.Or(w.err, err)
	return n, err
}

// App returns the App of the process. It has the database that cmd names, or none if cmd is nil.
func (env *Env) app(cmd *cobra.Command) *app.App {
	a := &app.App{
		Args: env.Args, Getenv: env.Getenv, Tool: Version(),
		Note:   env.replaceLine,
		OnLock: env.replaceLine,
		AtExit: env.Unfinished.Add,
	}
	if cmd != nil {
		a.Database = env.databasePath(cmd)
	}
	return a
}

// DatabasePath returns the path of the database: --db, VERBATIM_DB, or ./verbatim.db.
func (env *Env) databasePath(cmd *cobra.Command) string {
	path, _ := cmd.Flags().GetString("db") // "" without such a flag
	return cmp.Or(path, env.Getenv("VERBATIM_DB"), "verbatim.db")
}

// Program returns the maker of the commands that are printed.
func (env *Env) program() terminal.ShellProgram {
	return terminal.ShellProgram{Database: env.app(nil).NamedDatabase()}
}

// Layout returns the default options of documents.
func (env *Env) layout() layout.Options { return layout.Options{Program: env.program()} }

// Style returns the width and the colours of the standard output.
func (env *Env) Style() terminal.Style {
	return terminal.Style{
		Width: env.OutWidth, Color: env.OutWidth > 0 && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb",
		Seal: env.Seal,
	}
}

// noteStopping prints what the first interrupt does.
func (env *Env) noteStopping() {
	if env.ErrWidth > 0 {
		env.Note("") // the meter's line stays above
	}
	env.Note("Finishing the requests in flight and saving their answers; Ctrl-C again stops now.")
}

// replaceLine prints a note in place of the progress line, if there is one.
func (env *Env) replaceLine(line string) {
	if env.ErrWidth > 0 {
		io.WriteString(env.Err, env.Seal.ClearLine())
	}
	env.Note("%s", line)
}

// Note prints a note to the standard error, broken to the width of its terminal. Control
// characters and line feeds in the arguments are made visible.
func (env *Env) Note(format string, args ...any) {
	fmt.Fprintln(env.Err, terminal.WrapLines(terminal.SafeLine(fmt.Sprintf(format, args...)), env.ErrWidth))
}

// Version returns the version of the module, or the commit of a development build.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 && (v == "" || v == "(devel)") {
			v = "(devel) " + s.Value[:12]
		}
	}
	if v == "" {
		v = "(devel)"
	}
	return v
}
