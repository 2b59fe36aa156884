package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/scratch"
	"verbatim/internal/terminal"
)

// A contentKind says what a command writes, and so how it is made safe for a terminal.
type contentKind int

const (
	asText contentKind = iota // for people: through a Filter wherever it goes
	asJSON                    // exact, except on a terminal, where controls are escaped
	asData                    // exact, except on a terminal, where controls are made visible
)

// contentOf returns the kind of content of a --format.
func contentOf(format string) contentKind {
	switch format {
	case "text", "md":
		return asText
	case "json":
		return asJSON
	}
	return asData
}

// An outFile is the file that -o names, or the standard output. A file takes
// its name in Keep, so that a failed command leaves none behind.
type outFile struct {
	*bufio.Writer
	filter *terminal.Filter // behind Writer, or nil
	temp   *scratch.File    // nil for the standard output
	path   string
	forget func() // of unfinished.Add
}

func (env *Env) output(path string, what contentKind) (*outFile, error) {
	o := &outFile{path: path}
	var to io.Writer = env.rawOut
	onTerminal := env.OutWidth > 0
	if path != "" && path != "-" {
		temp, err := scratch.Create(path)
		if err != nil {
			return nil, errkind.Runtimef("", "cannot write %s: %w", path, err)
		}
		o.temp, o.forget = temp, env.unfinished.Add(temp.Discard)
		to, onTerminal = temp, false
	}
	switch {
	case what == asText && o.temp == nil:
		o.filter = terminal.NewFilter(to, env.seal)
	case what == asText, what == asData && onTerminal:
		o.filter = terminal.NewFilter(to, "")
	case what == asJSON && onTerminal:
		o.filter = terminal.NewJSONFilter(to)
	}
	if o.filter != nil {
		to = o.filter
	}
	o.Writer = bufio.NewWriterSize(to, 1<<16)
	return o, nil
}

// Flush writes what is buffered.
func (o *outFile) Flush() error {
	err := o.Writer.Flush()
	if o.filter != nil {
		err = errors.Join(err, o.filter.Flush())
	}
	return err
}

// Keep writes what is buffered and gives the file its name.
func (o *outFile) Keep() error {
	err := o.Flush()
	if o.temp == nil {
		return err
	}
	if err == nil {
		err = o.temp.Commit()
	}
	if err != nil {
		return errkind.Runtimef("", "cannot write %s: %w", o.path, err)
	}
	return nil
}

// Discard removes the file unless it was kept.
func (o *outFile) Discard() {
	if o.temp != nil {
		o.temp.Discard()
		o.forget()
	}
}

// input opens the file that an argument names, or the standard input for "-" and none.
func (env *Env) input(args []string) (io.ReadCloser, error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(env.In), nil
	}
	f, err := input.OpenFile(args[0])
	if err != nil {
		return nil, errkind.Runtimef("", "%w", err)
	}
	return f, nil
}

// writeNote prints one line of talk, whatever names from outside are in it.
func writeNote(env *Env, format string, args ...any) {
	fmt.Fprintln(env.Err, terminal.WrapLines(terminal.SafeLine(fmt.Sprintf(format, args...)), env.ErrWidth))
}

// outputFlags are the flags that name what is written.
var outputFlags = []string{"output", "junit", "markdown", "figures", "ready-file"}

// checkOutputs refuses outputs that cannot be written, or that would replace the
// database or what the command reads, before anything is done.
func (env *Env) checkOutputs(cmd *cobra.Command, args []string) error {
	seen := map[string]string{}
	for _, name := range outputFlags {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed || f.Value.String() == "-" {
			continue
		}
		path := f.Value.String()
		info, err := os.Stat(path)
		if err != nil {
			if info, err := os.Stat(filepath.Dir(path)); !takesFolder(cmd, name) && (err != nil || !info.IsDir()) {
				return errkind.Usagef("make it, or name another file", "--%s %s: there is no folder %s", name, path, filepath.Dir(path))
			}
			at := placeOf(path)
			if other, twice := seen[at]; twice {
				return errkind.Usagef("name two files", "--%s and --%s name the same file %s", other, name, path)
			}
			seen[at] = name
			if slices.ContainsFunc(env.databaseFiles(cmd), func(file string) bool { return placeOf(file) == at }) {
				return errkind.Usagef("name another file", "--%s %s is the database, or a file that SQLite makes for it", name, path)
			}
			continue
		}
		switch {
		case info.IsDir() && !takesFolder(cmd, name):
			return errkind.Usagef("name a file", "--%s %s is a folder", name, path)
		case info.IsDir():
			continue
		case info.Mode()&fs.ModeSocket != 0 || info.Mode()&fs.ModeDevice != 0 && info.Mode()&fs.ModeCharDevice == 0:
			return errkind.Usagef("name a file", "--%s %s is no file that can be written", name, path)
		}
		if err := env.checkReplaced(cmd, args, name, path, info); err != nil {
			return err
		}
	}
	return nil
}

// takesFolder reports whether the flag may name a folder.
func takesFolder(cmd *cobra.Command, flag string) bool {
	switch cmd.Name() {
	case "export", "items":
		return true
	case "report":
		return flag == "figures" || cmd.Flags().Changed("preset")
	}
	return false
}

// databaseFiles are the paths of the database and of the files that SQLite makes for
// it, which may not be there yet.
func (env *Env) databaseFiles(cmd *cobra.Command) []string {
	db := env.databasePath(cmd)
	if db == "" {
		return nil
	}
	db = placeOf(db)
	return []string{db, db + "-wal", db + "-shm", db + "-journal"}
}

// placeOf returns where a file is or will be made, however its path is written: links
// are followed, the last one also where nothing is at its end.
func placeOf(path string) string {
	for range 40 { // as many links as Linux follows
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// checkReplaced refuses an output that is a file which the command reads.
func (env *Env) checkReplaced(cmd *cobra.Command, args []string, name, path string, info os.FileInfo) error {
	same := func(other string) bool {
		there, err := os.Stat(other)
		return err == nil && os.SameFile(info, there)
	}
	for _, file := range env.databaseFiles(cmd) {
		if same(file) {
			return errkind.Usagef("name another file", "--%s %s is the database", name, path)
		}
	}
	read := append([]string{}, args...)
	for _, flag := range []string{"items", "lists", "config", "prices", "system", "baseline", "junit", "markdown"} {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed && flag != name {
			read = append(read, strings.TrimPrefix(f.Value.String(), "@"))
		}
	}
	for _, file := range read {
		if same(file) {
			return errkind.Usagef("name another file", "--%s %s is a file that this command reads or writes already", name, path)
		}
	}
	return nil
}
