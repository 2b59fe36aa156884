package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/report"
)

// servedModels is the set of names that servers give the models that answer.
type servedModels map[string]bool

func (s servedModels) add(rec *verbatim.Record) {
	if rec.Reply != nil && rec.Reply.ServedModel != "" {
		s[rec.Reply.ServedModel] = true
	}
}

func (s servedModels) String() string {
	return strings.Join(slices.Sorted(maps.Keys(s)), ", ")
}

// renamed warns that the server of a model that has the same name as before gives it
// another name now. It is nil if the names are the same or unknown. A provider that
// replaces the model behind a name often shows it like this.
func (s servedModels) renamed(now servedModels) []report.Warning {
	if len(s) == 0 || len(now) == 0 || maps.Equal(s, now) {
		return nil
	}
	return []report.Warning{{Kind: "served_models", Text: fmt.Sprintf("The server gives the model another name than in the baseline: %v instead of %v.", now, s)}}
}
