package task

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/draw"
	"verbatim/internal/grade"
	"verbatim/internal/pylit"
)

// items draws different items of a family at random lengths: 200, or 10,000 in the long
// form. An item with the same question as an earlier one is left out, as a plan leaves
// it out; there are none at lengths above Few. check gets the user's message.
func items(t *testing.T, name string, longest int, check func(it *verbatim.Item, asked string)) {
	t.Helper()
	i := slices.IndexFunc(exactFamilies(), func(f verbatim.Family) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no family %s", name)
	}
	f := exactFamilies()[i]
	count := 200
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		count = 10_000
	}
	seen := map[string]bool{}
	for index := 0; len(seen) < count; index++ {
		if index == 20*count {
			t.Fatalf("%s: only %d of %d items are different", name, len(seen), index)
		}
		r := draw.Rand(f.Name, f.Version, "test", 1, uint64(index))
		n := f.Min + r.IntN(longest-f.Min+1)
		it := drawn(t, f, r, n)
		it.ID = fmt.Sprintf("%s/%d/%d", name, n, index)
		asked := it.Prompt[len(it.Prompt)-1].Content[0].Text
		if seen[asked] {
			if n > f.Few {
				t.Fatalf("%s: an item of length %d is there twice: %s", name, n, asked)
			}
			continue
		}
		seen[asked] = true
		checkItem(t, it, index < 200)
		check(it, asked)
		if t.Failed() {
			t.Fatalf("%s: %s\nwants %s", it.ID, asked, damage.Right(it))
		}
	}
}

func drawn(t *testing.T, f verbatim.Family, r *rand.Rand, n int) *verbatim.Item {
	t.Helper()
	it, err := f.Item(r, verbatim.Parameters{Length: verbatim.Lengths{Min: n, Max: n}, Edition: verbatim.Standard})
	if err != nil {
		t.Fatal(err)
	}
	if it.Facts[verbatim.FactLength] != strconv.Itoa(n) {
		t.Errorf("length %s, want %d", it.Facts[verbatim.FactLength], n)
	}
	return &it
}

// checkItem: the grader takes the right answer, and gives each foreseen mistake its label.
// Mistakes are graded where grades is set: that takes longest.
func checkItem(t *testing.T, it *verbatim.Item, grades bool) {
	t.Helper()
	if grades {
		if err := grade.Check(it); err != nil {
			t.Error(err)
		}
		if g := grade.Of(it, damage.Right(it), verbatim.FinishStop); !g.Exact {
			t.Errorf("the right answer is %s (%s)", g.Label, g.Detail)
		}
	}
	if text := it.Want.Text; !it.Want.IsList() && (text == "" || pylit.Strip(text) != text || !utf8.ValidString(text)) {
		t.Errorf("the answer %q is empty, not UTF-8, or has white space at an end", text)
	}
	for _, m := range it.Mistakes {
		wrong := &verbatim.Item{Want: m.Answer}
		if damage.Right(wrong) == damage.Right(it) {
			t.Errorf("the mistake %s is right", m.Label)
		}
		if !grades {
			continue
		}
		if g := grade.Of(it, damage.Right(wrong), verbatim.FinishStop); g.Exact || g.Label != m.Label || g.Detail != m.Detail {
			t.Errorf("the mistake %s (%s) is graded %s (%s)", m.Label, m.Detail, g.Label, g.Detail)
		}
	}
}

// between is the text between two marks.
func between(s, from, to string) string {
	_, rest, _ := strings.Cut(s, from)
	i := strings.LastIndex(rest, to)
	if to == "" {
		return rest
	}
	return rest[:max(i, 0)]
}

