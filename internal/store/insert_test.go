package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// TestVariantsShareImages: an image is one blob, however many items and variants
// of their prompts show it, and it comes back in each, through an export too.
func TestVariantsShareImages(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	picture := func(path string) verbatim.Part {
		return verbatim.Part{Image: &verbatim.Image{Path: path, Media: "image/png", Bytes: []byte("\x89PNG\r\n\x1a\n\x00\xff")}}
	}
	other := verbatim.Part{Image: &verbatim.Image{Media: "image/webp", Bytes: []byte("RIFF")}}
	var want []verbatim.Record
	for i := range int64(20) {
		rec := storetest.Typical(i)
		it := *rec.Item
		it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "what?"}, picture("a.png")}}}
		rec.Item, rec.Prompt = &it, it.Prompt
		if i%2 == 1 { // examples before the question: one has the picture, one another
			shot := verbatim.Message{Role: "user", Content: []verbatim.Part{picture(""), other}}
			rec.Prompt = verbatim.Prompt{shot, {Role: "assistant", Content: []verbatim.Part{{Text: "that"}}}, it.Prompt[0]}
		}
		want = append(want, rec)
	}
	again := want[1] // another trial of the same variant
	again.Seq, again.Trial = 20, 1
	want = append(want, again)
	keep(t, s, run.N, want...)
	to := newStore(t)
	done, err := to.Import(ctx, strings.NewReader(export(t, s)))
	must(t, err)
	for _, f := range []struct {
		s   *Store
		run int64
	}{{s, run.N}, {to, done[0].Run.N}} {
		if blobs, prompts := count(t, f.s, `SELECT count(*) FROM blob`), count(t, f.s, `SELECT count(*) FROM prompt`); blobs != 2 || prompts != 10 {
			t.Errorf("%d blobs and %d prompts, want 2 and 10", blobs, prompts)
		}
		if d := storetest.Diff(want, all(t, f.s, f.run, whole)); d != "" {
			t.Error(d)
		}
	}
	if n := strings.Count(export(t, to), `{"blob":`); n != 2 {
		t.Errorf("%d blob lines, want 2", n)
	}
}

// TestSentIsOneWord: what was sent differs by the token limit alone, and is saved
// once.
func TestSentIsOneWord(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	var want []verbatim.Record
	for i := range int64(300) {
		rec := storetest.Typical(i)
		rec.MaxTokens = 64 + int(i)
		rec.Reply.Sent = fmt.Sprintf(`{"model":"m","max_tokens":%d,"temperature":0,"stream":true}`, rec.MaxTokens)
		want = append(want, rec)
	}
	keep(t, s, run.N, want...)
	if n := count(t, s, `SELECT count(DISTINCT sent) FROM reply`); n != 1 {
		t.Errorf("what was sent are %d words, want 1", n)
	}
	for i, rec := range all(t, s, run.N, whole) {
		if rec.Reply.Sent != want[i].Reply.Sent {
			t.Fatalf("position %d: %s, want %s", i, rec.Reply.Sent, want[i].Reply.Sent)
		}
	}
}

// TestOneTryHasNoRow: the data of a first attempt that succeeded are in the reply's
// row; data that this cannot hold make a row of its own.
func TestOneTryHasNoRow(t *testing.T) {
	t.Parallel()
	cost := verbatim.Money(1)
	for name, change := range map[string]func(r *verbatim.Reply){
		"":        func(*verbatim.Reply) {},
		"waited":  func(r *verbatim.Reply) { r.Attempts[0].Wait = time.Second },
		"longer":  func(r *verbatim.Reply) { r.Attempts[0].Total++ },
		"shorter": func(r *verbatim.Reply) { r.Attempts[0].Total = 0 },
		"!class":  func(r *verbatim.Reply) { r.Attempts[0].Class = verbatim.Rate },
		"!error":  func(r *verbatim.Reply) { r.Attempts[0].Err = "x" },
		"!part":   func(r *verbatim.Reply) { r.Attempts[0].Partial = "x" },
		"!cost":   func(r *verbatim.Reply) { r.Attempts[0].Cost = &cost },
		"!id":     func(r *verbatim.Reply) { r.Attempts[0].RequestID = "x" },
		"!start":  func(r *verbatim.Reply) { r.Attempts[0].Start = time.Unix(1, 1).UTC() },
		"!two":    func(r *verbatim.Reply) { r.Attempts = append(r.Attempts, r.Attempts[0]) },
	} {
		for _, group := range []int64{1, atOnce} { // by itself, and many at once
			s := newStore(t)
			run := newRun(t, s, "m", "h")
			var recs []verbatim.Record
			for i := range group {
				recs = append(recs, storetest.Typical(i))
			}
			change(recs[0].Reply)
			must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
				k := newInserter(c)
				var entries []*Entry
				for _, rec := range recs {
					e, err := newEntry(run.N, rec)
					must(t, err)
					entries = append(entries, &e)
				}
				return errors.Join(k.insertAll(entries, func(*Entry, verbatim.Outcome) {}), k.flushCounts())
			}))
			if d := storetest.Diff(recs, all(t, s, run.N, whole)); d != "" {
				t.Errorf("%s: %s", name, d)
			}
			if rows := count(t, s, `SELECT count(*) FROM attempt`); (rows > 0) != strings.HasPrefix(name, "!") {
				t.Errorf("%s: %d rows of attempts", name, rows)
			}
			wantTallies(t, s)
		}
	}
}

