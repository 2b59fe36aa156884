package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/reasoning"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// TestRecordsComeBack saves records with hostile contents and reads them again.
func TestRecordsComeBack(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	rapid.Check(t, func(t *rapid.T) {
		recs := storetest.HostileRun(t, "run")
		run := rapidRun(t, s)
		w, err := s.Write(ctx, nil, run.N)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range rapid.Permutation(index(len(recs))).Draw(t, "order") {
			if err := w.Put(ctx, run.N, recs[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var got []verbatim.Record
		for rec, err := range s.Records(ctx, run.N, whole) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rec)
		}
		if d := storetest.Diff(recs, got); d != "" {
			t.Fatal(d)
		}
	})
	wantTallies(t, s)
	must(t, s.Check(ctx))
}

func rapidRun(t *rapid.T, s *Store) verbatim.Run {
	run, _, err := s.Begin(ctx, verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef0123456789"}, Model: "m", Started: time.Unix(1, 2)}, true)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func index(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func TestReadWithoutTexts(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	want := []verbatim.Record{storetest.Typical(0), storetest.Failed(1, verbatim.CutOff, 1, 2), storetest.Typical(2)}
	keep(t, s, run.N, want...)
	for i := range want {
		it := *want[i].Item
		it.Prompt, it.Want, it.Source = nil, verbatim.Answer{}, nil
		want[i].Item, want[i].Prompt = &it, nil
		if r := want[i].Reply; r != nil {
			r.Text, r.RequestID, r.Attempts = "", "", nil
			want[i].Grade.Measures = nil
		} else {
			want[i].Failure.Attempts = nil
		}
	}
	if d := storetest.Diff(want, all(t, s, run.N, Read{})); d != "" {
		t.Error(d)
	}
}

// TestNoNumbers: what is no number is missing, and never 0.
func TestNoNumbers(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	rec := storetest.Typical(0)
	nan := math.NaN()
	rec.Grade.Score = &nan
	rec.Grade.Measures = map[string]float64{"a": math.Inf(1), "b": nan, "c": 0}
	rec.Reply.Usage = verbatim.Usage{}
	rec.Reply.Times.FirstContent = nil
	keep(t, s, run.N, rec)
	got := all(t, s, run.N, whole)[0]
	if _, ok := got.Grade.Measures["c"]; got.Grade.Score != nil || len(got.Grade.Measures) != 1 || !ok {
		t.Errorf("score %v, measures %v", got.Grade.Score, got.Grade.Measures)
	}
	if got.Reply.Usage != (verbatim.Usage{}) || got.Reply.Times.FirstContent != nil {
		t.Errorf("%+v %+v", got.Reply.Usage, got.Reply.Times)
	}
	if n := count(t, s, `SELECT count(*) FROM reply WHERE prompt_tokens IS NULL AND first_content IS NULL`); n != 1 {
		t.Error("missing numbers are not NULL")
	}
}

func TestPutRefuses(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	defer w.Close()
	change := func(do func(*verbatim.Record)) verbatim.Record {
		rec := storetest.Typical(1)
		it := *rec.Item
		rec.Item = &it
		do(&rec)
		return rec
	}
	cases := map[string]verbatim.Record{
		"no item":           change(func(r *verbatim.Record) { r.Item = nil }),
		"before the first":  change(func(r *verbatim.Record) { r.Seq = -1 }),
		"after the last":    change(func(r *verbatim.Record) { r.Seq = 1 << 32 }),
		"no grade":          change(func(r *verbatim.Record) { r.Grade = nil }),
		"error with reply":  change(func(r *verbatim.Record) { r.Outcome, r.Grade = verbatim.Errored, nil }),
		"error with grade":  change(func(r *verbatim.Record) { r.Outcome, r.Reply = verbatim.Errored, nil }),
		"broken id":         change(func(r *verbatim.Record) { r.Item.ID = "\xff" }),
		"broken want":       change(func(r *verbatim.Record) { r.Item.Want = verbatim.TextAnswer("\xff") }),
		"broken list":       change(func(r *verbatim.Record) { r.Item.Want = verbatim.ListAnswer([]any{[]any{"\xff"}}) }),
		"impossible number": change(func(r *verbatim.Record) { r.Item.Want = verbatim.ListAnswer([]any{math.NaN()}) }),
		"broken prompt":     change(func(r *verbatim.Record) { r.Prompt = verbatim.Prompt{{Role: "\xff"}} }),
	}
	for name, rec := range cases {
		if err := w.Put(ctx, run.N, rec); err == nil {
			t.Errorf("%s: the record was accepted", name)
		}
	}
	if err := w.Put(ctx, run.N+1, storetest.Typical(0)); err == nil {
		t.Error("a record of a run that is not claimed was saved")
	}
	must(t, w.Put(ctx, run.N, storetest.Typical(0))) // the writer goes on
	must(t, w.Close())
	if err := w.Put(ctx, run.N, storetest.Typical(2)); err == nil {
		t.Error("a closed writer accepts a record")
	}
	if got := len(all(t, s, run.N, Read{})); got != 1 {
		t.Errorf("%d records, want 1", got)
	}
}

// TestUnknownWords: a value outside of a closed set stops the writer, and nothing of
// its group is saved.
func TestUnknownWords(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*verbatim.Record){
		"outcome": func(r *verbatim.Record) { r.Outcome, r.Reply, r.Grade = "odd", nil, nil },
		"finish":  func(r *verbatim.Record) { r.Reply.Finish = "odd" },
		"class":   func(r *verbatim.Record) { r.Reply.Attempts[0].Class = "odd" },
		"grade":   func(r *verbatim.Record) { r.Grade.Outcome = verbatim.Errored },
		"grader":  func(r *verbatim.Record) { r.Grade.Grader = "" },
	} {
		s := newStore(t)
		run := newRun(t, s, "m", "h")
		w, err := s.Write(ctx, nil, run.N)
		must(t, err)
		rec := storetest.Typical(0)
		spoil(&rec)
		err = w.Put(ctx, run.N, rec)
		if e := w.Close(); err == nil {
			err = e
		}
		if err == nil || count(t, s, `SELECT count(*) FROM reply`) != 0 {
			t.Errorf("%s: saved, %v", name, err)
		}
	}
}

func TestStreamEndsEarly(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	fillRun(t, s, run.N, 50)
	for range 6 { // more often than connections wait: they come back whatever happens
		n := 0
		for range s.Records(ctx, run.N, whole) {
			if n++; n == 7 {
				break
			}
		}
		func() {
			defer func() { recover() }()
			for range s.Records(ctx, run.N, whole) {
				panic("in the middle of a stream")
			}
		}()
	}
	if got := len(all(t, s, run.N, whole)); got != 50 {
		t.Errorf("%d records, want 50", got)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	for _, err := range s.Records(done, run.N, Read{}) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after a cancel: %v", err)
		}
	}
}

