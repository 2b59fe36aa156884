package store

import (
	"strings"
	"testing"

	"verbatim"

	"verbatim/internal/store/storetest"
)

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
