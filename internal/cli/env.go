package cli

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"verbatim/internal/app"
	"verbatim/internal/cli/interrupt"
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
	// Interrupts starts to deliver the signals by which a person stops a run,
	// instead of letting them end the process, until its second result is called.
	Interrupts func() (<-chan os.Signal, func())
	// Exit ends the process at once, for a command that an interrupt does not end.
	Exit func(code int)

	unfinished *scratch.Unfinished
	interrupts *interrupt.Handler

	// Main sets these. Out and Err are Filters then, through which all text goes; what is
	// not text goes to rawOut.
	rawOut, rawErr io.Writer
	seal           terminal.Seal // of the sequences that the program itself writes
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

// filter puts Filters before Out and Err. The function that it returns writes what they
// still hold.
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

// app returns the App of the process; its database is the one that cmd names, if cmd is
// not nil.
func (env *Env) app(cmd *cobra.Command) *app.App {
	a := &app.App{
		Args: env.Args, Getenv: env.Getenv, Tool: version(),
		Note: func(line string) {
			if env.ErrWidth > 0 { // the meter's line may be there
				io.WriteString(env.Err, env.seal.ClearLine())
			}
			writeNote(env, "%s", line)
		},
		OnLock: env.noteLock,
		AtExit: env.unfinished.Add,
	}
	if cmd != nil {
		a.Database = env.databasePath(cmd)
	}
	return a
}

// databasePath returns the path of the database.
func (env *Env) databasePath(cmd *cobra.Command) string {
	if path, err := cmd.Flags().GetString("db"); err == nil && path != "" {
		return path
	}
	if path := env.Getenv("VERBATIM_DB"); path != "" {
		return path
	}
	return "verbatim.db"
}

// program returns what makes the commands that are printed.
func (env *Env) program() shell.Program { return shell.Program{Database: env.app(nil).NamedDatabase()} }

// style returns how the standard output may look.
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

// noteLock prints that a locked database is waited for, in place of the progress line.
func (env *Env) noteLock(line string) {
	if env.ErrWidth > 0 {
		fmt.Fprint(env.Err, env.seal.ClearLine())
	}
	writeNote(env, "%s", terminal.Visible(line))
}

// writeNote prints a note of one line, whatever names from outside are in it.
func writeNote(env *Env, format string, args ...any) {
	fmt.Fprintln(env.Err, terminal.WrapLines(terminal.SafeLine(fmt.Sprintf(format, args...)), env.ErrWidth))
}

// version returns what the build knows of itself.
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
