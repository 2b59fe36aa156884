package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"verbatim"

	"verbatim/internal/rawjson"
)

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
