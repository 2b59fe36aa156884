package cli

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/fake"
	"verbatim/internal/grade"
	"verbatim/internal/obedient"
	"verbatim/internal/store"
)

// twoRecords yields the records of a run of two items, copies of "a" and "b".
func twoRecords() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for i, text := range []string{"a", "b"} {
			item := &verbatim.Item{ID: text, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}, Want: verbatim.TextAnswer(text)}
			rec := verbatim.Record{Seq: int64(i), Item: item, Prompt: item.Prompt, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: text, Finish: verbatim.FinishStop}}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// A reply that a grader fails on is saved as an attempt, stops no other, and is graded by the
// next import.
func TestSaveFailingGrader(t *testing.T) {
	ctx := context.Background()
	s, err := store.Create(ctx, filepath.Join(t.TempDir(), "runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	run := exchange.Run{Run: verbatim.Run{Model: "m", Origin: "test", Plan: verbatim.Plan{Hash: "h"}}, Records: twoRecords()}
	fails := func(it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error) {
		if text == "a" {
			return verbatim.Grade{}, errors.New("index out of range")
		}
		return grade.Try(it, text, finish)
	}
	outcomes := func(done importedRun) (list []verbatim.Outcome, texts []string) {
		for rec, err := range s.Records(ctx, done.Run.N, store.Read{Texts: true, Attempts: true}) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, rec.Outcome)
			if rec.Failure != nil {
				for _, a := range rec.Failure.Attempts {
					texts = append(texts, a.Partial)
				}
			}
		}
		return list, texts
	}
	done, err := save(ctx, s, run, fails)
	if err != nil {
		t.Fatal(err)
	}
	got, texts := outcomes(done)
	if done.Failed != 1 || done.Saved != 2 || len(got) != 2 || got[0] != verbatim.Errored || got[1] != verbatim.Pass || len(texts) != 1 || texts[0] != "a" {
		t.Errorf("%+v: %q, attempts %q", done, got, texts)
	}
	done, err = saveImported(ctx, s, run)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := outcomes(done); done.Failed != 0 || done.Saved != 1 || done.Known != 1 || len(got) != 2 || got[0] != verbatim.Pass {
		t.Errorf("again: %+v: %q", done, got)
	}
}

// TestKilledBeforeTheEnd: a run whose process was killed after the last answer, before it was marked as
// finished and its batch as collected, is finished by the next command.
func TestKilledBeforeTheEnd(t *testing.T) {
	for _, killed := range []string{
		"UPDATE run SET ended = NULL",
		"UPDATE run SET ended = NULL; UPDATE batch SET state = 1, ended = NULL",
	} {
		model, err := obedient.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		server, err := fake.New(fake.Config{Model: model, Any: true, Item: func(verbatim.Prompt) *verbatim.Item { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		served := httptest.NewServer(server)
		defer served.Close()
		db := filepath.Join(t.TempDir(), "x.db")
		run := []string{"run", "--task", "copy", "--length", "8", "-n", "3", "-m", "gemini+" + served.URL + "#m"}
		if r := invoke(t, db, append(run, "--batch")...); r.code != 0 {
			t.Fatalf("%+v", r)
		}
		file, err := sql.Open("sqlite", db)
		if err == nil {
			_, err = file.ExecContext(t.Context(), killed)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		requests := server.Counts().Requests
		if r := invoke(t, db, append(run, "--warmup", "1")...); r.code != 0 {
			t.Errorf("%+v", r)
		}
		if r := invoke(t, db, "runs", "--json"); !strings.Contains(r.out, `"state": "finished"`) || server.Counts().Requests != requests {
			t.Errorf("after %q: %d requests, %s", killed, server.Counts().Requests-requests, r.out)
		}
	}
}