func TestCopyIDs(t *testing.T) {
	forms := map[string]*regexp.Regexp{
		"uuid": regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
		"hex":  regexp.MustCompile(`^[0-9a-f]{40}$`), "base64": regexp.MustCompile(`^[0-9A-Za-z+/]{32}$`),
		"ulid": regexp.MustCompile(`^01[0-9A-HJKMNP-TV-Z]{24}$`),
	}
	items(t, "copy-ids", 20, func(it *verbatim.Item, asked string) {
		if between(asked, "\n\n", "") != it.Want.Text {
			t.Error("the prompt holds other identifiers")
		}
		lines := strings.Split(it.Want.Text, "\n")
		for _, line := range lines {
			if !forms[it.Facts["kind"]].MatchString(line) {
				t.Errorf("%q is no %s", line, it.Facts["kind"])
			}
		}
		if slices.Sort(lines); len(slices.Compact(lines)) != len(strings.Split(it.Want.Text, "\n")) {
			t.Error("an identifier is there twice")
		}
		if _, err := base64.StdEncoding.DecodeString(lines[0]); it.Facts["kind"] == "base64" && err != nil {
			t.Error(err)
		}
	})
}

// TestPickTwin reads the lines of the prompt as a model would.
func TestPickTwin(t *testing.T) {
	items(t, "pick-twin", 4000, func(it *verbatim.Item, asked string) {
		lines, name, _ := strings.Cut(between(asked, "\n\n", ""), "\n\nThe name: ")
		ids, right := map[string]int{}, ""
		for line := range strings.SplitSeq(lines, "\n") {
			who, id, ok := strings.Cut(line, ": ")
			if !ok || len(id) != 20 {
				t.Errorf("%q is no record", line)
			}
			if ids[id]++; who == name {
				right += id
			}
		}
		if right != it.Want.Text {
			t.Errorf("%q has %q", name, right)
		}
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s is there %d times", id, n)
			}
		}
		n, _ := strconv.Atoi(it.Facts[verbatim.FactLength])
		if len(lines) > n+40 || len(lines) < n-80 {
			t.Errorf("%d characters, want %d", len(lines), n)
		}
		for _, m := range it.Mistakes {
			differ := 0
			for i := range 20 {
				if m.Answer.Text[i] != it.Want.Text[i] {
					differ++
				}
			}
			if ids[m.Answer.Text] == 0 || differ > 2 {
				t.Errorf("%s is no twin", m.Answer.Text)
			}
		}
	})
}

func TestCopyLong(t *testing.T) {
	items(t, "copy-long", 3000, func(it *verbatim.Item, asked string) {
		if between(asked, "\n\n", "") != it.Want.Text || strconv.Itoa(utf8.RuneCountInString(it.Want.Text)) != it.Facts[verbatim.FactLength] || strings.Contains(it.Want.Text, "\n") {
			t.Errorf("a text of %d characters", utf8.RuneCountInString(it.Want.Text))
		}
	})
}

func TestCopyCode(t *testing.T) {
	tabs, ends := 0, 0
	items(t, "copy-code", 60, func(it *verbatim.Item, asked string) {
		if between(asked, "```\n", "\n```") != it.Want.Text || strconv.Itoa(strings.Count(it.Want.Text, "\n")+1) != it.Facts[verbatim.FactLength] {
			t.Error("other lines than in the prompt")
		}
		if strings.Contains(it.Want.Text, "\n\t") {
			tabs++
		}
		if regexp.MustCompile(`[^ \t\n][ \t]+\n`).MatchString(it.Want.Text) {
			ends++
		}
		tidy := regexp.MustCompile(`(?m)[ \t]+$`).ReplaceAllString(it.Want.Text, "")
		if g := grade.Of(it, tidy, verbatim.FinishStop); tidy != it.Want.Text && (g.Exact || g.Label != "whitespace") {
			t.Errorf("without spaces at the ends of lines it is %s", g.Label)
		}
		if g := grade.Of(it, "```go\n"+it.Want.Text+"\n```", verbatim.FinishStop); !g.Extracted || g.Label != "fenced" {
			t.Errorf("in a fence it is %s (%s)", g.Label, g.Detail)
		}
	})
	if tabs < 100 || ends < 100 {
		t.Errorf("%d texts with tabs, %d with white space at the ends of lines", tabs, ends)
	}
}

