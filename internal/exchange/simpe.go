package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
	"verbatim/internal/terminal"
)

// originSimpE is the Origin of runs that come from simpE.
const originSimpE = "simpe"

// StatusGrader is the grader of the grades that Read returns, which are the statuses in the files:
// "success" is exact.
const StatusGrader = "simpe-status"

// ReadSimpE reads result files of simpE. All results of a model make one Run, in the order of the
// models' names. To keep two runs of a model apart, read their files with two calls.
//
// The items are of edition reference, and their ids have a digest of their contents, such as
// simpe:reversal/1a2b3c4d5e6f. tests, which may be nil, returns the name of the family for
// "reversal", "rehearsal" and "addition". A result that repeats an item is another trial of it.
//
// A file leaves out failed requests. If its number of tries is higher than that of its results,
// the difference becomes records with a Failure, of items of which only the test is known.
//
// A record has the whole reply and the file's own status as its Grade. The error joins those of
// all files, up to 20; the runs are those of the other files.
func ReadSimpE(tests func(test string) string, paths ...string) ([]Run, error) {
	b := builder{tests: tests, models: make(map[string]*simpeRun)}
	for _, path := range paths {
		files, err := filesIn(path, "result_*.json", func(name string) bool {
			return strings.HasPrefix(name, "result_") && strings.HasSuffix(name, ".json")
		})
		b.wrong.Add(err)
		for _, file := range files {
			var data simpeFile
			if err := readJSON(file, &data); err != nil {
				b.wrong.Add(err)
				continue
			}
			trial := builder{tests: tests, models: make(map[string]*simpeRun)} // of a file with a fault, nothing is taken
			if trial.file(file, &data); trial.wrong.Count() > 0 {
				b.wrong.Add(trial.wrong.Err())
				continue
			}
			b.file(file, &data)
		}
	}
	var runs []Run
	for _, r := range b.models {
		name := r.files[0]
		if len(r.files) > 1 {
			name = fmt.Sprintf("%d files of simpE", len(r.files))
		}
		run, err := inMemory(verbatim.Run{Model: r.model, Started: r.started, Origin: originSimpE}, "simpe", name, r.records)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	slices.SortStableFunc(runs, func(x, y Run) int { return cmp.Compare(x.Model, y.Model) })
	return runs, b.wrong.Err()
}

// A simpeFile is a result file as simpE writes it.
type simpeFile struct {
	Reversal  *simpeTest `json:"string_reversal"`
	Addition  *simpeTest `json:"add_two_ints"`
	Rehearsal *simpeTest `json:"string_rehearsal"`
}

// tests returns the tests in the order of testNames; nil for a missing one.
func (f *simpeFile) tests() [3]*simpeTest {
	return [3]*simpeTest{f.Reversal, f.Addition, f.Rehearsal}
}

type simpeTest struct {
	Type     string        `json:"test_type"`
	Attempts *int64        `json:"tries"`
	Results  []simpeResult `json:"results"`
}

type simpeResult struct {
	String    json.RawMessage `json:"string"`
	Int1      json.RawMessage `json:"int1"`
	Int2      json.RawMessage `json:"int2"`
	Duration  *float64        `json:"duration_seconds"`
	Reasoning json.RawMessage `json:"reasoning"`
	Response  json.RawMessage `json:"response"`
	Model     string          `json:"model"`
	Status    *string         `json:"status"`
}

// A simpeRun collects the records of one model.
type simpeRun struct {
	model   string
	started time.Time
	records []verbatim.Record
	trials  map[string]int // by the id of the item
	files   []string
}

// A builder makes the runs of several files.
type builder struct {
	tests  func(string) string
	models map[string]*simpeRun
	wrong  problems
}

// run returns the run of a model that has results in the file at path.
func (b *builder) run(model, path string) *simpeRun {
	r := b.models[model]
	if r == nil {
		r = &simpeRun{model: model, trials: make(map[string]int)}
		b.models[model] = r
	}
	if name := filepath.Base(path); !slices.Contains(r.files, name) {
		r.files = append(r.files, name)
		if at := startOf(name); r.started.IsZero() || !at.IsZero() && at.Before(r.started) {
			r.started = at
		}
	}
	return r
}

// file adds the results of a file.
func (b *builder) file(path string, data *simpeFile) {
	if data.tests() == [3]*simpeTest{} {
		b.wrong.Add(fmt.Errorf("%s: this is no result file of simpE: string_reversal, add_two_ints and string_rehearsal are missing", path))
		return
	}
	main := majority(data)
	for i, test := range data.tests() {
		if test == nil {
			continue
		}
		name, key := testNames()[i].name, testNames()[i].key
		for i := range test.Results {
			res := &test.Results[i]
			rec, err := res.record(name, b.family(name))
			if err != nil {
				b.wrong.Add(fmt.Errorf("%s: %s.results[%d]%w", path, key, i, err))
				continue
			}
			model := cmp.Or(res.Model, main)
			if model == "" {
				b.wrong.Add(fmt.Errorf("%s: %s.results[%d].model: no result of this file names a model", path, key, i))
				continue
			}
			b.run(model, path).add(rec)
		}
		b.lost(path, key, name, test, main)
	}
}

func (b *builder) family(test string) string {
	if b.tests != nil {
		if name := b.tests(test); name != "" {
			return name
		}
	}
	return test
}

// lost adds records for the requests that the file counts and leaves out.
func (b *builder) lost(path, key, name string, t *simpeTest, model string) {
	const most = 1_000_000
	switch {
	case t.Attempts == nil:
		return
	case *t.Attempts < int64(len(t.Results)) || *t.Attempts > most:
		b.wrong.Add(fmt.Errorf("%s: %s.tries: %d, but there are %d results", path, key, *t.Attempts, len(t.Results)))
		return
	case *t.Attempts == int64(len(t.Results)):
		return
	case model == "":
		b.wrong.Add(fmt.Errorf("%s: %s: no result names a model", path, key))
		return
	}
	run := b.run(model, path)
	mark := digest(filepath.Base(path))
	for i := range *t.Attempts - int64(len(t.Results)) {
		run.add(verbatim.Record{
			Item: &verbatim.Item{
				ID:     fmt.Sprintf("simpe:%s/lost/%s/%d", name, mark, i+1),
				Facts:  map[string]string{verbatim.FactFamily: b.family(name), verbatim.FactEdition: string(verbatim.Reference)},
				Grader: graderOf(name),
			},
			Outcome: verbatim.Errored,
			Failure: &verbatim.Failure{Class: verbatim.Transport, Err: errLost},
		})
	}
}

var errLost = errors.New("simpE leaves failed requests out of its results, without the reason")

// majority returns the model of most results of a file, after which simpE names the file.
func majority(data *simpeFile) string {
	seen := make(map[string]int)
	best := ""
	for _, t := range data.tests() {
		if t == nil {
			continue
		}
		for _, r := range t.Results {
			if r.Model == "" {
				continue
			}
			if seen[r.Model]++; seen[r.Model] > seen[best] {
				best = r.Model
			}
		}
	}
	return best
}

func (r *simpeRun) add(rec verbatim.Record) {
	rec.Trial = r.trials[rec.Item.ID]
	r.trials[rec.Item.ID]++
	r.records = append(r.records, rec)
}

// The prompts of simpE, before the quoted text or numbers.
const (
	reversal  = "Provide the following text in reverse order. Don't output anything else. Only output the reversed string without anything additional, not even quotes: "
	rehearsal = "Repeat the following string exactly without modifying it. Don't output anything else. Only output the string without anything additional, not even quotes: "
	addition  = "Provide the sum of the two numbers. Don't output anything else. Only output the sum of the two numbers without anything additional. Only output the final number, no calculation, no explanation, just the final number without any text.: "
)

// record returns the record of a result. Its error begins with the name of a field.
func (res *simpeResult) record(test, family string) (verbatim.Record, error) {
	it, err := res.item(test, family)
	if err != nil {
		return verbatim.Record{}, err
	}
	reply := &verbatim.Reply{ServedModel: res.Model}
	if reply.Text, err = Text(res.Response); err != nil {
		return verbatim.Record{}, fmt.Errorf(".response: %w", err)
	}
	if rawjson.IsSet(res.Reasoning) {
		if reply.Reasoning, err = Text(res.Reasoning); err != nil {
			return verbatim.Record{}, fmt.Errorf(".reasoning: %w", err)
		}
		reply.ReasoningField = "reasoning"
	}
	if d := res.Duration; d != nil {
		if *d < 0 || *d > math.MaxInt32 {
			return verbatim.Record{}, fmt.Errorf(".duration_seconds: %v seconds are no duration", *d)
		}
		reply.Times.Total = time.Duration(*d * float64(time.Second))
	}
	rec := verbatim.Record{Item: it, Prompt: it.Prompt, Reply: reply}
	rec.Grade, err = res.claim()
	return rec, err
}

// claim returns the grade that the file gives the reply; nil without a status.
func (res *simpeResult) claim() (*verbatim.Grade, error) {
	g := &verbatim.Grade{Grader: StatusGrader, Outcome: verbatim.Wrong, Label: "fail"}
	score := 0.0
	switch {
	case res.Status == nil:
		return nil, nil
	case *res.Status == "success":
		g.Outcome, g.Label, g.Exact, g.Extracted, score = verbatim.Pass, "pass", true, true, 1
	case *res.Status != "fail":
		return nil, fmt.Errorf(".status: want success or fail, found %q", *res.Status)
	}
	g.Score = &score
	return g, nil
}

// item returns the item of a result.
func (res *simpeResult) item(test, family string) (*verbatim.Item, error) {
	if test == "addition" {
		return res.sum(family)
	}
	s, err := Text(res.String)
	if err != nil {
		return nil, fmt.Errorf(".string: %w", err)
	}
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf(".string: %q is not text", s)
	}
	it := newItem(test, family, s, utf8.RuneCountInString(s))
	source := verbatim.TextAnswer(s)
	it.Source, it.Want, it.Prompt = &source, source, userPrompt(rehearsal+`"`+s+`"`)
	if test == "reversal" {
		it.Want, it.Prompt = verbatim.TextAnswer(backwards(s)), userPrompt(reversal+`"`+s+`"`)
	}
	return it, nil
}

