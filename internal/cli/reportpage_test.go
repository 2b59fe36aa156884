package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
)

var update = flag.Bool("update", false, "write again what docs/report.md shows; read the difference before you commit it")

// TestReportPage runs the commands that docs/report.md shows with a "$", on the runs
// that it names, and wants below each what it prints.
func TestReportPage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: what runs side by side in it has tests of its own")
	}
	path := filepath.Join("..", "..", "docs", "report.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "x.db")
	if got := invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl")); got.code != exitDone {
		t.Fatalf("the runs cannot be imported: %s", got.err)
	}
	var out strings.Builder
	rest, n := string(page), 0
	printed := make(map[string]string) // by command: some are run through several filters
	for {
		before, after, found := strings.Cut(rest, "    $ verbatim ")
		out.WriteString(before)
		if !found {
			break
		}
		n++
		command, shown, _ := strings.Cut(after, "\n")
		ours, filter, piped := strings.Cut(command, " | jq ")
		if _, known := printed[ours]; !known {
			got := invoke(t, db, strings.Fields(ours)...)
			if got.code != exitDone {
				t.Fatalf("%s: exit code %d: %s", ours, got.code, got.err)
			}
			printed[ours] = got.out
		}
		want := printed[ours]
		if piped {
			want = filtered(t, want, filter)
		}
		want = indented(want)
		out.WriteString("    $ verbatim " + command + "\n\n" + want + "\n")
		was := regexp.MustCompile(`^\n(\n*    .*\n)*`).FindString(shown)
		if strings.TrimSpace(was) != strings.TrimSpace(want) && !*update {
			t.Errorf("docs/report.md shows below %q\n%s\nand it prints\n%s", command, was, want)
		}
		rest = strings.TrimLeft(shown[len(was):], "\n")
	}
	if n < 5 {
		t.Errorf("docs/report.md shows %d commands with what they print", n)
	}
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			line = "    " + line
		}
		b.WriteString(line)
	}
	return b.String()
}

// filtered does what jq does with a filter in single quotes, after -r or -c or without
// an option.
func filtered(t *testing.T, document, filter string) string {
	t.Helper()
	how := ""
	if strings.HasPrefix(filter, "-") {
		how, filter, _ = strings.Cut(filter, " ")
	}
	filter = strings.Trim(filter, "'")
	var v any
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		t.Fatal(err)
	}
	query, err := gojq.Parse(filter)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	var out bytes.Buffer
	values := query.Run(v)
	for range 1000 {
		v, more := values.Next()
		if !more {
			break
		}
		if err, failed := v.(error); failed {
			t.Fatalf("%s: %v", filter, err)
		}
		text, err := gojq.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		s, isText := v.(string)
		switch {
		case how == "-r" && isText:
			fmt.Fprintln(&out, s)
		case how == "-c" || how == "-r":
			fmt.Fprintf(&out, "%s\n", text)
		case how == "":
			if err := json.Indent(&out, text, "", "  "); err != nil {
				t.Fatal(err)
			}
			out.WriteString("\n")
		default:
			t.Fatalf("docs/report.md uses jq %s, which this test does not know", how)
		}
	}
	return out.String()
}

// TestReportColumns wants every column of the CSV on the page that describes them.
func TestReportColumns(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "x.db")
	invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl"))
	got := invoke(t, db, "report", "1", "--format", "csv")
	head, _, _ := strings.Cut(got.out, "\n")
	columns := strings.Split(head, ",")
	if len(columns) < 20 {
		t.Fatalf("the header is %q", head)
	}
	for _, c := range columns {
		if !strings.Contains(string(page), "`"+c+"`") {
			t.Errorf("docs/report.md does not say what the column %s is", c)
		}
	}
}