// TestCopyJSON reads the objects with encoding/json.
func TestCopyJSON(t *testing.T) {
	all := ""
	items(t, "copy-json", 60, func(it *verbatim.Item, asked string) {
		text := between(asked, "\n\n", "")
		var v any
		if text != it.Want.Text || json.Unmarshal([]byte(text), &v) != nil {
			t.Error("other JSON than in the prompt, or none")
		}
		if n := scalars(v); strconv.Itoa(n) != it.Facts[verbatim.FactLength] {
			t.Errorf("%d values", n)
		}
		all += text
	})
	for _, part := range []string{`.0`, `e-3`, `E+5`, `\u00e9`, `\/`, `\ud83d\ude42`, `null`, `""`, `{}`, `[[`} {
		if !strings.Contains(all, part) {
			t.Errorf("no object holds %s", part)
		}
	}
}

// scalars counts the values that are no objects or arrays with something in them.
func scalars(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			n += scalars(x)
		}
		if len(v) > 0 {
			return n
		}
	case []any:
		for _, x := range v {
			n += scalars(x)
		}
		if len(v) > 0 {
			return n
		}
	}
	return 1
}

func TestCopyUnicode(t *testing.T) {
	all := ""
	items(t, "copy-unicode", 200, func(it *verbatim.Item, asked string) {
		if between(asked, "\n\n<<<", ">>>") != it.Want.Text || strconv.Itoa(utf8.RuneCountInString(it.Want.Text)) != it.Facts[verbatim.FactLength] {
			t.Errorf("%d code points", utf8.RuneCountInString(it.Want.Text))
		}
		all += it.Want.Text
	})
	for _, set := range unicodePieces {
		for _, piece := range set {
			if !strings.Contains(all, piece) {
				t.Errorf("no text holds %+q", piece)
			}
		}
	}
}

func TestCopyRepeat(t *testing.T) {
	items(t, "copy-repeat", 200, func(it *verbatim.Item, asked string) {
		text := strings.TrimSpace(between(asked, "\n\n", ""))
		n, _ := strconv.Atoi(it.Facts[verbatim.FactLength])
		if text != it.Want.Text || strings.Count(text[6:len(text)-6], it.Facts["piece"]) != n || len(text) != 12+n*len(it.Facts["piece"]) {
			t.Error("another number of repetitions")
		}
	})
}

// TestEmitN reads number and piece in the prompt.
func TestEmitN(t *testing.T) {
	between := map[string]string{"space": " ", "nothing": "", "comma": ", ", "line": "\n"}
	items(t, "emit-n", 300, func(it *verbatim.Item, asked string) {
		m := regexp.MustCompile(`^Output the (?:letter|digit|word|emoji) "(\S+)" (?:([0-9]+) times with (.*)|once)\. Only`).FindStringSubmatch(asked)
		if m == nil {
			t.Fatalf("%q", asked)
		}
		n := 1
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		want := slices.Repeat([]string{m[1]}, n)
		if it.Want.Text != strings.Join(want, between[it.Facts["between"]]) || strconv.Itoa(n) != it.Facts[verbatim.FactLength] {
			t.Errorf("%d times %q", n, m[1])
		}
	})
}

// TestEditApply makes the edits with regular expressions, one after the other.
func TestEditApply(t *testing.T) {
	kinds := map[string]int{}
	items(t, "edit-apply", 12, func(it *verbatim.Item, asked string) {
		_, rest, _ := strings.Cut(asked, "\n\n")
		text, edits, _ := strings.Cut(rest, "\n\nThe edits:\n")
		for i, e := range strings.Split(edits, "\n") {
			number, words, _ := strings.Cut(e, ". ")
			q := regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(words, -1)
			one := func(word string) *regexp.Regexp {
				if all := regexp.MustCompile(`\b`+word+`\b`).FindAllString(text, -1); len(all) != 1 {
					t.Errorf("edit %s: %q is there %d times", number, word, len(all))
				}
				return regexp.MustCompile(`\b` + word + `\b`)
			}
			kind, _, _ := strings.Cut(words, " ")
			kinds[kind]++
			switch kind {
			case "Replace":
				text = one(q[0][1]).ReplaceAllString(text, q[1][1])
			case "Insert":
				text = one(q[1][1]).ReplaceAllString(text, q[1][1]+" "+q[0][1])
			case "Delete":
				one(q[0][1])
				text = regexp.MustCompile(`(?m)^`+q[0][1]+` | `+q[0][1]+`\b`).ReplaceAllString(text, "")
			case "Add":
				one(q[1][1])
				text = regexp.MustCompile(`(?m)^(.*\b`+q[1][1]+`\b.*)$`).ReplaceAllString(text, "$1\n"+q[0][1])
			default:
				t.Errorf("edit %q", e)
			}
			if number != strconv.Itoa(i+1) {
				t.Errorf("edit %d has the number %s", i+1, number)
			}
		}
		if text != it.Want.Text {
			t.Errorf("the edits lead to\n%s", text)
		}
	})
	if len(kinds) != 4 {
		t.Errorf("kinds of edits: %v", kinds)
	}
}

