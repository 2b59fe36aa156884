package flagcheck

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
)

// outputFlags are the flags that name a file or folder to write.
var outputFlags = []string{"output", "junit", "markdown", "figures", "ready-file"}

// Outputs refuses outputs that cannot be written. It also refuses those that would replace the
// database at this path, or a file that the command reads.
func Outputs(cmd *cobra.Command, args []string, database string) error {
	protected := databaseFiles(database)
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
			at := resolved(path)
			if other, twice := seen[at]; twice {
				return errkind.Usagef("name two files", "--%s and --%s name the same file %s", other, name, path)
			}
			seen[at] = name
			if slices.ContainsFunc(protected, func(file string) bool { return resolved(file) == at }) {
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
		if err := checkReplaced(cmd, args, protected, name, path, info); err != nil {
			return err
		}
	}
	return nil
}

// takesFolder reports whether the flag may name a folder.
func takesFolder(cmd *cobra.Command, flag string) bool {
	switch cmd.Name() {
	case "export":
		return true
	case "items":
		return cmd.Flags().Changed("layout")
	case "report":
		return flag == "figures" || cmd.Flags().Changed("preset")
	}
	return false
}

// databaseFiles returns the paths of a database and of the files that SQLite makes for it. They
// may not exist yet.
func databaseFiles(db string) []string {
	if db == "" {
		return nil
	}
	db = resolved(db)
	return []string{db, db + "-wal", db + "-shm", db + "-journal"}
}

// resolved returns the absolute path of a file without links, whether the file exists or not.
func resolved(path string) string {
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

// checkReplaced refuses an output that is a file of the database, or one that the command reads
// or writes already.
func checkReplaced(cmd *cobra.Command, args, protected []string, name, path string, info os.FileInfo) error {
	same := func(other string) bool {
		there, err := os.Stat(other)
		return err == nil && os.SameFile(info, there)
	}
	if slices.ContainsFunc(protected, same) {
		return errkind.Usagef("name another file", "--%s %s is the database", name, path)
	}
	used := slices.Clone(args)
	for _, flag := range []string{"items", "lists", "config", "prices", "system", "baseline", "junit", "markdown"} {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed && flag != name {
			used = append(used, strings.TrimPrefix(f.Value.String(), "@"))
		}
	}
	if slices.ContainsFunc(used, same) {
		return errkind.Usagef("name another file", "--%s %s is a file that this command reads or writes already", name, path)
	}
	return nil
}
