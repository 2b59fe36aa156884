package recordview

import (
	"bytes"
	"flag"
	"testing"

	"verbatim/internal/recordtest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the difference before you commit it")

func TestGoldenShow(t *testing.T) {
	run := recordtest.Quick().Run(3)
	for _, width := range []int{80, 120} {
		var out bytes.Buffer
		for _, n := range recordtest.Records() {
			out.WriteString("===== " + n.Name + "\n")
			if err := WriteText(&out, New(run, n.Rec), terminal.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Errorf("show lets %s through", bad)
		}
		terminaltest.Golden(t, *update, map[int]string{80: "show-80.txt", 120: "show-120.txt"}[width], out.Bytes())
	}
	var out bytes.Buffer
	for _, n := range recordtest.Records() {
		if n.Name == "hostile" || n.Name == "list" || n.Name == "outage" {
			if err := terminal.WriteJSON(&out, New(run, n.Rec)); err != nil {
				t.Fatal(err)
			}
		}
	}
	terminaltest.Golden(t, *update, "show.json", out.Bytes())
}
