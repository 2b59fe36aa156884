package cli

import (
	"testing"

	"github.com/spf13/cobra"
)

// TestFakeAdoptsSelection: fake knows the items of the command that it wraps, unless it was
// given flags of its own.
func TestFakeAdoptsSelection(t *testing.T) {
	wrapped := []string{"verbatim", "run", "--model", "{url}/v1#m", "--db", "x.db", "--task", "add", "-n", "2"}
	for own, want := range map[string]string{"": "add", "--task=copy": "copy"} {
		var k fakeFlags
		cmd := &cobra.Command{}
		k.register(cmd)
		if own != "" {
			if err := cmd.ParseFlags([]string{own}); err != nil {
				t.Fatal(err)
			}
		}
		k.adoptSelection(cmd, wrapped)
		if len(k.sel.Tasks) != 1 || k.sel.Tasks[0] != want {
			t.Errorf("flags %q: tasks %v, want %s", own, k.sel.Tasks, want)
		}
	}
}
