package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/cli/console"
	"verbatim/internal/cli/exit"
	"verbatim/internal/cli/flagcheck"
)

// TestRenamed: every old name of a flag or a command means what the present one means,
// is in no help and no completion, and is in the table of the changes.
func TestRenamed(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	changes := string(data)
	listed := func(old, now string) {
		if row := fmt.Sprintf("| `%s` | `%s` |", old, now); !strings.Contains(changes, row) {
			t.Errorf("CHANGELOG.md lacks the row %s", row)
		}
	}
	for old, now := range flagcheck.RenamedFlags {
		listed("--"+old, "--"+now)
	}
	for old, now := range flagcheck.RenamedCommands {
		listed(old, now)
		a, b := invoke(t, "", old, "--help"), invoke(t, "", now, "--help")
		if a.code != exit.Done || a.out != b.out {
			t.Errorf("%s --help prints %q, and %s --help %q", old, a.out, now, b.out)
		}
		if strings.Contains(b.out, "\nAliases") {
			t.Errorf("the help of %s lists its old name", now)
		}
		if got := invoke(t, "", "__complete", old[:1]); strings.Contains(got.out, "\n"+old+"\t") || strings.HasPrefix(got.out, old+"\t") {
			t.Errorf("completion offers %s: %s", old, got.out)
		}
	}

	used := map[string]bool{}
	visit(rootCommand(&console.Env{Getenv: func(string) string { return "" }}), func(c *cobra.Command) {
		help := helpOf(t, c)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			for old, now := range flagcheck.RenamedFlags {
				if f.Name == old {
					t.Errorf("%s: --%s is an old name", c.CommandPath(), old)
				}
				if f.Name != now {
					continue
				}
				used[old] = true
				if c.Flags().Lookup(old) != f {
					t.Errorf("%s: --%s is not --%s", c.CommandPath(), old, now)
				}
				if strings.Contains(help, "--"+old+" ") {
					t.Errorf("%s --help shows --%s", c.CommandPath(), old)
				}
				words := append(append([]string{"__complete"}, strings.Fields(c.CommandPath())[1:]...), "--"+old)
				for line := range strings.Lines(invoke(t, "", words...).out) {
					if name, _, _ := strings.Cut(line, "\t"); name == "--"+old {
						t.Errorf("%s: completion offers --%s", c.CommandPath(), old)
					}
				}
			}
		})
	})
	for old := range flagcheck.RenamedFlags {
		if !used[old] {
			t.Errorf("no command has the flag that --%s means", old)
		}
	}
}

// TestRenamedFlagsWork: a command with old names does what it does with the new ones,
// and errors say the new name.
func TestRenamedFlagsWork(t *testing.T) {
	run := func(flags ...string) ran {
		args := append([]string{"run", "--model", "sim:sloppy", "--task", "copy", "--length", "8", "--items", "4", "--quiet"}, flags...)
		return invoke(t, filepath.Join(t.TempDir(), "x.db"), args...)
	}
	before := run("--jobs", "1", "--on", "similarity", "--tries", "2", "--thinking", "10", "--idle=1m")
	now := run("--concurrency", "1", "--metric", "similarity", "--max-attempts", "2", "--reasoning-tokens", "10", "--idle-timeout=1m")
	_, table, shown := strings.Cut(now.out, "\n\n") // without the duration
	if before.code != exit.Done || !shown || !strings.HasSuffix(before.out, table) {
		t.Errorf("old names print\n%s%s\nnew names\n%s%s", before.out, before.err, now.out, now.err)
	}
	if got := run("--jobs", "0"); got.code != exit.Usage || !strings.Contains(got.err, "--concurrency must be") {
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
}
