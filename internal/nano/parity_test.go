package nano

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
)

// TestParity compares the tokens of prompts and of greedy answers with those of the
// program that trained the network, which computes in another way: every tenth of them
// without VERBATIM_EXHAUSTIVE.
func TestParity(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes, in one goroutine")
	}
	n := load(t)
	for i, r := range recordedReplies(t) {
		if !exhaustive.All() && i%10 != 0 {
			continue
		}
		s := n.sequence(r.Messages)
		if !slices.Equal(s.tokens, r.Tokens) {
			t.Errorf("line %d: the prompt has the tokens\n%d, want\n%d", i+1, s.tokens, r.Tokens)
			continue
		}
		st := n.newState()
		for i, tok := range s.tokens {
			n.read(st, tok, s.places[i], i == len(s.tokens)-1)
		}
		written, ended, err := n.write(t.Context(), st, newChooser(Sampling{}), 200)
		if err != nil {
			t.Fatal(err)
		}
		n.release(st)
		if !slices.Equal(written, r.Answer) || ended == r.Cut {
			t.Errorf("line %d: the answer has the tokens\n%d, cut: %t, want\n%d, cut: %t", i+1, written, !ended, r.Answer, r.Cut)
		}
	}
}

// A recordedReply is what the training program read and wrote.
type recordedReply struct {
	Messages verbatim.Prompt `json:"messages"`
	Tokens   []token         `json:"tokens"`
	Answer   []token         `json:"answer"`
	Cut      bool            `json:"cut"`
}

func recordedReplies(t *testing.T) []recordedReply {
	name := filepath.Join("testdata", "replies.jsonl")
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s is missing: write it with nano/parity.py", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []recordedReply
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recordedReply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s, line %d: %v", name, len(list)+1, err)
		}
		list = append(list, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(list) < 100 {
		t.Fatalf("%s has %d lines", name, len(list))
	}
	return list
}
