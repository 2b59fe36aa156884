package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"verbatim"

	"verbatim/internal/scratch"
)

// WriteLMEval writes a run into dir as lm-evaluation-harness does with --output_path and
// --log_samples: dir/MODEL/samples_FAMILY_TIME.jsonl for every family, and
// dir/MODEL/results_TIME.json. It returns the files, and the number of requests without an answer,
// which are left out because the format has no place for them.
//
// A family is a task, and its items, in their order, are its documents. Families whose names differ
// only in characters that file names lack are one task. The first trial has the filter "none", later
// ones "trial=1" and so on. The metric is exact_match. "verbatim" of every line has what the format
// lacks, so that ReadLMEval returns the same records.
func WriteLMEval(dir Folder, run *Run) (files []string, left int64, err error) {
	w := &lmWriter{run: run, tasks: map[string]*lmTask{}, time: lmStamp(run.Started)}
	w.top, w.model = dir, lmModel(run.Model)
	defer w.discard()
	if err := w.top.makeFolder(w.model); err != nil {
		return nil, 0, err
	}
	for rec, err := range run.Records {
		if err == nil && rec.Item == nil {
			err = fmt.Errorf("record %d has no item", rec.Seq)
		}
		if err == nil && rec.Reply == nil {
			left++
			continue
		}
		if err == nil {
			err = w.add(&rec)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("run %s: %w", run.Name, err)
		}
	}
	err = w.results()
	return w.files, left, err
}

// lmModel returns the folder of a model, named as lm-eval does.
func lmModel(model string) string {
	name := regexp.MustCompile(`["<>:/|\\?*\[\]]+`).ReplaceAllString(model, "__")
	return cmp.Or(strings.Trim(Word(name), "."), "model")
}

func lmStamp(t time.Time) string { return t.UTC().Format("2006-01-02T15-04-05.000000") }

// An lmWriter has an open file for every task.
type lmWriter struct {
	run   *Run
	top   Folder // the folder for all models
	model string // the folder of this model in top
	time  string
	tasks map[string]*lmTask // by the part of their file's name
	order []*lmTask
	files []string
}

// An lmTask is a task that is being written.
type lmTask struct {
	name    string
	file    *scratch.File
	out     *bufio.Writer
	docs    map[string]int64 // by item: the number of its document
	filters []string
	scores  map[string]*itemMeans // by filter
	hash    hash.Hash
}

// task returns the task of a family, a new one if necessary.
func (w *lmWriter) task(family string) (*lmTask, error) {
	const most = 200 // open files
	name := fileWord(family)
	t := w.tasks[name]
	if t != nil {
		return t, nil
	}
	if len(w.tasks) == most {
		return nil, fmt.Errorf("the run has more than %d families, each of which needs a file", most)
	}
	path := filepath.Join(w.model, "samples_"+name+"_"+w.time+".jsonl")
	f, err := w.top.Create(path)
	if err != nil {
		return nil, err
	}
	t = &lmTask{name: Word(family), file: f, out: bufio.NewWriter(f), docs: map[string]int64{}, scores: map[string]*itemMeans{}, hash: sha256.New()}
	w.tasks[name], w.order, w.files = t, append(w.order, t), append(w.files, filepath.Join(w.top.Path, path))
	return t, nil
}

func (w *lmWriter) add(rec *verbatim.Record) error {
	if rec.Grade == nil {
		return fmt.Errorf("record %d has a reply and no grade", rec.Seq)
	}
	t, err := w.task(cmp.Or(rec.Item.Facts[verbatim.FactFamily], "items"))
	if err != nil {
		return err
	}
	doc, known := t.docs[rec.Item.ID]
	if !known {
		doc = int64(len(t.docs))
		t.docs[rec.Item.ID] = doc
	}
	s, err := lmSampleOf(w.run, rec, doc)
	if err != nil {
		return err
	}
	if t.scores[s.Filter] == nil {
		t.scores[s.Filter], t.filters = new(itemMeans), append(t.filters, s.Filter)
	}
	t.scores[s.Filter].add(rec.Item.ID, s.Exact)
	io.WriteString(t.hash, s.DocHash+s.Prompt+s.Hash)
	line, err := marshal(s)
	if err != nil {
		return err
	}
	t.out.Write(line)
	return t.out.WriteByte('\n')
}