// TestStreamSeesOneMoment: what is saved while a stream runs is not in it.
func TestStreamSeesOneMoment(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	fillRun(t, s, run.N, 20)
	n := 0
	for _, err := range s.Records(ctx, run.N, Read{}) {
		must(t, err)
		if n == 0 {
			keep(t, s, run.N, storetest.Typical(100))
		}
		n++
	}
	if n != 20 {
		t.Errorf("the stream had %d records, want the 20 of its beginning", n)
	}
}

func TestPlaces(t *testing.T) {
	s := newStore(t)
	run, other := newRun(t, s, "m", "h"), newRun(t, s, "n", "h")
	keep(t, s, run.N, storetest.Typical(0), storetest.Failed(2, verbatim.Errored, 1, 2), storetest.Typical(64), storetest.Failed(65, verbatim.CutOff, 3), storetest.Typical(1000), storetest.Failed(1001, verbatim.Skipped))
	keep(t, s, other.N, storetest.Typical(1))
	p, err := s.Positions(ctx, run.N)
	must(t, err)
	for seq := int64(-1); seq < 1100; seq++ {
		if want := seq == 0 || seq == 64 || seq == 1000; p.Answered(seq) != want {
			t.Errorf("position %d: Answered %v", seq, !want)
		}
		if want := map[int64]int{2: 2, 65: 3}[seq]; p.Attempts(seq) != want {
			t.Errorf("position %d: %d attempts, want %d", seq, p.Attempts(seq), want)
		}
	}
}