func (res *simpeResult) sum(family string) (*verbatim.Item, error) {
	a, err := integer(res.Int1)
	if err != nil {
		return nil, fmt.Errorf(".int1: %w", err)
	}
	b, err := integer(res.Int2)
	if err != nil {
		return nil, fmt.Errorf(".int2: %w", err)
	}
	x, y := a.String(), b.String()
	it := newItem("addition", family, x+" "+y, max(len(x), len(y)))
	source := verbatim.ListAnswer([]any{element(a), element(b)})
	it.Source, it.Want = &source, verbatim.TextAnswer(a.Add(a, b).String())
	it.Prompt = userPrompt(addition + `"` + x + `" "` + y + `"`)
	return it, nil
}

func newItem(test, family, content string, length int) *verbatim.Item {
	return &verbatim.Item{
		ID: "simpe:" + test + "/" + digest(content),
		Facts: map[string]string{
			verbatim.FactFamily:  family,
			verbatim.FactLength:  strconv.Itoa(length),
			verbatim.FactEdition: string(verbatim.Reference),
		},
		Grader: graderOf(test),
	}
}

func graderOf(test string) string {
	if test == "addition" {
		return "integer-reference" // Python's int() is the rule of the published code
	}
	return "text"
}

func backwards(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// integer reads a JSON number without a sign, point or exponent, of at most 1,000 digits, which is
// more than simpE asks for.
func integer(raw json.RawMessage) (*big.Int, error) {
	const mostDigits = 1000
	s := string(bytes.TrimSpace(raw))
	n, ok := new(big.Int).SetString(s[:min(len(s), mostDigits+1)], 10)
	if !ok || n.Sign() < 0 || len(s) > mostDigits || s[0] == '+' {
		return nil, fmt.Errorf("want a whole number of at most %d digits, found %s", mostDigits, rawjson.Kind([]byte(s)))
	}
	return n, nil
}

// element returns n as an element of an answer's list.
func element(n *big.Int) any {
	if n.IsInt64() {
		return n.Int64()
	}
	return new(big.Int).Set(n)
}

var stamp = regexp.MustCompile(`_(\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})\.json$`)

// stampLayout is the time in the name of a result file.
const stampLayout = "2006-01-02_15-04-05"

// startOf returns the time in the name of a result file, result_MODEL_TIME.json; zero
// without one. simpE writes the local time without a zone: it is read as UTC.
func startOf(name string) time.Time {
	m := stamp.FindStringSubmatch(name)
	if m == nil {
		return time.Time{}
	}
	t, _ := time.Parse(stampLayout, m[1]) // zero after an error
	return t
}

// WriteSimpE writes runs into dir as result files of simpE, one for each run: result_MODEL_TIME.json,
// with the model without its slashes. It returns the files. The model is the one that the server
// reports most often, as simpE writes it; without any it is the model of the run. test returns the
// test of a family: "reversal", "rehearsal" or "addition". Another result is an error.
//
// As in simpE, a file counts all requests, except skipped ones, and leaves those without an answer
// out of its results. The status is "success" for an exact answer. Read returns the items, replies,
// durations and the number of failures; tokens, finish reasons and the reasons of failures are
// lost. An unknown duration is left out. The log of a run is logs/log_TIME.txt in dir.
func WriteSimpE(dir Folder, test func(family string) string, runs ...Run) (files []string, err error) {
	if err := dir.makeFolder("logs"); err != nil {
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
		free := func(start, end string) string {
			name := ""
			for at := run.Started; name == "" || used[name]; at = at.Add(time.Second) { // two runs may have begun in the same second
				name = start + at.UTC().Format(stampLayout) + end
			}
			used[name] = true
			return name
		}
		name := free("result_"+fileWord(strings.ReplaceAll(model, "/", ""))+"_", ".json")
		path := filepath.Join(dir.Path, name)
		err = writeFile(&dir, name, model, attempts, test, run)
		if err == nil {
			err = writeLog(&dir, filepath.Join("logs", free("log_", ".txt")), attempts, test, run)
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", run.Name, err)
		}
		files = append(files, path)
	}
	return files, nil
}

// testNames returns the tests in the order in which simpE runs them: the name of this program, the
// key in the files, the type in the files, and the name in logs.
func testNames() []struct{ name, key, kind, logged string } {
	return []struct{ name, key, kind, logged string }{
		{"reversal", "string_reversal", "String Reversal", "string reversal"},
		{"addition", "add_two_ints", "Add two intigers", "integer addition"}, // as simpE spells it
		{"rehearsal", "string_rehearsal", "String Rehearsal", "string rehearsal"},
	}
}

// writeLog writes what simpE logs of such a run. Characters that a terminal would obey are named.
func writeLog(dir *Folder, name string, attempts map[string]int64, test func(string) string, run *Run) error {
	f, err := dir.Create(name)
	if err != nil {
		return err
	}
	defer f.Discard()
	out := bufio.NewWriter(f)
	log := func(at time.Time, message string) {
		if at.IsZero() {
			at = run.Started // the time of the request is unknown
		}
		out.WriteString("[" + at.UTC().Format(stampLayout) + "] ")
		for line := range strings.SplitSeq(message, "\n") {
			out.WriteString(terminal.SafeLine(line) + "\n")
		}
	}
	for _, t := range testNames() {
		if attempts[t.name] == 0 {
			continue
		}
		log(time.Time{}, fmt.Sprintf("Starting new %s eval with %d tries", t.logged, attempts[t.name]))
		n := 0
		for rec, err := range run.Records {
			if err != nil {
				return err
			}
			if rec.Outcome == verbatim.Skipped || test(rec.Item.Facts[verbatim.FactFamily]) != t.name {
				continue
			}
			logTry(log, n, &rec, t.name == "addition")
			n++
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Commit()
}

// pythonInt matches what Python's int() reads, without white space around it.
var pythonInt = regexp.MustCompile(`^[+-]?\p{Nd}+(_\p{Nd}+)*$`)

// logTry logs try n, which counts from 0.
func logTry(log func(time.Time, string), n int, rec *verbatim.Record, isSum bool) {
	var start, end time.Time
	if rec.Reply != nil {
		start, end = rec.Reply.Times.Start, rec.Reply.Times.Start.Add(rec.Reply.Times.Total)
	} else if attempts := rec.Attempts(); len(attempts) > 0 {
		last := attempts[len(attempts)-1]
		start, end = attempts[0].Start, last.Start.Add(last.Total)
	}
	log(start, fmt.Sprintf("Starting test %d", n))
	if rec.Reply == nil {
		reason := string(rec.Outcome)
		if rec.Failure != nil {
			reason = rec.Failure.Error()
		}
		log(end, "An error occurred in the API call: "+reason)
		return
	}
	if rec.Reply.Reasoning != "" {
		log(end, "[Reasoning]: \n"+rec.Reply.Reasoning)
	}
	switch got := pylit.Strip(rec.Reply.Text); {
	case isSum && !pythonInt.MatchString(got):
		log(end, fmt.Sprintf("Test %d failed. Output contained non-numeric characters", n+1))
	case rec.Grade != nil && rec.Grade.Exact:
		log(end, fmt.Sprintf("Success: %d", n+1))
	default:
		log(end, fmt.Sprintf("Test %d failed. Expected: %s, Got: %s", n+1, rec.Item.Want.Text, got))
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
