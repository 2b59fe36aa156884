package library

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/sim"
	"verbatim/internal/verdict"
)

// TestBuiltInNote: a model that is built into this program is recognised wherever its
// runs are shown and ranked, by its name alone; no other model is.
func TestBuiltInNote(t *testing.T) {
	names := []string{model.NanoName, "http://127.0.0.1:8080/v1#nano", "exec:cat"}
	for _, k := range sim.Kinds() {
		names = append(names, "sim:"+k.Name, "sim:"+k.Name+"?seed=2")
	}
	found := 0
	for _, name := range names {
		m, err := model.Open(t.Context(), name, model.Options{Getenv: func(string) string { return "" }})
		if err != nil {
			t.Fatal(err)
		}
		r := verbatim.Run{Model: m.Name, Tool: "test"}
		if m.BuiltIn {
			found++
		}
		if note := BuiltInNote(&r); verdict.BuiltIn(&r) != m.BuiltIn || verdict.Simulated(&r) != m.Simulated || (note != "") != m.BuiltIn || strings.HasPrefix(note, "simulated") != m.Simulated {
			t.Errorf("%s: built in is %v, simulated %v, and runs of it have the note %q", name, m.BuiltIn, m.Simulated, note)
		}
		m.Close()
	}
	if found < 3 {
		t.Errorf("only %d of them are built in", found)
	}
	if r := (verbatim.Run{Model: model.NanoName, Origin: "lm-eval"}); BuiltInNote(&r) != "" {
		t.Error("a model that another program calls nano is taken for the built-in one")
	}
}
