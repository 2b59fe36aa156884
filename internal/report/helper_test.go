package report

import (
	"strings"
	"testing"
)

func of(t *testing.T, in Input) *Block {
	t.Helper()
	return &must(Of(Options{}, in))(t).Runs[0]
}

func kinds(list []Warning) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Kind)
	}
	return strings.Join(out, " ")
}

func must(r *Report, err error) func(*testing.T) *Report {
	return func(t *testing.T) *Report {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}
