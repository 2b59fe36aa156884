package exchange

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"

	"verbatim/internal/rawjson"
)

// WriteSimpE writes runs into dir as result files of simpE, one for each run: result_MODEL_TIME.json,
// with the model without its slashes. It returns the files. The model is the one that the server
// reports most often, as simpE writes it; without any it is the model of the run. test returns the
// test of a family: "reversal", "rehearsal" or "addition". Another result is an error.
//
// As in simpE, a file counts all requests, except skipped ones, and leaves those without an answer
// out of its results. The status is "success" for an exact answer. Read returns the items, replies,
// durations and the number of failures; tokens, finish reasons and the reasons of failures are
// lost. An unknown duration is left out.
func WriteSimpE(dir Folder, test func(family string) string, runs ...Run) (files []string, err error) {
	if err := os.MkdirAll(dir.Path, 0o755); err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for i := range runs {
		run := &runs[i]
		if run.Model == "" {
			return nil, fmt.Errorf("run %s names no model", run.Name)
		}
		attempts, model, err := countTries(test, run)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", run.Name, err)
		}
		name := ""
		for at := run.Started; name == "" || used[name]; at = at.Add(time.Second) { // two runs may have begun in the same second
			name = "result_" + fileWord(strings.ReplaceAll(model, "/", "")) + "_" + at.UTC().Format(stampLayout) + ".json"
		}
		used[name] = true
		path := filepath.Join(dir.Path, name)
		if err := writeFile(&dir, name, model, attempts, test, run); err != nil {
			return nil, fmt.Errorf("run %s: %w", run.Name, err)
		}
		files = append(files, path)
	}
	return files, nil
}

// testNames returns the tests in the order in which simpE runs them: the name of this program, the
// key in the files, and the type in the files.
func testNames() []struct{ name, key, kind string } {
	return []struct{ name, key, kind string }{
		{"reversal", "string_reversal", "String Reversal"},
		{"addition", "add_two_ints", "Add two intigers"}, // as simpE spells it
		{"rehearsal", "string_rehearsal", "String Rehearsal"},
	}
}

func writeFile(dir *Folder, name, model string, attempts map[string]int64, test func(string) string, run *Run) error {
	f, err := dir.Create(name)
	if err != nil {
		return err
	}
	defer f.Discard()
	out := bufio.NewWriter(f)
	between := "{"
	for _, t := range testNames() {
		n, asked := attempts[t.name]
		if !asked {
			continue
		}
		fmt.Fprintf(out, "%s\n%q: {\"test_type\": %q, \"tries\": %d, \"results\": [", between, t.key, t.kind, n)
		if err := writeResults(out, t.name, model, test, run); err != nil {
			return err
		}
		out.WriteString("]}")
		between = ","
	}
	if between == "{" {
		return fmt.Errorf("it has no requests")
	}
	out.WriteString("\n}\n")
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Commit()
}

// countTries returns the number of requests of each test, answered or not, and the model that the
// server reports most often.
func countTries(test func(string) string, run *Run) (attempts map[string]int64, model string, err error) {
	attempts = map[string]int64{}
	served := map[string]int64{}
	for rec, err := range run.Records {
		if err != nil {
			return nil, "", err
		}
		if rec.Reply != nil && rec.Reply.ServedModel != "" {
			name := rec.Reply.ServedModel
			served[name]++
			if most := served[model]; served[name] > most || served[name] == most && name < model {
				model = name
			}
		}
		family := rec.Item.Facts[verbatim.FactFamily]
		name := test(family)
		if name == "" {
			return nil, "", fmt.Errorf("item %s: simpE has no test for the family %q: it has reversal, addition and rehearsal", rec.Item.ID, family)
		}
		if rec.Outcome != verbatim.Skipped {
			attempts[name]++
		}
	}
	return attempts, cmp.Or(model, run.Model), nil
}

// writeResults writes the results of one test, one a line.
func writeResults(out *bufio.Writer, name, model string, test func(string) string, run *Run) error {
	between := "\n"
	for rec, err := range run.Records {
		if err != nil {
			return err
		}
		if rec.Reply == nil || test(rec.Item.Facts[verbatim.FactFamily]) != name {
			continue
		}
		fields, err := simpeInput(rec.Item, name)
		if err != nil {
			return fmt.Errorf("item %s: %w", rec.Item.ID, err)
		}
		if d := rec.Reply.Times.Total; d > 0 {
			fields += `, "duration_seconds": ` + strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
		}
		if rec.Reply.Reasoning != "" {
			fields += `, "reasoning": ` + pythonText(rec.Reply.Reasoning)
		}
		status := "fail"
		if rec.Grade != nil && rec.Grade.Exact {
			status = "success"
		}
		fmt.Fprintf(out, "%s{%s, \"response\": %s, \"model\": %s, \"status\": %q}", between, fields, pythonText(rec.Reply.Text), pythonText(model), status)
		between = ",\n"
	}
	return nil
}

// simpeInput returns the members of a result that hold its input.
func simpeInput(it *verbatim.Item, test string) (string, error) {
	if test == "addition" {
		if it.Source == nil || len(it.Source.List) != 2 || slices.ContainsFunc(it.Source.List, func(n any) bool { return !isInteger(n) }) {
			return "", errors.New("it does not hold the two numbers that were to be added")
		}
		return fmt.Sprintf(`"int1": %v, "int2": %v`, it.Source.List[0], it.Source.List[1]), nil
	}
	s := it.Want.Text
	if it.Source != nil {
		s = it.Source.Text
	} else if test == "reversal" {
		s = backwards(s)
	}
	if it.Want.IsList() || s == "" {
		return "", errors.New("it does not hold the string of the prompt")
	}
	return `"string": ` + pythonText(s), nil
}

func isInteger(x any) bool {
	switch x.(type) {
	case int64, *big.Int:
		return true
	}
	return false
}

// pythonText returns s as a JSON string as Python writes it.
func pythonText(s string) string { return string(rawjson.AppendASCII(nil, s)) }
