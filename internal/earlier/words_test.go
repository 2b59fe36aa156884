package earlier

import (
	"fmt"
	"slices"
	"testing"

	"verbatim"
)

func TestGrade(t *testing.T) {
	for _, c := range []struct{ label, detail, newLabel, newDetail string }{
		{"truncated", "3 missing", "cut_short", "3 missing"},
		{"wrapped", "Numbered, line-wise list, items cast", "coerced", "Numbered, line-wise list, items cast"},
		{"wrapped", "talk around the list", "explained", "talk around the list"},
		{"wrapped", "Content after last closing bracket", "explained", "Content after last closing bracket"},
		{"wrapped", "a tuple", "reformatted", "a tuple"},
		{"wrapped", "diverged", "explained", "diverged"},
		{"reasoning_leak", "truncated", "reasoning_leak", "cut_short"},
		{"reasoning_leak", "wrapped: items cast", "reasoning_leak", "coerced: items cast"},
		{"reasoning_leak", "pass", "reasoning_leak", "pass"},
		{"quoted", "truncated", "quoted", "truncated"},
	} {
		label, detail, _ := Grade(c.label, c.detail, nil)
		if label != c.newLabel || detail != c.newDetail {
			t.Errorf("%s (%s): %s (%s), want %s (%s)", c.label, c.detail, label, detail, c.newLabel, c.newDetail)
		}
	}
	flags := []string{"loop", "limit"}
	if _, _, got := Grade("case", "", flags); !slices.Equal(got, []string{"loop", "truncated"}) || flags[1] != "limit" {
		t.Errorf("flags %q from %q", got, flags)
	}
}

func TestNames(t *testing.T) {
	if Outcome("limit") != verbatim.Truncated || Outcome(verbatim.Wrong) != verbatim.Wrong {
		t.Error("outcomes")
	}
	if got := fmt.Sprintln(Labels("truncated"), Labels("wrapped"), Labels("case"), Metric("payload"), Metric("score")); got != "[cut_short] [explained coerced reformatted] [case] extracted score\n" {
		t.Error(got)
	}
}

// TestJSON: present words are not changed, so that a file may be read twice.
func TestJSON(t *testing.T) {
	for name, c := range map[string]struct {
		read     func([]byte) ([]byte, error)
		old, new string
	}{
		"params": {Params, `{"seed":7,"thinking":64}`, `{"seed":7,"reasoning_tokens":64}`},
		"test":   {Test, `{"kind":"check","against":"a","settings":{"on":"payload"}}`, `{"kind":"check","baseline":"a","settings":{"metric":"extracted"}}`},
		"search": {Test, `{"kind":"limit"}`, `{"kind":"horizon"}`},
		"grade":  {GradeJSON, `{"label":"truncated","outcome":"limit","payload":true,"strict":false}`, `{"exact":false,"extracted":true,"label":"cut_short","outcome":"truncated"}`},
	} {
		for range 2 {
			got, err := c.read([]byte(c.old))
			if err != nil || string(got) != c.new {
				t.Errorf("%s: %s, %v, want %s", name, got, err, c.new)
			}
			c.old = c.new
		}
	}
}