// TestManyAtOnce: groups in which positions come twice, have a record already or have
// no reply give the same database as records one by one.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	one, many := newStore(t), newStore(t)
	rapid.Check(t, func(t *rapid.T) {
		var runs [2]int64
		for i, s := range []*Store{one, many} {
			runs[i] = rapidRun(t, s).N
		}
		answered := map[int64]bool{}
		var group []verbatim.Record
		for range rapid.IntRange(0, 4*atOnce).Draw(t, "records") {
			seq := rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 1000)).Draw(t, "seq")
			if answered[seq] {
				continue
			}
			rec := storetest.Typical(seq)
			if rapid.IntRange(0, 20).Draw(t, "fails") == 0 {
				rec = storetest.Failed(seq, verbatim.Errored, 1)
			}
			answered[seq] = rec.Outcome.Answered()
			group = append(group, rec)
		}
		put := func(s *Store, run int64, size int) (replaced []verbatim.Outcome) {
			for some := range slices.Chunk(group, size) {
				err := s.file.Update(ctx, func(c *sqlite.Conn) error {
					k := newInserter(c)
					var entries []*Entry
					for _, rec := range some {
						e, err := newEntry(run, rec)
						if err != nil {
							return err
						}
						entries = append(entries, &e)
					}
					return errors.Join(k.insertAll(entries, func(_ *Entry, o verbatim.Outcome) { replaced = append(replaced, o) }), k.flushCounts())
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			return replaced
		}
		a, b := put(one, runs[0], 1), put(many, runs[1], 2*atOnce)
		if !slices.Equal(a, b) || len(a) != len(group) {
			t.Fatalf("one by one replaced %q, many at once %q", a, b)
		}
		read := func(s *Store, run int64) (list []verbatim.Record) {
			for rec, err := range s.Records(ctx, run, whole) {
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, rec)
			}
			return list
		}
		if d := storetest.Diff(read(one, runs[0]), read(many, runs[1])); d != "" {
			t.Fatal(d)
		}
	})
	wantTallies(t, one)
	wantTallies(t, many)
}

// TestManyKinds: rows have more different sets of columns with values than there are
// prepared statements.
func TestManyKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	const kinds = 64 // for which package sqlite prepares statements of their own
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	var recs []verbatim.Record
	for i := range int64(2 * kinds * atOnce) {
		rec, kind := storetest.Typical(i), i/atOnce
		r, has := rec.Reply, func(bit int) bool { return kind>>bit&1 == 1 }
		cost, short := verbatim.Money(i), time.Duration(i+1)
		for bit, set := range []func(){
			func() { r.Cost = &cost }, func() { r.Batch = "b" }, func() { r.Usage.Cached = &i }, func() { r.Fingerprint = "f" },
			func() { r.Times.FirstReasoning = &short }, func() { r.Applied = "{}" }, func() { r.ReasoningField = "thinking" },
		} {
			if has(bit) {
				set()
			}
		}
		recs = append(recs, rec)
	}
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		k := newInserter(c)
		var entries []*Entry
		for _, rec := range recs {
			e, err := newEntry(run.N, rec)
			must(t, err)
			entries = append(entries, &e)
		}
		if err := k.insertAll(entries, func(*Entry, verbatim.Outcome) {}); err != nil {
			return err
		}
		n := 0
		for _, sql := range c.Statements() {
			if strings.Count(sql, "), (") == atOnce-1 {
				n++
			}
		}
		if n < kinds || n > kinds+3 {
			t.Errorf("%d statements for many rows", n)
		}
		return k.flushCounts()
	}))
	if d := storetest.Diff(recs, all(t, s, run.N, whole)); d != "" {
		t.Error(d)
	}
	wantTallies(t, s)
}
