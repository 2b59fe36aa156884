package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/report"
)

// served is the set of names that servers give the models that answer.
type served map[string]bool

func (s served) add(rec *verbatim.Record) {
	if rec.Reply != nil && rec.Reply.ServedModel != "" {
		s[rec.Reply.ServedModel] = true
	}
}

func (s served) String() string {
	return strings.Join(slices.Sorted(maps.Keys(s)), ", ")
}

// renamed says of a model that is asked by the same name as before that its server
// gives it another one now; nil where it does not, or nothing is known. A provider
// that puts another model behind a name often shows it so.
func renamed(before, now served) []report.Warning {
	if len(before) == 0 || len(now) == 0 || maps.Equal(before, now) {
		return nil
	}
	return []report.Warning{{Kind: "served_models", Text: fmt.Sprintf("The server gives the model another name than in the baseline: %v instead of %v.", now, before)}}
}