// TestMissingEdits makes the edits but some: the label says which are missing.
func TestMissingEdits(t *testing.T) {
	most := 0
	items(t, "edit-apply", 16, func(it *verbatim.Item, _ string) {
		n, _ := strconv.Atoi(it.Facts[verbatim.FactLength])
		details := map[string]bool{}
		size := 0
		for _, m := range it.Mistakes {
			details[m.Detail] = true
			size += len(m.Answer.Text)
		}
		most = max(most, size)
		want := []string{"no edit made", "edit 1"}
		switch {
		case n == 1:
			want = want[:1]
		case n == 3:
			want = append(want, "edits 1, 3", "edits 2, 3")
		case n == 4:
			want = append(want, "edits 1, 3", "edits 1, 2, 4", "edits 2, 3, 4")
		case n > 4 && n <= 8:
			want = append(want, "edits 1, 3", fmt.Sprintf("edits %d, %d", n-1, n), fmt.Sprintf("edits 2 to %d", n))
		case n > 8:
			want = append(want, "edit "+strconv.Itoa(n), fmt.Sprintf("edits %d, %d", n-1, n), fmt.Sprintf("edits 2 to %d", n))
		}
		for _, d := range want {
			if !details[d] {
				t.Errorf("%d edits: nothing is %q", n, d)
			}
		}
		if n == 4 && len(it.Mistakes) != 15 || n == 8 && len(it.Mistakes) > 45 || len(details) != len(it.Mistakes) {
			t.Errorf("%d edits: %d mistakes, %d details", n, len(it.Mistakes), len(details))
		}
	})
	if most > 100_000 {
		t.Errorf("the mistakes of an item have %d bytes", most)
	}
}

// TestOtherResults: results of other operations, and of other directions, are named as
// such.
func TestOtherResults(t *testing.T) {
	found := map[string]int{}
	see := func(it *verbatim.Item, list []any) {
		if len(it.Want.List) > 5 && pylit.Format(list) != pylit.Format(it.Want.List) {
			found[it.Facts["operation"]+": "+labelOf(it, pylit.Format(list))]++
		}
	}
	items(t, "set-ops", 40, func(it *verbatim.Item, asked string) {
		in := lists(t, asked)
		var inB, notInB, lasts, turns []any
		for i, v := range in[0] {
			if len(in) > 1 && slices.Contains(in[1], v) {
				inB = append(inB, v)
			} else {
				notInB = append(notInB, v)
			}
			if !slices.Contains(in[0][i+1:], v) {
				lasts = append(lasts, v)
			}
		}
		switch it.Facts["operation"] {
		case "distinct":
			see(it, lasts)
		case "difference":
			see(it, inB)
		case "intersection":
			see(it, notInB)
		case "interleave":
			for i, v := range in[0] {
				if i < len(in[1]) {
					turns = append(turns, in[1][i])
				}
				turns = append(turns, v)
			}
			see(it, turns)
		}
	})
	items(t, "stable-sort", 40, func(it *verbatim.Item, asked string) {
		in := lists(t, asked)
		key := func(v any) int {
			_, digits, _ := strings.Cut(fmt.Sprint(v), ":")
			n, _ := strconv.Atoi(digits)
			return n
		}
		switch it.Facts["operation"] {
		case "sort":
			slices.SortStableFunc(in[0], func(a, b any) int { return key(b) - key(a) })
			see(it, in[0])
		case "merge":
			all := slices.Concat(in[0], in[1])
			slices.SortFunc(all, func(a, b any) int { return byValue(b, a) })
			see(it, all)
		}
	})
	want := []string{"difference: other_operation: intersection", "distinct: other_operation: the last of equal items", "interleave: other_operation: beginning with B",
		"intersection: other_operation: difference", "merge: wrong_direction: descending", "sort: wrong_direction: descending, ties as they stood"}
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Errorf("%v", found)
	}
}

