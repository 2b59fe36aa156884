package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"verbatim/internal/app"
	"verbatim/internal/cli/interrupt"
	"verbatim/internal/layout"
	"verbatim/internal/scratch"
	"verbatim/internal/shell"
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

	unfinished *scratch.Unfinished
	interrupts *interrupt.Handler

	// Main sets these, and replaces Out and Err by Filters, through which all text goes.
	// What is not text goes to rawOut.
	rawOut, rawErr io.Writer
	seal           terminal.Seal // marks the control sequences that the program itself writes
}

// OS returns the Env of the process.
func OS() Env {
	return Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv,
		OutWidth: width(os.Stdout), ErrWidth: width(os.Stderr),
		Interrupts: interrupt.OfProcess,
		Exit:       os.Exit,
	}
}

func width(f *os.File) int {
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return max(w, 20)
}

// filter puts Filters before Out and Err. The returned function writes what they still hold.
func (env *Env) filter() (flush func()) {
	env.seal = terminal.NewSeal()
	env.rawOut, env.rawErr = env.Out, env.Err
	out, err := terminal.NewFilter(env.rawOut, env.seal), terminal.NewFilter(env.rawErr, env.seal)
	env.Out, env.Err = out, err
	return func() {
		out.Flush()
		err.Flush()
	}
}

// app returns the App of the process. It has the database that cmd names, or none if cmd is nil.
func (env *Env) app(cmd *cobra.Command) *app.App {
	a := &app.App{
		Args: env.Args, Getenv: env.Getenv, Tool: version(),
		Note:   env.replaceLine,
		OnLock: env.replaceLine,
		AtExit: env.unfinished.Add,
	}
	if cmd != nil {
		a.Database = env.databasePath(cmd)
	}
	return a
}

// databasePath returns the path of the database: --db, VERBATIM_DB, or ./verbatim.db.
func (env *Env) databasePath(cmd *cobra.Command) string {
	path, _ := cmd.Flags().GetString("db") // "" without such a flag
	return cmp.Or(path, env.Getenv("VERBATIM_DB"), "verbatim.db")
}

// program returns the maker of the commands that are printed.
func (env *Env) program() shell.Program { return shell.Program{Database: env.app(nil).NamedDatabase()} }

// layout returns the default options of documents.
func (env *Env) layout() layout.Options { return layout.Options{Program: env.program()} }

// style returns the width and the colours of the standard output.
func (env *Env) style() terminal.Style {
	return terminal.Style{
		Width: env.OutWidth, Color: env.OutWidth > 0 && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb",
		Seal: env.seal,
	}
}

// noteStopping prints what the first interrupt does.
func (env *Env) noteStopping() {
	if env.ErrWidth > 0 {
		writeNote(env, "") // the meter's line stays above
	}
	writeNote(env, "Finishing the requests in flight and saving their answers; Ctrl-C again stops now.")
}

// replaceLine prints a note in place of the progress line, if there is one.
func (env *Env) replaceLine(line string) {
	if env.ErrWidth > 0 {
		io.WriteString(env.Err, env.seal.ClearLine())
	}
	writeNote(env, "%s", line)
}

// writeNote prints a note to the standard error, broken to the width of its terminal. Control
// characters and line feeds in the arguments are made visible.
func writeNote(env *Env, format string, args ...any) {
	fmt.Fprintln(env.Err, terminal.WrapLines(terminal.SafeLine(fmt.Sprintf(format, args...)), env.ErrWidth))
}

// version returns the version of the module, or the commit of a development build.
func version() string {
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