// TestInsertNeedsWords: a record one of whose words cannot be saved is an error, by itself and
// among others.
func TestInsertNeedsWords(t *testing.T) {
	const refused = "refused"
	for name, set := range map[string]func(*verbatim.Record){
		"series":          func(r *verbatim.Record) { r.Item.ID = refused + "/1" },
		"item's grader":   func(r *verbatim.Record) { r.Item.Grader = refused },
		"grader":          func(r *verbatim.Record) { r.Grade.Grader = refused },
		"label":           func(r *verbatim.Record) { r.Grade.Label = refused },
		"repair":          func(r *verbatim.Record) { r.Grade.Repair = refused },
		"rule":            func(r *verbatim.Record) { r.Grade.Rule = refused },
		"flags":           func(r *verbatim.Record) { r.Grade.Flags = []string{refused} },
		"measure":         func(r *verbatim.Record) { r.Grade.Measures = map[string]float64{refused: 1} },
		"finish reason":   func(r *verbatim.Record) { r.Reply.FinishRaw = refused },
		"served model":    func(r *verbatim.Record) { r.Reply.ServedModel = refused },
		"fingerprint":     func(r *verbatim.Record) { r.Reply.Fingerprint = refused },
		"reasoning field": func(r *verbatim.Record) { r.Reply.ReasoningField = refused },
		"sent":            func(r *verbatim.Record) { r.Reply.Sent = refused },
		"applied":         func(r *verbatim.Record) { r.Reply.Applied = refused },
		"batch":           func(r *verbatim.Record) { r.Reply.Batch = refused },
		"upstream":        func(r *verbatim.Record) { r.Reply.Attempts[0].Upstream = refused },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			run := newRun(t, s, "m", "h")
			must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
				_, _, err := c.ExecOnce(`CREATE TRIGGER refuse BEFORE INSERT ON word WHEN instr(NEW.text, 'refused') BEGIN SELECT RAISE(ABORT, 'this word is refused'); END`)
				return err
			}))
			for _, n := range []int64{1, atOnce} {
				var group []*Entry
				for seq := range n {
					rec := storetest.Typical(seq)
					if seq == n-1 {
						set(&rec)
					}
					e, err := newEntry(run.N, rec)
					must(t, err)
					group = append(group, &e)
				}
				err := s.file.Update(ctx, func(c *sqlite.Conn) error {
					if err := newInserter(c).insertAll(group, func(*Entry, verbatim.Outcome) {}); err != nil {
						return err
					}
					return errors.New("no error")
				})
				if e, ok := errors.AsType[*sqlite.Error](err); !ok || e.Err == nil || slices.Contains([]sqlite.Kind{sqlite.Locked, sqlite.Moved}, e.Kind) {
					t.Errorf("%d records: %v", n, err)
				}
			}
		})
	}
}

