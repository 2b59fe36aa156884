package task

import (
	"fmt"
	"strings"
	"testing"

	"verbatim"
)

// TestShapes reads files in the shapes of public data sets, each with an input of our own.
func TestShapes(t *testing.T) {
	for _, c := range []struct{ name, file, data, fields, want, taken string }{
		{"OpenAI evals", "a.jsonl", `{"input": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "2+2?", "name": "x"}], "ideal": ["4", "four"]}`, "",
			"system: Be short. | user: 2+2? => 4 / four", `prompt from "input"; answer from "ideal"`},
		{"GSM8K", "a.jsonl", `{"question": "A farm has 1,000 hens and 80 cows.\nHow many?", "answer": "1,000+80=<<1000+80=1080>>1,080.\n#### 1,080"}`, "",
			"user: A farm has 1,000 hens and 80 cows.\nHow many? => 1080", `prompt from "question"; answer from "answer"`},
		{"Inspect, with ids", "a.json", `[{"id": 7, "input": "Name a prime.", "target": ["2", "3"], "metadata": {"k": 1}}, {"id": "b", "input": [{"role": "user", "content": "Say b."}], "target": "b"}]`, "",
			"7 user: Name a prime. => 2 / 3\nb user: Say b. => b", `prompt from "input"; answer from "target"; id from "id"; not used: "metadata"`},
		{"HF viewer rows", "rows.json", "{\"features\": [{\"name\": \"q\"}], \"rows\": [\n {\"row_idx\": 0, \"row\": {\"question\": \"Up?\", \"answer\": -3.50}, \"truncated_cells\": []}], \"num_rows_total\": 1}", "",
			"user: Up? => -3.50", `prompt from "question"; answer from "answer"`},
		{"fine-tuning", "a.jsonl", `{"messages": [{"role": "developer", "content": "S"}, {"role": "user", "content": [{"type": "text", "text": "Q"}]}, {"role": "assistant", "content": " A\n", "weight": 1}]}`, "",
			"system: S | user: Q => A", `prompt from "messages"; answer from "the last message"`},
		{"ShareGPT", "a.json", `[{"id": "g1", "conversations": [{"from": "human", "value": "Q"}, {"from": "gpt", "value": "A"}]}]`, "",
			"g1 user: Q => A", `answer from "the last message"; id from "id"`},
		{"Alpaca", "a.json", `[{"instruction": "Upper case.", "input": "abc", "output": "ABC"}, {"instruction": "Say x.", "input": "", "output": "x"}]`, "",
			"user: Upper case.\n\nabc => ABC\nuser: Say x. => x", ""},
		{"SQuAD", "a.jsonl", `{"id": "s", "title": "T", "context": "Rain fell in May.", "question": "When?", "answers": {"text": ["May", "in May", "May"], "answer_start": [13, 10, 13]}}`, "",
			"s user: Rain fell in May.\n\nWhen? => May / in May", `prompt from "question"; answer from "answers"; id from "id"; text before the prompt from "context"; not used: "title"`},
		{"TriviaQA", "a.jsonl", `{"question": "Q", "question_id": "t", "answer": {"aliases": ["Big Ben"], "normalized_value": "tower", "value": "Tower"}}`, "", "t user: Q => Big Ben / Tower", ""},
		{"prompt and completion", "a.jsonl", `{"prompt": "Q ->", "completion": " A\n"}`, "", "user: Q -> => A", ""},
		{"BIG-bench", "task.json", "{\"name\": \"t\",\n \"examples\": [{\"input\": \"Q\", \"target\": \"A\"}]}\n", "", "user: Q => A", ""},
		{"one pretty object", "a.json", "{\n \"input\": \"Q\",\n \"expected\": 5\n}", "", "user: Q => 5", ""},
		{"system and want list", "a.jsonl", `{"input": "Evens", "system_prompt": "S", "want": [2, 4]}`, "", "system: S | user: Evens => [2 4]", ""},
		{"CSV", "a.csv", "\ufeffLevel,Best Answer,QUESTION\r\n1,007,\"Two\nlines, \"\"quoted\"\"\"\r\n2,1.50,B\r\n", "",
			"user: Two\nlines, \"quoted\" => 007\nuser: B => 1.50", `prompt from "question"; answer from "best_answer"; not used: "level"`},
		{"TSV", "a.txt", "id\tinput\ttarget\n1\tx,y\tA\n", "", "1 user: x,y => A", ""},
		{"semicolons", "a.csv", "Prompt;Expected;\nx, y;A;\n", "", "user: x, y => A", ""},
		{"named fields", "a.csv", "input,question,gold,answer\nI,Q,G,A\n", "prompt=question,answer=Gold", "user: Q => G", `not used: "answer", "input"`},

		{"two prompts", "a.csv", "input,question,answer\nI,Q,A\nJ,R,B\n", "", "", `line 2: the prompt may be in "input", "question": choose one, as in --fields prompt=input`},
		{"two answers", "a.jsonl", `{"question": "Q", "answer": "A", "target": "B"}`, "", "", `line 1: the answer may be in "target", "answer": choose one, as in --fields answer=target`},
		{"no answer", "a.json", `[{"question": "Q", "tests": ["x"]}, {"question": "Q"}]`, "", "", `element 1: no field is the answer: the fields are "question", "tests". It is called want, target`},
		{"no such field", "a.csv", "q,a\nQ,A\n", "prompt=question,answer=a", "", `there is no field "question", which --fields names: the fields are "a", "q"`},
		{"empty answers", "a.jsonl", "{\"question\": \"Q\", \"answer\": \"\"}\n{\"question\": \"Q\", \"answer\": null}", "", "", `line 2: "answer", the answer, is empty`},
		{"MMLU", "a.jsonl", `{"question": "2+2?", "subject": "maths", "choices": ["3", "4"], "answer": 1}`, "", "", "the choices are in a field of their own"},
		{"ARC", "a.jsonl", `{"id": "r", "question": "Up?", "choices": {"text": ["yes", "no"], "label": ["1", "2"]}, "answerKey": "2"}`, "", "", "the choices are in a field of their own"},
		{"a template", "tests.json", `[{"vars": {"question": "Q"}, "assert": [{"type": "equals", "value": "A"}]}]`, "", "", `a test of promptfoo`},
		{"an object as prompt", "a.jsonl", `{"input": {"q": 1}, "expected": "A"}`, "", "", `"input", the prompt, is an object`},
		{"uneven table", "a.csv", "question,answer\nQ,A,B\n", "", "", "a.csv:2: wrong number of fields"},
		{"Latin-1", "a.csv", "question,answer\nQ,\xe9\n", "", "", "is not UTF-8"},
		{"Git LFS", "a.jsonl", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", "", "", "a.jsonl: the file is a Git LFS pointer"},
		{"Parquet", "a.parquet", "PAR1\x15\x04", "", "", "a.parquet: the file is a Parquet file"},
	} {
		fields, err := NewFields(c.fields)
		if err != nil {
			t.Fatal(err)
		}
		_, items, err := ReadItems(c.file, []byte(c.data), ".", fields, knownGrader)
		if c.want == "" {
			if err == nil || !strings.Contains(err.Error(), c.taken) {
				t.Errorf("%s: %v, want %s", c.name, err, c.taken)
			}
			continue
		}
		var lines []string
		for i, it := range items {
			line := itemLine(&it)
			if made := fmt.Sprintf("%d/", i+1); !strings.HasPrefix(it.ID, made) && len(it.ID) < 10 {
				line = it.ID + " " + line
			}
			lines = append(lines, line)
		}
		if got := strings.Join(lines, "\n"); err != nil || got != c.want || !strings.Contains(fields.Taken(), c.taken) {
			t.Errorf("%s: %v\n%s\nwant\n%s\n%s, want %s", c.name, err, got, c.want, fields.Taken(), c.taken)
		}
	}
	for _, wrong := range []string{"prompt", "prompt=", "replies=x", "prompt=a,,"} {
		if _, err := NewFields(wrong); err == nil {
			t.Errorf("--fields %s is no error", wrong)
		}
	}
}

// itemLine writes an item as "role: text | role: text => want / accept".
func itemLine(it *verbatim.Item) string {
	var messages, answers []string
	for _, m := range it.Prompt {
		text := ""
		for _, p := range m.Content {
			text += p.Text
		}
		messages = append(messages, m.Role+": "+text)
	}
	for _, a := range append([]verbatim.Answer{it.Want}, it.Accept...) {
		if a.IsList() {
			answers = append(answers, fmt.Sprint(a.List))
		} else {
			answers = append(answers, a.Text)
		}
	}
	return strings.Join(messages, " | ") + " => " + strings.Join(answers, " / ")
}

// TestMadeIDs: the id of a row without one depends on its place and on what is asked, and on nothing
// else; the hash of the file depends on the fields that were chosen.
func TestMadeIDs(t *testing.T) {
	read := func(data, chosen string) (string, string) {
		fields, err := NewFields(chosen)
		if err != nil {
			t.Fatal(err)
		}
		file, items, err := ReadItems("x.jsonl", []byte(data), ".", fields, knownGrader)
		if err != nil {
			t.Fatal(err)
		}
		return items[len(items)-1].ID, file.SHA256
	}
	const row = `{"question": "Q", "gold": "G", "output": "O"}`
	id, sum := read(row, "answer=gold")
	same, _ := read(strings.Replace(row, "{", `{"level": 3, `, 1), "answer=gold")
	moved, _ := read(row+"\n"+row, "answer=gold")
	other, otherSum := read(row, "answer=output")
	if same != id || moved == id || other == id || otherSum == sum || !strings.HasPrefix(id, "1/") || !strings.HasPrefix(moved, "2/") {
		t.Errorf("%s, %s, %s, %s; %s, %s", id, same, moved, other, sum, otherSum)
	}
}
