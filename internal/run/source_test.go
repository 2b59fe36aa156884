package run

import (
	"errors"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/store"
)

// A sourceFunc is a Source.
type sourceFunc func(done []verbatim.Record) ([]verbatim.Request, error)

func (f sourceFunc) Next(done []verbatim.Record) ([]verbatim.Request, error) { return f(done) }

func ask(seqs ...int64) []verbatim.Request {
	list := []verbatim.Request{}
	for _, seq := range seqs {
		list = append(list, verbatim.Request{Seq: seq, Item: item(seq), Prompt: item(seq).Prompt})
	}
	return list
}

// TestSourceIsTold: a Source that steers gets every record once, in planned
// order, after its commit, and is called from one goroutine.
func TestSourceIsTold(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 1000)
	got := map[int64]bool{}
	calls, asked, busy := 0, int64(0), false
	source := sourceFunc(func(done []verbatim.Record) ([]verbatim.Request, error) {
		if busy {
			t.Error("called twice at a time")
		}
		busy = true
		defer func() { busy = false }()
		calls++
		before := int64(-1)
		for _, rec := range done {
			if rec.Seq <= before || got[rec.Seq] || rec.Outcome != verbatim.Pass {
				t.Errorf("position %d comes after %d, with the outcome %s", rec.Seq, before, rec.Outcome)
			}
			before, got[rec.Seq] = rec.Seq, true
		}
		if positions, err := s.Positions(ctx, r.N); err != nil || !all(got, positions.Answered) {
			t.Errorf("got what is not saved: %v", err)
		}
		switch {
		case len(got) == 60:
			return nil, nil // enough
		case asked == 60 || int64(len(got)) < asked/2:
			return []verbatim.Request{}, nil // nothing before more is known
		}
		asked += 10
		return ask(asked-1, asked-10, asked-2, asked-9, asked-3, asked-8, asked-4, asked-7, asked-5, asked-6), nil
	})
	result := finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Source: given(source), Jobs: 3, Model: modelFunc(right)}}})
	if result.Lanes[0].Tally.Saved() != 60 || len(got) != 60 {
		t.Errorf("%v saved, %d got", result.Lanes[0].Tally, len(got))
	}
}

func all(set map[int64]bool, ok func(int64) bool) bool {
	for n := range set {
		if !ok(n) {
			return false
		}
	}
	return true
}

// TestSourceThatHasEnoughEarly: requests in flight when the Source ends are saved.
func TestSourceThatHasEnoughEarly(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 1000)
	calls := 0
	source := sourceFunc(func(done []verbatim.Record) ([]verbatim.Request, error) {
		if calls++; calls > 1 {
			return nil, nil
		}
		return ask(0, 1, 2, 3), nil
	})
	finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Source: given(source), Jobs: 4, Model: modelFunc(right)}}})
	if n := len(records(t, s, r.N)); n != 4 {
		t.Errorf("%d records, want 4", n)
	}
}

func TestSourceMisuse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		source func(calls int) ([]verbatim.Request, error)
		says   string
		saved  int
	}{
		{"waits for nothing", func(int) ([]verbatim.Request, error) { return ask(), nil }, "nothing is in flight", 1},
		{"waits for nothing after a while", func(calls int) ([]verbatim.Request, error) {
			if calls < 3 {
				return ask(int64(calls)), nil
			}
			return ask(), nil
		}, "nothing is in flight", 3},
		{"asks twice", func(calls int) ([]verbatim.Request, error) { return ask(1, 2, 1), nil }, "twice", 3},
		{"asks what is answered", func(int) ([]verbatim.Request, error) { return ask(1, 0), nil }, "has an answer", 2},
		{"no item", func(int) ([]verbatim.Request, error) { return []verbatim.Request{{Seq: 3}}, nil }, "without an item", 1},
		{"place below 0", func(int) ([]verbatim.Request, error) {
			r := ask(1)
			r[0].Seq = -1
			return r, nil
		}, "-1", 1},
		{"place above all", func(int) ([]verbatim.Request, error) {
			r := ask(1)
			r[0].Seq = 1 << 40
			return r, nil
		}, "1099511627776", 1},
		{"item that cannot be saved", func(calls int) ([]verbatim.Request, error) {
			if calls > 1 {
				return ask(), nil
			}
			r := ask(1)
			r[0].Item.ID = "\xff"
			return r, nil
		}, "UTF-8", 1},
		{"error", func(calls int) ([]verbatim.Request, error) {
			if calls == 1 {
				return ask(1, 2), nil
			}
			return nil, errors.New("no more ideas")
		}, "no more ideas", 3},
		{"panic", func(int) ([]verbatim.Request, error) { panic("help") }, "panicked: help", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			r := begin(t, s, "m", 10)
			finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Source: fixed(1), Model: modelFunc(right)}}}) // position 0
			calls := 0
			result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Model: modelFunc(right), Jobs: 2,
				Source: given(sourceFunc(func([]verbatim.Record) ([]verbatim.Request, error) { calls++; return c.source(calls) }))}}})
			if err != nil {
				t.Fatal(err)
			}
			l := result.Lanes[0]
			if l.Err == nil || !strings.Contains(l.Err.Error(), c.says) || l.Finished {
				t.Errorf("%+v, want %q", l, c.says)
			}
			if n := len(records(t, s, r.N)); n != c.saved {
				t.Errorf("%d records, want %d", n, c.saved)
			}
			runs, err := s.Runs(ctx)
			if err != nil || runs[0].Lease != nil {
				t.Errorf("%+v, %v", runs, err)
			}
		})
	}
}

// TestOpenRefuses: an error before the first request is the error of Run.
func TestOpenRefuses(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 10)
	lane := Lane{Run: r, Model: modelFunc(right), Source: fixed(10)}
	if _, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{lane, lane}}); err == nil || !strings.Contains(err.Error(), "two lanes") {
		t.Errorf("%v", err)
	}
	lane.Source = func(*store.Positions) (verbatim.Source, error) { return nil, errors.New("no such plan") }
	if _, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{lane}}); err == nil || !strings.Contains(err.Error(), "no such plan") || !strings.Contains(err.Error(), r.Name) {
		t.Errorf("%v", err)
	}
	w, err := s.Write(ctx, nil, r.N)
	if err != nil {
		t.Fatal(err) // the lease was given back
	}
	lane.Source = fixed(10)
	_, err = Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{lane}})
	if held := new(store.Held); !errors.As(err, &held) {
		t.Errorf("a run that is held: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFixedErrors(t *testing.T) {
	f := &Fixed{Saved: new(store.Positions)}
	f.Places = func() (Planned, bool) {
		return Planned{Request: func() (verbatim.Request, error) { return verbatim.Request{}, errors.New("cannot draw") }}, true
	}
	if _, err := f.Next(nil); err == nil {
		t.Error("an item that cannot be drawn is no error")
	}
	f.Places = func() (Planned, bool) { return Planned{}, false }
	if got, err := f.Next(nil); got != nil || err != nil {
		t.Error(got, err)
	}
}
