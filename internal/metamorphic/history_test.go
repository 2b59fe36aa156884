package metamorphic

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A history is what an execution comes to: lines, each with the output that it is from.
type history []string

// An aside is a part of an output in which executions of one plan may differ.
type aside struct {
	part string // a pattern of paths of JSON outputs, or of texts
	why  string
}

// asidePaths are the members of JSON outputs that are not compared.
var asidePaths = pattern([]aside{
	{`(started|ended|start|finished)$`, "the time of day"},
	{`(seconds(\..*)?|_ns|csv\.\w+_(median|p95))$`, "a duration"},
	{`\b(head|run|csv|baseline|a|b|(runs|rows|places)\[\d+\])\.(n|run|ref)$`, "the number of a run is the order in which runs began or were imported"},
	{`(run\.uid|end\.run)$`, "drawn for each run"},
	{`attempts\b.*|(retried|resent)\b.*|^batch\b.*|reply\.(batch|sent)$|csv.failed_\w+|csv.may_have_cost_dollars`, "how answers came about: requests, failures, retries, batches"},
	{`comparisons\[\d+\]\.([ab]\.(name|plan)|warnings\b.*|left_out\b.*)$`, "a run that has the tasks in another order has another plan"},
	{`^(checks_of_baseline|run\.name)$`, "a check that was killed after its verdict is over: another one is made"},
	{`^cost\.\w+$|asked$|calls_saved$`, "a check has requests in flight when it has its verdict"},
	{`reply\.request_id$`, "the server's own, and another one for each request"},
})

// pattern returns the pattern of all asides.
func pattern(list []aside) *regexp.Regexp {
	var parts []string
	for _, a := range list {
		parts = append(parts, `(?:`+a.part+`)`)
	}
	return regexp.MustCompile(strings.Join(parts, "|"))
}

// history reads everything that the current database says.
func (e *execution) history() (h history) {
	names := e.names()
	if len(names) != len(e.models) {
		e.odd("%d runs of %d models: %v", len(names), len(e.models), names)
		return nil
	}
	e.look("runs", "--verify")
	h.addJSON("runs --json", e.look("runs", "--json"))
	h.addExport(e, e.look(append([]string{"export"}, names...)...))
	h.addJSON("report --json", e.look(append([]string{"report", "--json"}, names...)...))
	h.addCSV("report --format csv", e.look(append([]string{"report", "--format", "csv"}, names...)...))
	for line := range strings.Lines(string(e.look("show", names[0], "--all"))) {
		h.add("show --all", "line", strings.TrimSpace(line))
	}
	last := len(names) - 1
	command := []string{"check", "--baseline", names[0], "-m", e.address(last), "--margin", "0.3", "--json", "-q", "--db", e.db}
	checked := result{code: -1}
	for _, o := range e.ops {
		switch o.verb {
		case check:
			checked = e.ask(command, o)
		case reorder:
			again := e.plan
			again.tasks = slices.Clone(again.tasks)
			slices.Reverse(again.tasks)
			r := e.ask(append([]string{"run", "--db", e.db, "--json", "-q", "-m", e.address(last)}, again.flags()...), plainly())
			if m := regexp.MustCompile(`"runs":\[\{"n":\d+,"name":"([^"]*)"`).FindSubmatch(r.out); m != nil {
				names[last] = string(m[1])
			}
		}
	}
	if last > 0 {
		h.addJSON("compare --json", e.look(append([]string{"compare", "--json"}, names...)...))
	}
	// What has no answer is asked again: a check that is over has a verdict on the others.
	for again := 0; again < 5 && (!slices.Contains([]int{0, 3, 4}, checked.code) || !bytes.Contains(checked.out, []byte(`"unanswered": 0,`))); again++ {
		checked = e.ask(command, plainly())
	}
	h.add("check --json", "exit code", checked.code)
	h.addJSON("check --json", checked.out)
	slices.Sort(h)
	return h
}

func (h *history) add(output, path string, value any) {
	*h = append(*h, fmt.Sprintf("%s: %s = %s", output, path, asideTexts.ReplaceAllString(fmt.Sprint(value), "*")))
}

// addJSON adds the values of a JSON document, with their paths. Runs are sorted by their models.
func (h *history) addJSON(output string, document []byte) {
	var v map[string]any
	if err := json.Unmarshal(document, &v); err != nil {
		h.add(output, "no JSON", err)
	}
	if runs, ok := v["runs"].([]any); ok {
		slices.SortFunc(runs, func(a, b any) int { return strings.Compare(member(a, "model"), member(b, "model")) })
	}
	h.flatten(output, "", v)
}

func member(v any, name string) string {
	m, _ := v.(map[string]any)
	return fmt.Sprint(m[name])
}

func (h *history) flatten(output, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			h.flatten(output, strings.TrimPrefix(path+"."+name, "."), value)
		}
	case []any:
		for i, value := range v {
			h.flatten(output, fmt.Sprintf("%s[%d]", path, i), value)
		}
	default:
		if !asidePaths.MatchString(path) {
			h.add(output, path, v)
		}
	}
}

// addExport adds the lines of an export. Their order is that of the records in the database, which is not
// compared. A server has sent the whole of each answer that ended by itself.
func (h *history) addExport(e *execution, lines []byte) {
	run := ""
	for line := range bytes.Lines(lines) {
		var v map[string]any
		if err := json.Unmarshal(line, &v); err != nil {
			h.add("export", "no JSON", err)
			return
		}
		for kind := range v {
			if kind == "run" {
				run = member(v[kind], "model")
			}
			output := "export " + run
			if kind == "record" {
				output += fmt.Sprintf(" %s trial %s", member(v[kind], "item"), member(v[kind], "trial"))
				reply, _ := v[kind].(map[string]any)["reply"].(map[string]any)
				text, whole := reply["text"].(string) // otherwise it is not valid UTF-8
				if whole && !strings.HasPrefix(run, "sim:") && reply["finish"] == "stop" && !e.sent[member(v[kind], "item")+": "+text] {
					e.odd("no server has sent the answer %q to %s", text, output)
				}
			}
			h.flatten(output, kind, v[kind])
		}
	}
}

// asideTexts are the parts of texts that are not compared.
var asideTexts = pattern([]aside{
	{`\brun \d+\b|\bshow \d+\b`, "the number of a run: see the paths"},
	{`--db \d+\.db`, "the database may be one into which runs were imported"},
})

// addCSV adds the cells of a table.
func (h *history) addCSV(output string, table []byte) {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil || len(rows) < 2 {
		h.add(output, "no table", err)
		return
	}
	place := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	for _, row := range rows[1:] {
		of := fmt.Sprintf("%s, %s %s %s", output, place(row, "model"), place(row, "family"), place(row, "length"))
		for i, cell := range row {
			h.flatten(of, "csv."+rows[0][i], cell)
		}
	}
}

// difference returns the lines that only one of two histories has, and what must never be; "" if there
// is neither.
func difference(want, got history) string {
	count := map[string]int{}
	for _, line := range want {
		count[line]++
	}
	for _, line := range got {
		count[line]--
	}
	var b strings.Builder
	for _, side := range []struct {
		lines history
		sign  string
		by    int
	}{{want, "-", 1}, {got, "+", -1}} {
		for _, line := range side.lines {
			if count[line]*side.by > 0 || strings.HasPrefix(line, "!") {
				count[line] -= side.by
				fmt.Fprintf(&b, "%s %s\n", side.sign, line)
			}
		}
	}
	return b.String()
}
