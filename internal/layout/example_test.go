package layout_test

import (
	"fmt"
	"iter"
	"os"
	"strconv"

	"verbatim"
	"verbatim/internal/layout"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// answers is a run of ten items at two lengths: the short ones are right but for
// one in quotes, most of the long ones are not, and one was never answered.
func answers() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for i, label := range []string{"pass", "pass", "quoted", "pass", "pass", "pass", "cut_short", "cut_short", "case", ""} {
			length := "8"
			if i >= 5 {
				length = "64"
			}
			rec := verbatim.Record{
				Seq:     int64(i),
				Item:    &verbatim.Item{ID: "copy/" + strconv.Itoa(i), Facts: map[string]string{"family": "copy", "length": length}},
				Outcome: map[string]verbatim.Outcome{"pass": verbatim.Pass, "quoted": verbatim.Wrapped, "": verbatim.Errored}[label],
			}
			if rec.Outcome == "" {
				rec.Outcome = verbatim.Wrong
			}
			if rec.Outcome.Answered() {
				right := 0.0
				if label == "pass" {
					right = 1
				}
				rec.Grade = &verbatim.Grade{Outcome: rec.Outcome, Label: label, Exact: label == "pass", Extracted: label == "pass" || label == "quoted", Score: &right, Grader: "text/1"}
				rec.Reply = &verbatim.Reply{}
			}
			if rec.Outcome == verbatim.Errored {
				rec.Failure = &verbatim.Failure{Class: verbatim.Transport}
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

func ExampleOf() {
	run := verbatim.Run{N: 1, Name: "small-1a2b3c-1", Model: "ollama:small", Plan: verbatim.Plan{
		Suite: "custom", Edition: verbatim.Standard, Seed: 1, Trials: 1, Count: 10,
		Cells: []verbatim.Cell{{Family: "copy", Length: verbatim.Lengths{Min: 8, Max: 8}, N: 5}, {Family: "copy", Length: verbatim.Lengths{Min: 64, Max: 64}, N: 5}},
	}}
	r, err := report.Of(report.Options{}, report.Input{Run: run, Records: answers()})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := table.Formats()[0].Write(os.Stdout, layout.Report(r, layout.Options{}), terminal.Style{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// run 1 · small-1a2b3c-1
	// model    ollama:small
	// suite    custom · standard edition · seed 1
	// sent     –
	// with     the model's defaults
	// graded   by text/1 · score: the suite's own
	//
	// model         exact %       95 %  exact up to  $/1,000 exact  median time
	// ollama:small     55.6  26.7–81.1          < 8              –            –
	//
	// shares in %                        n  exact   95 %  of all  extracted  score
	// copy  ▆▂                        9/10   55.6  27–81    50.0       66.7  0.556
	//     cut_short 2, case 1, quoted 1
	//   8   █████████▓▓▓▓▓▓▓▓▓▓░░░░      5   80.0  38–96    80.0      100.0  0.800
	//   64  █▓▓▓▓▓░░░░░░░░░░░          4/5   25.0   5–70    20.0       25.0  0.250
	//
	// outcomes pass 5 · wrapped 1 · wrong 3 · error 1
	// failures cut_short 2 · case 1 · quoted 1
	// outages  transport 1
	// weighted mean score 0.311 with the lengths for weights (SortBench's ModelScore)
	// reading  exact up to: longest length with at least 95 % exact, by the fitted
	//          curve · exact: of the n answered, with its 95 % range
	//          of all: of everything planned
	//          extracted: the answer found in the reply is right
	//          bars: █ to the low end of the range, ▓ to the share, ░ to the high end
	//          ▁▄█ shares by length
	// ! 10.0 % of the items have no answer (1 of 10): the rates are over the others.
}
