package verification

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/stats"
)

// A toolServer answers requests for a tool.
type toolServer struct {
	wrong    int  // how many of its calls have other arguments
	talks    bool // it replies with the object as text, without a call
	status   int  // of the error of each request; 0: none
	message  string
	down     []int // calls without a reply, from 1
	upstream string
	calls    int
}

func (s *toolServer) reply(seq int64) verbatim.Record {
	s.calls++
	for _, call := range s.down {
		if call == s.calls {
			return verbatim.Record{Seq: seq, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Status: http.StatusServiceUnavailable, Err: errors.New("busy")}}
		}
	}
	if s.status != 0 {
		return verbatim.Record{Seq: seq, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Status: s.status, Err: errors.New(s.message)}}
	}
	finish := verbatim.FinishCall
	if s.talks {
		finish = verbatim.FinishNoCall
	}
	return verbatim.Record{Seq: seq, Outcome: verbatim.Pass, Grade: &verbatim.Grade{Exact: int(seq) >= s.wrong}, Reply: &verbatim.Reply{Text: "{}", Finish: finish, ServedModel: s.upstream}}
}

// playTools sends all requests of a test.
func playTools(t *testing.T, test *toolTest, servers [2]*toolServer) {
	t.Helper()
	var done [2][]verbatim.Record
	for ended := [2]bool{}; ended != [2]bool{true, true}; {
		for side, s := range servers {
			if ended[side] {
				continue
			}
			requests, err := test.Source(side).Next(done[side])
			if err != nil || len(requests) > 1 {
				t.Fatalf("%d requests, %v", len(requests), err)
			}
			ended[side], done[side] = requests == nil, nil
			for _, r := range requests {
				if p := r.Params.Structure; p == nil || p.As != verbatim.AsTool || r.MaxTokens != 99 {
					t.Fatalf("%+v", r)
				}
				done[side] = append(done[side], s.reply(r.Seq))
			}
		}
	}
}