// TestListsGivenBack: each list of a question, given back as it was, is a missing step.
func TestListsGivenBack(t *testing.T) {
	found := map[string]int{}
	for _, name := range []string{"set-ops", "stable-sort"} {
		items(t, name, 40, func(it *verbatim.Item, asked string) {
			in := lists(t, asked)
			if it.Facts["operation"] == "sort" || it.Facts["operation"] == "top" {
				return // one list, which is unchanged
			}
			for i, list := range in {
				if pylit.Format(list) == pylit.Format(it.Want.List) {
					continue
				}
				want := "step_missing: " + string(rune('A'+i)) + " as it was"
				if got := labelOf(it, pylit.Format(list)); got != want {
					t.Errorf("%s: %s", pylit.Format(list), got)
				}
				found[it.Facts["operation"]+": "+want]++
			}
		})
	}
	for _, op := range []string{"difference", "intersection", "interleave", "merge"} {
		if found[op+": step_missing: B as it was"] < 20 {
			t.Errorf("%v", found)
		}
	}
}

// lists reads the lists of a prompt.
func lists(t *testing.T, asked string) (out [][]any) {
	t.Helper()
	for line := range strings.SplitSeq(asked, "\n") {
		if i := strings.IndexByte(line, '['); i >= 0 {
			var a verbatim.Answer
			if err := a.UnmarshalJSON([]byte(strings.ReplaceAll(line[i:], "'", `"`))); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			out = append(out, a.List)
		}
	}
	return out
}

// TestSetOps computes the results by counting.
func TestSetOps(t *testing.T) {
	operations := map[string]int{}
	items(t, "set-ops", 40, func(it *verbatim.Item, asked string) {
		in := lists(t, asked)
		place := map[string]int{} // of an item in the answer
		for i, v := range it.Want.List {
			if _, twice := place[pylit.Format(v)]; twice {
				t.Errorf("%v is there twice", v)
			}
			place[pylit.Format(v)] = i
		}
		operations[it.Facts["operation"]]++
		inB := map[string]bool{}
		if len(in) > 1 {
			for _, v := range in[1] {
				inB[pylit.Format(v)] = true
			}
		}
		last, saved := -1, 0
		for i, v := range in[0] {
			p, ok := place[pylit.Format(v)]
			switch it.Facts["operation"] {
			case "distinct":
				first := slices.Index(in[0], v) == i
				if !ok || first && p != last+1 {
					t.Errorf("%v is at %d", v, p)
				}
				if first {
					last, saved = p, saved+1
				}
				continue
			case "interleave":
				if p != 2*i || i < len(in[1]) && place[pylit.Format(in[1][i])] != 2*i+1 {
					t.Errorf("%v is at %d", v, p)
				}
				saved = len(in[0]) + len(in[1])
				continue
			}
			if ok != (inB[pylit.Format(v)] == (it.Facts["operation"] == "intersection")) || ok && p != last+1 {
				t.Errorf("%v is at %d, %v", v, p, ok)
			}
			if ok {
				last, saved = p, saved+1
			}
		}
		if saved != len(it.Want.List) {
			t.Errorf("%d items, want %d", len(it.Want.List), saved)
		}
	})
	if len(operations) != 4 {
		t.Errorf("operations %v", operations)
	}
}

