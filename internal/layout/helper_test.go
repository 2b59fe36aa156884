package layout

import (
	"strings"
	"testing"

	"verbatim/internal/recordtest"
	"verbatim/internal/report"
)

func of(t *testing.T, in report.Input) *report.Block {
	t.Helper()
	return &must(report.Of(report.Options{}, in))(t).Runs[0]
}

func kinds(list []report.Warning) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Kind)
	}
	return strings.Join(out, " ")
}

func must(r *report.Report, err error) func(*testing.T) *report.Report {
	return func(t *testing.T) *report.Report {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func input(s recordtest.Run, number int64) report.Input {
	return report.Input{Run: s.Run(number), Records: s.Records()}
}
