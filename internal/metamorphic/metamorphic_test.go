package metamorphic

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/cli"

	"verbatim/internal/testmain"
)

// TestMain runs the tests, or the program itself: see newLab.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "verbatim" {
		os.Exit(cli.Main(os.Args[1:], cli.OS()))
	}
	testmain.Main(m)
}

// TestScripts executes scripts plainly and as drawn. VERBATIM_SCRIPTS=N draws N new ones, and =seed:S
// executes the one of that seed.
func TestScripts(t *testing.T) {
	first, n := uint64(1), 8
	if text := os.Getenv("VERBATIM_SCRIPTS"); text != "" {
		text, one := strings.CutPrefix(text, "seed:")
		number, err := strconv.ParseUint(text, 10, 64)
		switch {
		case err != nil:
			t.Fatalf("VERBATIM_SCRIPTS: %v", err)
		case one:
			first, n = number, 1
		default:
			first, n = uint64(time.Now().UnixNano()), int(number)
		}
	}
	for seed := first; seed < first+uint64(n); seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			l, s := newLab(t), draw(seed)
			d, commands := l.compare(s)
			if d == "" {
				return
			}
			// What depends on the moment is tried several times.
			differs := func(s script) bool {
				for range 3 {
					if d, _ := l.compare(s); d != "" {
						return true
					}
				}
				return false
			}
			s = simplify(s, differs, time.Now().Add(time.Minute))
			for range 5 {
				if again, shorter := l.compare(s); again != "" {
					d, commands = again, shorter
					break
				}
			}
			t.Errorf("VERBATIM_SCRIPTS=seed:%d\n%s\n%s", seed, strings.Join(commands, "\n"), head(d, 40))
		})
	}
}

// head returns the first lines of a text.
func head(text string, n int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > n {
		lines = append(lines[:n], fmt.Sprintf("and %d lines more", len(lines)-n))
	}
	return strings.Join(lines, "\n")
}
