package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
)

// checkOutputs refuses outputs that cannot be written. It also refuses those that would replace the
// database at this path, or a file that the command reads.
func checkOutputs(cmd *cobra.Command, args []string, database string) error {
	changed := func(flag string) (string, bool) {
		f := cmd.Flags().Lookup(flag)
		if f == nil || !f.Changed {
			return "", false
		}
		return f.Value.String(), true
	}
	inputs := slices.Clone(args)
	for _, flag := range []string{"items", "lists", "config", "prices", "system", "baseline"} {
		if path, ok := changed(flag); ok {
			inputs = append(inputs, strings.TrimPrefix(path, "@"))
		}
	}
	outputs := map[string]string{} // paths by flag
	for _, flag := range []string{"output", "junit", "markdown", "figures", "ready-file"} {
		path, ok := changed(flag)
		if !ok || path == "-" {
			continue
		}
		folder := takesFolder(cmd, flag)
		info, err := os.Stat(path)
		switch {
		case err != nil && !folder && !isFolder(filepath.Dir(path)):
			return errkind.Usagef("make it, or name another file", "--%s %s: there is no folder %s", flag, path, filepath.Dir(path))
		case err == nil && info.IsDir() && !folder:
			return errkind.Usagef("name a file", "--%s %s is a folder", flag, path)
		case err == nil && info.IsDir():
			continue
		case err == nil && (info.Mode()&fs.ModeSocket != 0 || info.Mode()&fs.ModeDevice != 0 && info.Mode()&fs.ModeCharDevice == 0):
			return errkind.Usagef("name a file", "--%s %s is no file that can be written", flag, path)
		}
		for _, end := range []string{"", "-wal", "-shm", "-journal"} {
			if database != "" && sameFile(path, resolved(database)+end) {
				return errkind.Usagef("name another file", "--%s %s is the database, or a file that SQLite makes for it", flag, path)
			}
		}
		for _, input := range inputs {
			if _, err := os.Stat(input); err == nil && sameFile(path, input) {
				return errkind.Usagef("name another file", "--%s %s is a file that this command reads", flag, path)
			}
		}
		for other, there := range outputs {
			if sameFile(path, there) {
				return errkind.Usagef("name two files", "--%s and --%s name the same file %s", other, flag, path)
			}
		}
		outputs[flag] = path
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

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sameFile reports whether two paths name one file, which may not exist yet.
func sameFile(a, b string) bool {
	at, err := os.Stat(a)
	there, otherErr := os.Stat(b)
	if err == nil && otherErr == nil {
		return os.SameFile(at, there)
	}
	return resolved(a) == resolved(b)
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
