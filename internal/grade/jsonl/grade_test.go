package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/task"
)

func filterString(t *testing.T, in string) (out []string, f Result) {
	t.Helper()
	var b bytes.Buffer
	f, err := Grade(strings.NewReader(in), &b, new(task.Fields), nil)
	if err != nil {
		t.Fatal(err)
	}
	if b.Len() > 0 {
		out = strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	return out, f
}

func TestLinesKeepTheLine(t *testing.T) {
	const tail = `,"grade":{"outcome":"pass","label":"pass","exact":true,"extracted":true,"score":1,"measures":{`
	for _, c := range []struct{ in, want string }{
		{`{"want":"ab","reply":"ab"}`, `{"want":"ab","reply":"ab"`},
		{`{ "z" : [1, {"a":null}] , "want":"ab","reply":" ab\n", "x":1e400 }`, `{ "z" : [1, {"a":null}] , "want":"ab","reply":" ab\n", "x":1e400 `},
		{"\t{\"reply\":\"ab\",\"want\":\"ab\"}\r", `{"reply":"ab","want":"ab"`},
		{"\ufeff" + `{"reply":"ab","want":"ab"}`, `{"reply":"ab","want":"ab"`},
		{`{"item":{"id":"i","want":"ab","messages":[{"role":"user","content":"x"}]},"reply":"ab"}`, `{"item":{"id":"i","want":"ab","messages":[{"role":"user","content":"x"}]},"reply":"ab"`},
		{`{"item":{"want":"xy","reply":"no","item":7},"want":"ab","reply":"ab"}`, `{"item":{"want":"xy","reply":"no","item":7},"want":"ab","reply":"ab"`},
		{`{"grade":{"outcome":"wrong"},"want":"ab","reply":"ab","grade":1}`, `{"want":"ab","reply":"ab"`},
		{`{"want":"ab", "grade": 3 , "reply":"ab"}`, `{"want":"ab","reply":"ab"`},
		{`{"want":"ab","reply":"ab","grade":null}`, `{"want":"ab","reply":"ab"`},
		{`{"\u0077ant":"ab","reply":"\u0061\u0062","source":null,"grader":null,"facts":null,"finish_reason":null}`, `{"\u0077ant":"ab","reply":"\u0061\u0062","source":null,"grader":null,"facts":null,"finish_reason":null`},
	} {
		out, f := filterString(t, c.in+"\n")
		if len(out) != 1 || f.Bad != 0 || f.Graded != 1 {
			t.Errorf("%s: %q, %+v", c.in, out, f)
			continue
		}
		if !strings.HasPrefix(out[0], c.want+tail) {
			t.Errorf("%s\n became %s", c.in, out[0])
		}
	}
}

// Grading what was graded gives the same bytes.
func TestLinesTwice(t *testing.T) {
	once, _ := filterString(t, `{"want":"abcd","reply":"\"abcd\"","id":"x"}`+"\n"+`{"want":[3,1.0,"é",null,true],"reply":"[3]","grader":"list"}`)
	if len(once) != 2 {
		t.Fatal(once)
	}
	twice, _ := filterString(t, strings.Join(once, "\n"))
	if !reflect.DeepEqual(once, twice) {
		t.Errorf("once  %s\ntwice %s", once, twice)
	}
}

// A reply whose finish reason says that the server failed is no answer: it is named,
// not graded as wrong.
func TestLinesOfFailures(t *testing.T) {
	out, f := filterString(t, `{"want":"a","reply":"a","finish_reason":"network_error"}
{"want":"a","reply":"b","finish_reason":"ERROR"}
{"want":"a","reply":"b","finish_reason":"eos_x"}
{"want":"a","reply":"b","finish_reason":"sensitive"}`)
	if len(out) != 4 || f.Graded != 2 || f.Bad != 2 || !strings.Contains(f.Named[0].Reason, `"network_error"`) {
		t.Fatalf("%q, %+v", out, f)
	}
	if !strings.Contains(out[0], `"grade":null`) || !strings.Contains(out[1], `"grade":null`) || !strings.Contains(out[2], `"outcome":"wrong"`) || !strings.Contains(out[3], `"outcome":"refused"`) {
		t.Errorf("%q", out)
	}
}

func TestLinesGradeAsOf(t *testing.T) {
	for _, c := range []struct {
		line   string
		item   verbatim.Item
		reply  string
		finish verbatim.Finish
	}{
		{`{"want":"dcba","source":"abcd","reply":"abcd"}`, verbatim.Item{Want: verbatim.TextAnswer("dcba"), Source: &verbatim.Answer{Text: "abcd"}}, "abcd", ""},
		{`{"want":"abcdefgh","reply":"abc","finish_reason":"length"}`, verbatim.Item{Want: verbatim.TextAnswer("abcdefgh")}, "abc", verbatim.FinishLength},
		{`{"want":"abcdefgh","reply":"abc","finish_reason":"MAX_TOKENS"}`, verbatim.Item{Want: verbatim.TextAnswer("abcdefgh")}, "abc", verbatim.FinishLength},
		{`{"want":"abcdefgh","reply":"abc","finish_reason":"tool_calls"}`, verbatim.Item{Want: verbatim.TextAnswer("abcdefgh")}, "abc", verbatim.FinishOther},
		{`{"want":"12","grader":"integer-reference","reply":"+12"}`, verbatim.Item{Want: verbatim.TextAnswer("12"), Grader: "integer-reference"}, "+12", ""},
		{`{"want":"12","grader":"integer","source":[7,5],"reply":"22"}`, verbatim.Item{Want: verbatim.TextAnswer("12"), Grader: "integer", Source: &verbatim.Answer{List: []any{int64(7), int64(5)}}}, "22", ""},
		{`{"want":"abcdefgh","facts":{"edition":"reference"},"reply":"abcdefghij"}`, verbatim.Item{Want: verbatim.TextAnswer("abcdefgh"), Facts: map[string]string{"edition": "reference"}}, "abcdefghij", ""},
		{`{"item":{"want":[1,2],"grader":"sortbench","source":[2,1]},"reply":"[1, 2]"}`, verbatim.Item{Want: verbatim.ListAnswer([]any{int64(1), int64(2)}), Source: &verbatim.Answer{List: []any{int64(2), int64(1)}}, Grader: "sortbench"}, "[1, 2]", ""},
		{`{"item":{"want":"dcba","source":"abcd","facts":{"edition":"paper"},"grader":"text"},"reply":"abcdefgh"}`, verbatim.Item{Want: verbatim.TextAnswer("dcba"), Source: &verbatim.Answer{Text: "abcd"}, Facts: map[string]string{"edition": "paper"}}, "abcdefgh", ""},
		{`{"item":{"want":"dcba","source":"abcd","facts":{"edition":"paper"},"grader":"list"},"reply":"21","source":[1,20],"want":"21","grader":"integer","facts":{}}`, verbatim.Item{Want: verbatim.TextAnswer("21"), Grader: "integer"}, "21", ""},
		{`{"want":7.50,"reply":"7.5"}`, verbatim.Item{Want: verbatim.TextAnswer("7.50")}, "7.5", ""},
		{`{"question":"q","ideal":["a", "b"],"reply":"b"}`, verbatim.Item{Want: verbatim.TextAnswer("a"), Accept: []verbatim.Answer{verbatim.TextAnswer("b")}}, "b", ""},
		{`{"item":{"Answer":"2+5=7\n#### 7"},"reply":"7"}`, verbatim.Item{Want: verbatim.TextAnswer("7")}, "7", ""},
		{`{"answers":{"text":["x","y"]},"want":"a","reply":"x"}`, verbatim.Item{Want: verbatim.TextAnswer("a")}, "x", ""},
		{`{"want":"a\ud83d\ude00","reply":"a\ud83d"}`, verbatim.Item{Want: verbatim.TextAnswer("a😀")}, "a\xed\xa0\xbd", ""},
		{"{\"want\":\"a\xff\",\"reply\":\"\xfe\"}", verbatim.Item{Want: verbatim.TextAnswer("a\xff")}, "\xfe", ""},
	} {
		out, f := filterString(t, c.line)
		if len(out) != 1 {
			t.Errorf("%s: %+v", c.line, f)
			continue
		}
		want, err := json.Marshal(grade.Of(&c.item, c.reply, c.finish))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Grade json.RawMessage }
		if err := json.Unmarshal([]byte(out[0]), &got); err != nil {
			t.Errorf("%s: %v", out[0], err)
		}
		if !sameJSON(t, got.Grade, want) {
			t.Errorf("%s:\n got %s\nwant %s", c.line, got.Grade, want)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}

func TestLinesBad(t *testing.T) {
	bad := []struct{ line, reason string }{
		{`[]`, "want"}, {`{`, "end of the text"}, {`{"want":"a","reply":"a"} x`, "want the end"},
		{`{"want":"a"}`, `no "reply"`}, {`{"want":"a","reply":null}`, `no "reply"`}, {`{"reply":"a"}`, `no field is the answer`},
		{`{"want":true,"reply":"a"}`, "want: "}, {`{"want":null,"reply":"a"}`, "want: "}, {`{"want":[{}],"reply":"a"}`, "a list cannot hold an object"},
		{`{"want":[1e999],"reply":"a"}`, "not a float64"}, {`{"want":"a","reply":["a"]}`, "reply: "},
		{`{"want":"a","reply":"a","grader":"judge"}`, `no grader "judge"`}, {`{"want":"a","reply":"a","grader":"list"}`, "wants a list"},
		{`{"want":"a","reply":"a","grader":"integer"}`, "whole number"}, {`{"want":"a","reply":"a","facts":{"n":1}}`, "facts: "},
		{`{"want":"a","reply":"a","item":"id"}`, "item: "}, {`{"want":"a","reply":"a","x":01}`, "not JSON at byte 29"},
		{`{"want":"a","reply":"a","x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, "nested"},
		{"{\"want\":\"a\",\"reply\":\"a\tb\"}", "control character"}, {`{"target":"a","answer":"a","reply":"a"}`, `--fields answer=target`},
	}
	var in strings.Builder
	for _, b := range bad {
		fmt.Fprintf(&in, "\n{\"want\":\"a\",\"reply\":\"a\"}\n%s\n", b.line)
	}
	out, f := filterString(t, in.String())
	if f.Graded != int64(len(bad)) || len(out) != 2*len(bad) || f.Bad != int64(len(bad)) || len(f.Named) != len(bad) {
		t.Fatalf("%d lines out, %+v", len(out), f)
	}
	for i, b := range bad {
		if got := f.Named[i]; got.N != int64(3*i+3) || !strings.Contains(got.Reason, b.reason) {
			t.Errorf("%s: %v, want %q", b.line, got, b.reason)
		}
		var refused struct {
			Grade  json.RawMessage
			Reason string `json:"grade_error"`
			Line   int64
		}
		if err := json.Unmarshal([]byte(out[2*i+1]), &refused); err != nil || string(refused.Grade) != "null" || refused.Reason != f.Named[i].Reason {
			t.Errorf("%s is written as %s: %v", b.line, out[2*i+1], err)
		}
		if object := strings.HasPrefix(b.line, "{") && json.Valid([]byte(b.line)); object != (refused.Line == 0) && i != 17 { // the deepest one is not read
			t.Errorf("%s is written as %s", b.line, out[2*i+1])
		}
	}
}

// Lists within lists take room for their own items, not each for those of all.
func TestLinesNested(t *testing.T) {
	const depth, most = 900, 16 << 20
	list := strings.Repeat("[", depth) + "1" + strings.Repeat(",1", 20_000) + strings.Repeat("]", depth)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readLine([]byte(`{"want":`+list+`,"reply":"1"}`), new(task.Fields)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > most {
		t.Errorf("a line of %d bytes takes %d bytes of memory, want at most %d", len(list), took, most)
	}
}

// A line that was refused and is mended gets a grade in place of the reason.
func TestLinesMended(t *testing.T) {
	out, _ := filterString(t, `{"grade":null,"grade_error":"no \"want\"","reply":"a","want":"a","id":7}`+"\n"+`{}`)
	if !strings.HasPrefix(out[0], `{"reply":"a","want":"a","id":7,"grade":{"outcome":"pass"`) || strings.Contains(out[0], "grade_error") {
		t.Errorf("%s", out[0])
	}
	if !strings.HasPrefix(out[1], `{"grade":null,"grade_error":"no `) {
		t.Errorf("%s", out[1])
	}
}

func TestLinesNameTwentyBadOnes(t *testing.T) {
	_, f := filterString(t, strings.Repeat("no\n", 50_000))
	if f.Bad != 50_000 || len(f.Named) != maxNamed || f.Named[19].N != 20 {
		t.Errorf("%d bad, %d named: %v", f.Bad, len(f.Named), f.Named)
	}
}

// Many lines of all sizes, read in pieces of all sizes, come out in order.
func TestLinesInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 5000
	var in bytes.Buffer
	for i := range n {
		size := r.IntN(50)
		if r.IntN(200) == 0 {
			size = r.IntN(400_000)
		}
		fmt.Fprintf(&in, `{"n":%d,"want":"b%s","reply":"x"}`, i, strings.Repeat("a", size))
		if i < n-1 { // the last line has no end
			in.WriteString("\n")
		}
	}
	var out bytes.Buffer
	f, err := Grade(iotest.HalfReader(&in), &out, new(task.Fields), nil)
	if err != nil || f.Graded != n {
		t.Fatalf("%+v, %v", f, err)
	}
	dec := json.NewDecoder(&out)
	for i := range n {
		var l struct{ N int }
		if err := dec.Decode(&l); err != nil || l.N != i {
			t.Fatalf("line %d: %+v, %v", i, l, err)
		}
	}
}

func TestLinesOf64MB(t *testing.T) {
	if os.Getenv("VERBATIM_EXHAUSTIVE") == "" {
		t.Skip("half a gigabyte of memory: VERBATIM_EXHAUSTIVE=1 runs this test; scripts/check exhaustive does")
	}
	long := strings.Repeat("a", 64<<20)
	in := `{"want":"a","reply":"a"}` + "\n" + `{"want":"b","reply":"` + long + `"}` + "\n" + `{"want":"c","reply":"c"}`
	var out bytes.Buffer
	f, err := Grade(strings.NewReader(in), &out, new(task.Fields), nil)
	if err != nil || f.Graded != 3 {
		t.Fatalf("%+v, %v", f, err)
	}
	if !bytes.HasPrefix(out.Bytes(), []byte(`{"want":"a"`)) || !bytes.Contains(out.Bytes()[out.Len()-400:], []byte(`{"want":"c"`)) {
		t.Error("out of order")
	}
}

func TestLinesTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("half a gigabyte of memory")
	}
	endless := io.LimitReader(endlessly('a'), maxLine+5)
	in := io.MultiReader(strings.NewReader("{\"want\":\"a\",\"reply\":\"a\"}\n"), endless, strings.NewReader("\n{\"want\":\"b\",\"reply\":\"b\"}\nx\n"))
	var out bytes.Buffer
	f, err := Grade(in, &out, new(task.Fields), nil)
	if err != nil || f.Graded != 2 || len(f.Named) != 2 || f.Named[0] != (badLine{2, "longer than 256 MB"}) || f.Named[1].N != 4 {
		t.Fatalf("%+v, %v", f, err)
	}
}

type endlessly byte

func (e endlessly) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

var errTest = errors.New("as the test wants")

func TestLinesReadError(t *testing.T) {
	in := io.MultiReader(strings.NewReader("{\"want\":\"a\",\"reply\":\"a\"}\n{\"want\""), iotest.ErrReader(errTest))
	var out bytes.Buffer
	f, err := Grade(in, &out, new(task.Fields), nil)
	if !errors.Is(err, errTest) || f.Graded != 1 || f.Bad != 0 || out.Len() == 0 {
		t.Errorf("%+v, %v, %q", f, err, &out)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errTest }

func TestLinesWriteError(t *testing.T) {
	in := io.LimitReader(repeated(`{"want":"a","reply":"a"}`+"\n"), 50<<20)
	if f, err := Grade(in, failingWriter{}, new(task.Fields), nil); !errors.Is(err, errTest) {
		t.Errorf("%+v, %v", f, err)
	}
}

// repeated reads s over and over.
func repeated(s string) io.Reader { return &repeater{s: s} }

type repeater struct {
	s  string
	at int
}

func (r *repeater) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m := copy(p[n:], r.s[r.at:])
		n, r.at = n+m, (r.at+m)%len(r.s)
	}
	return n, nil
}

// A line is answered before the next one has come: the filter can stand in a pipe
// of slow programs.
func TestLinesDoNotWait(t *testing.T) {
	questions, ask := io.Pipe()
	answers, answer := io.Pipe()
	go func() {
		_, err := Grade(questions, answer, new(task.Fields), nil)
		answer.CloseWithError(err)
	}()
	dec := json.NewDecoder(answers)
	for range 3 {
		if _, err := io.WriteString(ask, "{\"want\":\"a\",\"reply\":\"a\"}\n"); err != nil {
			t.Fatal(err)
		}
		var l struct{ Grade verbatim.Grade }
		if err := dec.Decode(&l); err != nil || l.Grade.Outcome != verbatim.Pass {
			t.Fatalf("%+v, %v", l, err)
		}
	}
	ask.Close()
	if err := dec.Decode(&struct{}{}); err != io.EOF {
		t.Error(err)
	}
}

// Whatever comes in, what goes out is lines of JSON with a grade or a reason, as many
// as were counted.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"want\":\"a\",\"reply\":\"a\"}\n{\"item\":{\"want\":[1]},\"reply\":\"\"}\n\nx"))
	f.Add([]byte(`{"grade":1,"want":"ab","reply":"\"ab\"","finish_reason":"length"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		result, err := Grade(bytes.NewReader(in), &out, new(task.Fields), nil)
		if err != nil {
			t.Fatal(err)
		}
		var graded, refused int64
		for line := range bytes.Lines(out.Bytes()) {
			var l map[string]json.RawMessage // a struct would take "Grade" as well
			var g verbatim.Grade
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if _, ok := l["grade_error"]; ok {
				refused++
				continue
			}
			if err := json.Unmarshal(l["grade"], &g); err != nil || g.Grader == "" {
				t.Fatalf("%q: %v", line, err)
			}
			graded++
		}
		if graded != result.Graded || refused != result.Bad || int(result.Bad) < len(result.Named) {
			t.Fatalf("%d and %d lines out, %+v", graded, refused, result)
		}
	})
}

// appendGrade says what json.Marshal says.
func TestAppendGrade(t *testing.T) {
	third := 1.0 / 3
	for _, g := range []verbatim.Grade{
		{},
		{Outcome: verbatim.Wrong, Label: "confusable", Detail: "\"\\\n\x00\x1f\x7f<é\u2028\u2029😀>0@1", Exact: true, Extracted: true, Score: &third,
			Repair: "Broken quotes", Flags: []string{"loop", "truncated"}, Measures: map[string]float64{"ned": 1e-9, "length": 1e15, "b": -2.5, "a": 0, "c": 1e300, "d": third}, Grader: "text/1"},
		{Measures: many(100)},
	} {
		want, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendGrade(nil, &g); !sameJSON(t, got, want) {
			t.Errorf(" got %s\nwant %s", got, want)
		}
	}
	if got := string(appendString(nil, "a\xffb\u2028")); got != `"a\ufffdb\u2028"` {
		t.Error(got)
	}
	g := verbatim.Grade{Measures: many(100)}
	got := string(appendGrade(nil, &g))
	if strings.Index(got, `"m00"`) > strings.Index(got, `"m01"`) || strings.Index(got, `"m98"`) > strings.Index(got, `"m99"`) {
		t.Error("measures are not sorted")
	}
}

func many(n int) map[string]float64 {
	m := map[string]float64{}
	for i := range n {
		m["m"+string(rune('0'+i/10))+string(rune('0'+i%10))] = float64(i)
	}
	return m
}

// One reply that a grader fails on is named, and all others are graded.
func TestLinesOfFailingGrader(t *testing.T) {
	in := "{\"want\":\"a\",\"reply\":\"a\"}\n{\"want\":\"a\",\"reply\":\"boom\"}\n{\"want\":\"a\",\"reply\":\"b\"}\n"
	var out bytes.Buffer
	f := newFilter(&out, nil)
	f.grade = func(m *grade.Memory, it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error) {
		if text == "boom" {
			it = nil // which no grader can read
		}
		return m.Try(it, text, finish)
	}
	done, err := f.run(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	if done.Graded != 2 || done.Bad != 1 || done.Named[0].N != 2 || !strings.Contains(done.Named[0].Reason, "a defect of verbatim") {
		t.Errorf("%+v", done)
	}
	if got := out.String(); strings.Count(got, "\n") != 3 || !strings.Contains(got, `"reply":"boom","grade":null,"grade_error":"the grader fails`) {
		t.Errorf("%s", got)
	}
}