// TestMarks packs the marks of a text with the time in the queue, and reads them again.
func TestMarks(t *testing.T) {
	if packed := packMarks("", nil); packed != nil {
		t.Errorf("no text is packed as %v", packed)
	}
	text := "Wait, start over: the first line is long.\nWait, the first line is long.\nIch habe die Liste noch nicht."
	want, queued := reasoning.MeasureMarks(text), -7*time.Second
	for _, q := range []*time.Duration{nil, &queued} {
		var d replyData
		if !d.extra(packMarks(text, q)) || d.reply.Marks == nil || !reflect.DeepEqual(*d.reply.Marks, want) {
			t.Fatalf("%+v, want %+v", d.reply.Marks, want)
		}
		if got := d.reply.Times.Queued; (got == nil) != (q == nil) || q != nil && *got != *q {
			t.Errorf("the time in the queue is %v, want %v", got, q)
		}
	}
	var d replyData
	if !d.extra(int64(5)) || *d.reply.Times.Queued != 5 || d.reply.Marks != nil || !new(replyData).extra(nil) {
		t.Errorf("of a reply without reasoning: %+v", d.reply)
	}
	packed := packMarks(text, &queued).([]byte)
	for name, damaged := range map[string]any{
		"empty": []byte{}, "short": packed[:3], "no count": packed[:len(packed)-6], "phrase": []byte{1, 1, 1, 1, 1, 1, 250, 1, 1}, "long": append(packed, 0), "huge": []byte{255, 255, 255, 255, 255, 255, 255, 255, 127, 0, 0, 0}, "text": "1",
	} {
		if new(replyData).extra(damaged) {
			t.Errorf("%s is read", name)
		}
	}
}

// TestBrief packs values at the limits of their ranges.
func TestBrief(t *testing.T) {
	s := newStore(t)
	truncatedCode, err := codeOf(outcomes, verbatim.Truncated)
	must(t, err)
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		k := newInserter(c)
		for _, tail := range []any{int64(0), int64(-1), int64(7), int64(math.MaxInt64), int64(math.MinInt64), int64(1) << 61, int64(-1) << 61, "", "a", "list_3", strings.Repeat("x", 300)} {
			for _, score := range []float64{0, 1, 0.5, -1, math.Copysign(0, -1), math.NaN(), math.Inf(1)} {
				g := &verbatim.Grade{Outcome: verbatim.Truncated, Label: "empty", Grader: "text/1", Score: &score, Exact: score == 1, Extracted: score == 0, Detail: "prefix"}
				packed := k.brief(positionKey(3, MaxSeq), savedItem{Series: 1 << 40, Tail: tail}, 3, truncatedCode, g)
				must(t, k.Words.Err)
				var b brief
				if !b.unpack(packed.([]byte)) {
					t.Errorf("%v, %v: cannot be read", tail, score)
				}
				id := string(b.Text)
				if b.Text == nil {
					id = fmt.Sprint(b.Tail)
				}
				finite := !math.IsNaN(score) && !math.IsInf(score, 0)
				if id != fmt.Sprint(tail) || b.Scored != finite || finite && math.Float64bits(b.Score) != math.Float64bits(score) || b.Series != 1<<40 ||
					b.Seq != MaxSeq || b.Trial != 3 || b.Exact != (score == 1) || b.Extracted != (score == 0) || string(b.Detail) != "prefix" {
					t.Errorf("%v, %v: %+v", tail, score, b)
				}
			}
		}
		if packed := k.brief(1, savedItem{}, -1, 0, nil); packed != nil {
			t.Error("a trial before the first", packed)
		}
		return nil
	}))
}

// TestDamagedBriefs: bytes that are no brief are refused, and a file with such bytes is
// damaged.
func TestDamagedBriefs(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0), storetest.Typical(1), storetest.Typical(2))
	rapid.Check(t, func(t *rapid.T) {
		new(brief).unpack(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")) // must not panic
	})
	// The last but one has no valid word for its facts, the last no word.
	for _, broken := range [][]byte{{}, {1}, {0xff}, {1, 0, 0, 1, 0, 0, 0}, {1, 0, 5, 1, 0, 0, 0, 1, 1, 0}, {0, 0, 5, 1, 0, 0, 0},
		{1, 0, 6, 1, 1, 0, 0}, {1, 0, 6, 250, 1, 0, 0, 0}} {
		must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
			_, _, err := c.Exec(`UPDATE reply SET brief = ? WHERE place = ?`, broken, positionKey(run.N, 1))
			return err
		}))
		var last error
		n := 0
		for _, err := range s.Records(ctx, run.N, Read{Scores: true}) {
			last = err
			n++
		}
		if n != 2 {
			t.Errorf("%v: %d records and errors", broken, n)
		}
		wantKind(t, last, sqlite.Corrupt)
	}
}
