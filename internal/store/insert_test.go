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

func TestItemsAreShared(t *testing.T) {
	s := newStore(t)
	a, b := newRun(t, s, "a", "h1"), newRun(t, s, "b", "h2")
	same, other := storetest.Typical(5), storetest.Typical(5)
	keep(t, s, a.N, storetest.Typical(4), same)
	it := *other.Item
	it.Want = verbatim.TextAnswer("another answer under the same id")
	other.Item, other.Seq = &it, 6
	again := storetest.Typical(5)
	again.Trial, again.Seq = 1, 8
	keep(t, s, b.N, storetest.Typical(5), other, again)
	if n := count(t, s, `SELECT count(*) FROM item`); n != 3 {
		t.Errorf("%d items for three contents", n)
	}
	if n := count(t, s, `SELECT count(DISTINCT item) FROM reply WHERE place IN (?, ?, ?)`, positionKey(a.N, 5), positionKey(b.N, 5), positionKey(b.N, 8)); n != 1 {
		t.Errorf("one item has %d rows", n)
	}
	got := all(t, s, b.N, whole)
	if got[0].Item.Want.Text != same.Item.Want.Text || got[1].Item.Want.Text != it.Want.Text {
		t.Error("contents of one id were mixed up")
	}
	if n := count(t, s, `SELECT count(*) FROM prompt`); n != 0 {
		t.Errorf("%d prompts were saved twice", n)
	}
}

func TestImagesAreKeptOnce(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	var recs []verbatim.Record
	for i := range int64(3) {
		rec := storetest.Typical(i)
		it := *rec.Item
		it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "what is this?"}, {Image: &verbatim.Image{Path: "a.png", Media: "image/png", Bytes: []byte("\x89PNG")}}}}}
		rec.Item, rec.Prompt = &it, it.Prompt
		recs = append(recs, rec)
	}
	keep(t, s, run.N, recs...)
	if n := count(t, s, `SELECT count(*) FROM blob`); n != 1 {
		t.Errorf("%d blobs for one image", n)
	}
	if d := storetest.Diff(recs, all(t, s, run.N, whole)); d != "" {
		t.Error(d)
	}
}

func TestRecordByItem(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	second := storetest.Typical(3)
	second.Trial, second.Seq = 1, 9
	keep(t, s, run.N, storetest.Typical(3), storetest.Typical(4), second)
	rec, err := s.Record(ctx, run.N, second.Item.ID, 1)
	must(t, err)
	if d := storetest.Diff(second, rec); d != "" {
		t.Error(d)
	}
	for _, id := range []string{"", "no/such/item", second.Item.ID + "0"} {
		if _, err := s.Record(ctx, run.N, id, 0); err == nil || !strings.Contains(err.Error(), "no record") {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := s.Record(ctx, run.N, second.Item.ID, 2); err == nil {
		t.Error("a trial that was not sent has a record")
	}
}

// A run's load is the greatest of its parts, and goes with an export. A part without known
// slots changes nothing about them.
func TestAddLoad(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0))
	for _, step := range []struct{ add, want verbatim.Load }{
		{verbatim.Load{Peak: 8, Slots: 2}, verbatim.Load{Peak: 8, Slots: 2}},
		{verbatim.Load{Peak: 3, Slots: 4}, verbatim.Load{Peak: 8, Slots: 4}},
		{verbatim.Load{Peak: 9}, verbatim.Load{Peak: 9, Slots: 4}},
		{verbatim.Load{Peak: 1, Context: 2048}, verbatim.Load{Peak: 9, Slots: 4, Context: 2048}},
		{verbatim.Load{Peak: 1}, verbatim.Load{Peak: 9, Slots: 4, Context: 2048}},
	} {
		must(t, s.AddLoad(ctx, run.N, step.add))
		now, err := s.Find(ctx, run.Name, "")
		must(t, err)
		if now.Load == nil || *now.Load != step.want {
			t.Errorf("%+v and then: %+v, want %+v", step.add, now.Load, step.want)
		}
	}
	other := newStore(t)
	done, err := other.Import(ctx, strings.NewReader(export(t, s, run.N)))
	must(t, err)
	if l := done[0].Run.Load; l == nil || *l != (verbatim.Load{Peak: 9, Slots: 4, Context: 2048}) {
		t.Errorf("imported: %+v", l)
	}
	if err := s.AddLoad(ctx, 77, verbatim.Load{Peak: 1}); err == nil {
		t.Error("there is no run 77")
	}
}

func TestTakeLimit(t *testing.T) {
	for sent, want := range map[string]string{
		`{"model":"m","max_tokens":84,"n":1}`: `{"model":"m","max_tokens":$max_tokens,"n":1}`,
		`{"max_tokens":84}`:                   `{"max_tokens":$max_tokens}`,
		`{"a":841,"max_tokens":84}`:           `{"a":841,"max_tokens":$max_tokens}`,
		`{"a":84,"max_tokens":84}`:            "",
		`{"a":"$max_tokens","max_tokens":84}`: "",
		`{"a":":84","b":184}`:                 "",
		`:84`:                                 "",
		`84,`:                                 "",
		``:                                    "",
	} {
		got, masked := maskTokenLimit(sent, 84)
		if masked != (want != "") || masked && got != want || !masked && got != sent {
			t.Errorf("%s: %s, %v", sent, got, masked)
		}
	}
	if _, masked := maskTokenLimit(`{"max_tokens":0}`, 0); masked {
		t.Error("a limit that is unknown was removed")
	}
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(0, 300).Draw(t, "limit")
		sent := storetest.Requests(limit).Draw(t, "sent")
		if got, masked := maskTokenLimit(sent, limit); masked && unmaskTokenLimit(got, limit) != sent {
			t.Fatalf("%s became %s", sent, unmaskTokenLimit(got, limit))
		}
	})
}