// alike returns a test whose texts are alike and exact at every prompt, on both sides, in all
// prompts.
func alike(t *testing.T, prompts int, upstream Upstream) *Test {
	t.Helper()
	c := Config{Alpha: .01, Share: .5, MaxMissing: .02, Tools: true, Upstream: upstream}
	for i := range prompts {
		c.Positions[0], c.Positions[1] = append(c.Positions[0], int64(i)), append(c.Positions[1], int64(prompts+i))
	}
	test, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for side := range 2 {
		for seq := range int64(2 * prompts) {
			rec := verbatim.Record{Seq: seq, Outcome: verbatim.Pass, Grade: &verbatim.Grade{Exact: true}, Reply: &verbatim.Reply{Text: "a"}}
			if err := test.Resume(side, &rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	return test
}

func newTools(upstream Upstream) *toolTest {
	return NewTools(ToolConfig{Seed: 3, Limits: func(*verbatim.Item) (int, int) { return 99, 0 }, MostMissing: .02 * (96 + ToolItems), Upstream: upstream})
}

// TestTools compares endpoints whose texts are alike, by their calls of a tool.
func TestTools(t *testing.T) {
	for _, c := range []struct {
		name   string
		b      toolServer
		word   Word
		alone  int // objects that A alone has right
		absent string
	}{
		{"alike", toolServer{}, NoDifference, 0, ""},
		{"eight wrong", toolServer{wrong: 8}, NoDifference, 8, ""},
		{"nine wrong", toolServer{wrong: 9}, Differ, 9, ""},
		{"text in place of calls", toolServer{talks: true}, Differ, ToolItems, ""},
		{"refuses", toolServer{status: http.StatusBadRequest, message: "unsupported"}, NoDifference, 0, "B refuses them"},
		{"refuses by a server error", toolServer{status: http.StatusInternalServerError, message: "tools param requires --jinja flag"}, NoDifference, 0, "B refuses them"},
		{"breaks", toolServer{status: http.StatusInternalServerError, message: "internal error"}, Undecided, 0, ""},
		{"goes away", toolServer{down: []int{4, 5, 6, 7, 8, 9, 10, 11, 12}}, Undecided, 0, ""},
		{"one is lost", toolServer{down: []int{4}}, NoDifference, 0, ""},
		{"lost and wrong", toolServer{down: []int{4}, wrong: 11}, Differ, 10, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			test, tools := alike(t, 48, nil), newTools(nil)
			if before := test.Result(); !test.NeedsTools() || before.Finished || before.Word != Undecided {
				t.Errorf("before the calls of a tool: %s", before.Word)
			}
			a := &toolServer{}
			playTools(t, tools, [2]*toolServer{a, &c.b})
			found := tools.Result()
			test.AddTools(found, tools.Refusal(Names()))
			r := test.Result()
			if r.Word != c.word || r.NoTools != c.absent || r.ExactAlone != [2]int{c.alone, 0} || (r.Tools == nil) != (c.absent != "") {
				t.Errorf("%s, want %s; %q, A alone %v, %+v", r.Word, c.word, r.NoTools, r.ExactAlone, r.Tools)
			}
			if test.NeedsTools() || r.TooMany != (c.word == Undecided) {
				t.Errorf("more calls are wanted, or %v", r.TooMany)
			}
			for _, p := range r.Probes {
				if want := stats.SignTest(int64(c.alone), int64(0)); p.Name == Exact && c.word != Undecided && p.P != want {
					t.Errorf("p %v, want %v", p.P, want)
				}
			}
			if c.absent != "" && (c.b.calls > attempts || a.calls > attempts+1) {
				t.Errorf("%d and %d calls for tools that one side refuses", a.calls, c.b.calls)
			}
		})
	}
}

// A test that was interrupted among its calls of a tool sends the others, and no more.
func TestToolsResume(t *testing.T) {
	first, second := newTools(nil), newTools(nil)
	whole := [2]*toolServer{{wrong: 2}, {wrong: 5}}
	playTools(t, first, whole)
	for side := range 2 {
		s := &toolServer{wrong: whole[side].wrong}
		for seq := range int64(7) {
			rec := s.reply(seq)
			second.Resume(side, &rec)
		}
		second.Resume(side, &verbatim.Record{Seq: 8, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Status: 500}}) // is sent again
	}
	if ended, all := second.Progress(); ended != 14 || all != 2*ToolItems || second.Ended() {
		t.Errorf("%d of %d", ended, all)
	}
	rest := [2]*toolServer{{wrong: 2}, {wrong: 5}}
	playTools(t, second, rest)
	a, b := first.Result(), second.Result()
	if a.Exact != b.Exact || a.ExactAlone != [2]int{3, 0} || rest[0].calls != ToolItems-7 || !second.Ended() {
		t.Errorf("%+v and %+v in %d calls", a, b, rest[0].calls)
	}
}

// Calls of a tool count for the upstreams that served them, and for no others.
func TestToolsOfUpstreams(t *testing.T) {
	who := func(rec *verbatim.Record) string { return rec.Reply.ServedModel }
	for _, served := range []string{"", "new"} {
		test, tools := alike(t, 48, who), newTools(who)
		playTools(t, tools, [2]*toolServer{{}, {wrong: ToolItems, upstream: served}})
		test.AddTools(tools.Result(), "")
		if r, want := test.Result(), map[string]Word{"": Differ, "new": NoDifference}[served]; r.Word != want {
			t.Errorf("served by %q: %s, want %s", served, r.Word, want)
		}
	}
}

// Every object has what parsers of tool calls break, in one schema.
func TestToolObjects(t *testing.T) {
	seen := map[string]bool{}
	for _, it := range newTools(nil).Items() {
		seen[it.Want.Text] = true
		for _, part := range []string{`\\`, `\"`, "é", "東", "🙂", `"nested":{`, "[true,false]"} {
			if !strings.Contains(it.Want.Text, part) {
				t.Errorf("%s lacks %s", it.Want.Text, part)
			}
		}
	}
	if len(seen) != ToolItems {
		t.Errorf("%d objects", len(seen))
	}
}