// lmSampleOf returns a record with a reply as the sample of a document.
func lmSampleOf(run *Run, rec *verbatim.Record, position int64) (*lmSample, error) {
	note, shown := noteOfRecord(rec)
	note.Sent = shown
	sent, want := lmText(shownPrompt(rec)), answerText(rec.Item.Want)
	s := &lmSample{DocID: &position, Target: marshalTexts(want), Resps: marshalTexts([][]string{{rec.Reply.Text}}), Filtered: marshalTexts([]string{rec.Reply.Text}),
		Filter: "none", Metrics: []string{"exact_match"}, Exact: truthValue(rec.Grade.Exact), Note: &note}
	if rec.Trial > 0 {
		s.Filter = fmt.Sprintf("trial=%d", rec.Trial)
	}
	var err error
	if s.Doc, err = marshal(rec.Item); err != nil {
		return nil, err
	}
	if s.Arguments, err = lmArguments(run, rec, sent); err != nil {
		return nil, err
	}
	doc, err := marshalPlain(rec.Item)
	if err != nil {
		return nil, err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, doc, "", "  "); err != nil {
		return nil, err
	}
	s.DocHash, s.Prompt, s.Hash = hashed(indented.String()), hashed(sent), hashed(want)
	return s, nil
}

func lmArguments(run *Run, rec *verbatim.Record, sent string) (map[string]map[string]json.RawMessage, error) {
	kwargs, err := marshal(struct {
		Until       []string `json:"until"`
		MaxTokens   int      `json:"max_gen_toks,omitempty"`
		Temperature *float64 `json:"temperature,omitempty"`
		TopP        *float64 `json:"top_p,omitempty"`
	}{[]string{}, rec.MaxTokens, run.Params.Temperature, run.Params.TopP})
	return map[string]map[string]json.RawMessage{"gen_args_0": {"arg_0": marshalTexts(sent), "arg_1": kwargs}}, err
}

// lmText returns a prompt as lm-eval saves it: the text if it is one message of the user, otherwise
// the messages as JSON. An image is the word [image].
func lmText(p verbatim.Prompt) string {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	var chat []message
	for _, m := range p {
		text := ""
		for _, part := range m.Content {
			if part.Image != nil {
				text += "[image]"
			}
			text += part.Text
		}
		chat = append(chat, message{m.Role, text})
	}
	if len(chat) == 1 && chat[0].Role == "user" {
		return chat[0].Content
	}
	data, err := marshalPlain(chat)
	if err != nil {
		panic(err) // JSON can hold texts
	}
	return string(data)
}

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// results writes the file of results.
func (w *lmWriter) results() error {
	type object = map[string]any
	results, configs, versions, shots, higher, samples, hashes := object{}, object{}, object{}, object{}, object{}, object{}, object{}
	for _, t := range w.order {
		line := object{"name": t.name, "alias": t.name, "sample_len": len(t.docs)}
		for _, filter := range t.filters {
			if mean, stderr, ok := t.scores[filter].mean(); ok {
				line["exact_match,"+filter], line["exact_match_stderr,"+filter] = mean, stderr
			}
		}
		results[t.name] = line
		configs[t.name] = object{"task": t.name, "output_type": "generate_until", "num_fewshot": 0}
		versions[t.name], shots[t.name] = 1, 0
		higher[t.name] = object{"exact_match": true}
		samples[t.name] = object{"original": len(t.docs), "effective": len(t.docs)}
		hashes[t.name] = hex.EncodeToString(t.hash.Sum(nil))
	}
	data, err := marshal(object{
		"results": results, "configs": configs, "versions": versions, "n-shot": shots, "higher_is_better": higher, "n-samples": samples,
		"task_hashes": hashes, "model_source": "verbatim", "model_name": w.run.Model, "model_name_sanitized": lmModel(w.run.Model),
		"config": object{"model": "verbatim", "model_args": object{"model": w.run.Model}}, "date": w.run.Started.Unix(),
		noteKey: runNote{runNoteFormat, w.run.Run},
	})
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "", "  "); err != nil {
		return err
	}
	indented.WriteByte('\n')
	path := filepath.Join(w.model, "results_"+w.time+".json")
	f, err := w.top.Create(path)
	if err != nil {
		return err
	}
	w.files = append(w.files, filepath.Join(w.top.Path, path))
	defer f.Discard()
	if _, err := f.Write(indented.Bytes()); err != nil {
		return err
	}
	if err := w.commit(); err != nil {
		return err
	}
	return f.Commit()
}

// commit gives the files of samples their names.
func (w *lmWriter) commit() error {
	for _, t := range w.order {
		if err := t.out.Flush(); err != nil {
			return err
		}
		if err := t.file.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// discard removes the files of samples that are not committed.
func (w *lmWriter) discard() {
	for _, t := range w.order {
		t.file.Discard()
	}
}