// TestStableSort checks neighbours.
func TestStableSort(t *testing.T) {
	key := func(v any) int {
		_, digits, _ := strings.Cut(v.(string), ":")
		n, err := strconv.Atoi(digits)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	operations := map[string]int{}
	items(t, "stable-sort", 40, func(it *verbatim.Item, asked string) {
		in, want := lists(t, asked), it.Want.List
		operations[it.Facts["operation"]]++
		switch it.Facts["operation"] {
		case "sort":
			for i := 1; i < len(want); i++ {
				if a, b := key(want[i-1]), key(want[i]); a > b || a == b && slices.Index(in[0], want[i-1]) > slices.Index(in[0], want[i]) {
					t.Errorf("%v is before %v", want[i-1], want[i])
				}
			}
			if len(want) != len(in[0]) {
				t.Errorf("%d rows of %d", len(want), len(in[0]))
			}
		case "top":
			k, _ := strconv.Atoi(regexp.MustCompile(`Give the (\d+) rows`).FindStringSubmatch(asked)[1])
			for i, v := range want {
				larger := 0
				for _, other := range in[0] {
					if key(other) > key(v) {
						larger++
					}
				}
				if larger != i {
					t.Errorf("%v is number %d, and %d are larger", v, i+1, larger)
				}
			}
			if len(want) != k {
				t.Errorf("%d rows, want %d", len(want), k)
			}
		case "merge":
			rest := slices.Concat(in[0], in[1])
			for i, v := range want {
				at := slices.Index(rest, v)
				if at < 0 || i > 0 && want[i-1].(int64) >= v.(int64) {
					t.Errorf("%v", v)
				}
				rest = slices.Delete(rest, at, at+1)
			}
			if len(rest) != 0 || !slices.IsSortedFunc(in[0], byValue) || !slices.IsSortedFunc(in[1], byValue) {
				t.Error("something is left, or a list is not sorted")
			}
		}
	})
	if len(operations) != 3 {
		t.Errorf("operations %v", operations)
	}
}

func byValue(a, b any) int { return int(a.(int64) - b.(int64)) }

// TestCharOps goes through the text character by character.
func TestCharOps(t *testing.T) {
	kinds := map[string]int{}
	items(t, "char-ops", 80, func(it *verbatim.Item, asked string) {
		m := regexp.MustCompile(`in "([^"]*)"\?$`).FindStringSubmatch(asked)
		text := m[1]
		kinds[it.Facts["operation"]+" "+it.Facts["text"]]++
		answer := ""
		switch it.Facts["operation"] {
		case "nth":
			n, _ := strconv.Atoi(regexp.MustCompile(`number (\d+) \(`).FindStringSubmatch(asked)[1])
			for i, c := range text {
				if i == n-1 {
					answer = string(c)
				}
			}
		default:
			c := regexp.MustCompile(`character "(.)"`).FindStringSubmatch(asked)[1]
			count, first := 0, 0
			for i, x := range text {
				if string(x) == c {
					if count++; count == 1 {
						first = i + 1
					}
				}
			}
			if answer = strconv.Itoa(count); it.Facts["operation"] == "position" {
				answer = strconv.Itoa(first)
			}
		}
		if answer != it.Want.Text || strconv.Itoa(len(text)) != it.Facts[verbatim.FactLength] {
			t.Errorf("the answer is %q", answer)
		}
	})
	if len(kinds) < 8 {
		t.Errorf("kinds %v", kinds)
	}
}

// TestRoot multiplies: the power of the answer is not above the number, that of the next is.
func TestRoot(t *testing.T) {
	kinds := map[string]int{}
	items(t, "root", 60, func(it *verbatim.Item, asked string) {
		m := regexp.MustCompile(`the (square|cube) root of (\d+)(, rounded down to a whole number)?\.`).FindStringSubmatch(asked)
		number, _ := new(big.Int).SetString(m[2], 10)
		x, _ := new(big.Int).SetString(it.Want.Text, 10)
		power := func(x *big.Int) *big.Int {
			p := new(big.Int).Mul(x, x)
			if m[1] == "cube" {
				p.Mul(p, x)
			}
			return p
		}
		c := power(x).Cmp(number)
		if exact := m[3] == ""; c > 0 || exact != (c == 0) || exact != (it.Facts["exact"] == "yes") || power(new(big.Int).Add(x, big.NewInt(1))).Cmp(number) <= 0 {
			t.Errorf("%v is not the root", x)
		}
		if strconv.Itoa(len(m[2])) != it.Facts[verbatim.FactLength] {
			t.Errorf("%d digits", len(m[2]))
		}
		kinds[m[1]+m[3]]++
	})
	if len(kinds) != 4 {
		t.Errorf("kinds %v", kinds)
	}
}

// labelOf is the label and the detail of a reply to an item.
func labelOf(it *verbatim.Item, reply string) string {
	g := grade.Of(it, reply, verbatim.FinishStop)
	return strings.TrimSuffix(g.Label+": "+g.Detail, ": ")
}

// TestWrongRoots: a wrong root has the label that a reader would give it, whatever its
// digits.
func TestWrongRoots(t *testing.T) {
	checked := map[string]int{}
	items(t, "root", 16, func(it *verbatim.Item, asked string) {
		number := it.Source.List[0].(string)
		x, _ := strconv.ParseFloat(number, 64)
		y, other := math.Sqrt(x), "the cube root"
		z := math.Cbrt(x)
		if it.Facts["root"] == "cube" {
			y, z, other = z, y, "the square root"
		}
		want, exact := it.Want.Text, it.Facts["exact"] == "yes"
		n, _ := strconv.Atoi(want)
		replies := map[string]string{
			number:                                         "echo: the number itself",
			"The answer is " + number:                      "echo: the number itself",
			want + ".0":                                    "decimal",
			strconv.Itoa(n + 4):                            "other_number: 4 too large",
			"It is " + strconv.Itoa(n+1234567):             "other_number: 1234567 too large",
			strconv.FormatFloat(x*10, 'f', 0, 64):          fmt.Sprintf("other_number: %.0f too large", x*10-float64(n)),
			strconv.FormatFloat(math.Floor(z), 'f', 0, 64): "other_operation: " + other,
		}
		if !exact {
			replies[strconv.FormatFloat(y, 'f', 2, 64)] = "decimal: not rounded"
			replies[strconv.Itoa(n+1)] = "off_by_one: rounded up"
		}
		for reply, label := range replies {
			if reply == want || len(number) > 9 && strings.HasPrefix(label, "other_") { // beyond the digits of a float64
				continue
			}
			got := labelOf(it, reply)
			if first, _, _ := strings.Cut(got, ": "); first == "off_by_one" || got == "other_operation: "+other || got == "echo: the number itself" {
				continue // a small number is several of these
			}
			if checked[got]++; got != label {
				t.Errorf("%q for %s is %s, want %s", reply, want, got, label)
			}
		}
	})
	if len(checked) < 10 {
		t.Errorf("only %v", checked)
	}
}

// TestWrongCounts: a count or a position that is wrong is another number, not other digits.
func TestWrongCounts(t *testing.T) {
	labels := map[string]int{}
	items(t, "char-ops", 80, func(it *verbatim.Item, asked string) {
		if it.Facts["operation"] == "nth" {
			return
		}
		n, _ := strconv.Atoi(it.Want.Text)
		for off := -3; off <= 7; off++ {
			got := labelOf(it, strconv.Itoa(n+off))
			labels[got]++
			label, _, _ := strings.Cut(got, ": ")
			switch {
			case off == 0 || n+off < 0:
			case off == 1 || off == -1:
				if label != "off_by_one" {
					t.Errorf("%d for %d is %s", n+off, n, got)
				}
			case label != "other_operation" && got != fmt.Sprintf("other_number: %d too large", off) && got != fmt.Sprintf("other_number: %d too small", -off):
				t.Errorf("%d for %d is %s", n+off, n, got)
			}
		}
	})
	for _, want := range []string{"the last one", "counted from the end", "without spaces", "upper and lower case together"} {
		if labels["other_operation: "+want] == 0 {
			t.Errorf("no wrong answer has the label %s: %v", want, labels)
		}
	}
}

// TestExactLongest draws a long item of each family.
func TestExactLongest(t *testing.T) {
	for _, f := range exactFamilies() {
		n := min(f.Max, 20_000)
		drawn(t, f, rand.New(rand.NewPCG(3, 4)), n)
	}
}

// TestVisible: no question is about a space, and every other character may be asked for.
func TestVisible(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[int]bool{}
	for range 100 {
		seen[visible(r, "a  b c")] = true
	}
	if len(seen) != 3 || !seen[0] || !seen[3] || !seen[5] {
		t.Errorf("indexes %v", seen)
	}
}
