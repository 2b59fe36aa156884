package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
	"verbatim/internal/scratch"
)

// originLMEval is the Origin of runs that come from samples of lm-evaluation-harness.
const originLMEval = "lm-eval"

// ReadLMEval reads the samples that lm-evaluation-harness writes with --log_samples: files named
// samples_TASK_TIME.jsonl, or folders of them as --output_path makes. The files of one folder and
// one time are one Run. Its model is that of the results file in the same folder, or the name of the
// folder.
//
// Records of WriteLMEval come back unchanged, except for those without a reply, for which the format
// has no place. The id of another item has its task, its position and a digest of its contents, such
// as lm-eval:gsm8k/7/1a2b3c4d5e6f. A Reply is the model's output before any filter, and each repeat
// is a trial. Its Grade is that of the first metric, by a grader with its name, such as
// "lm-eval-exact_match". If a document has several filters, the first one counts.
//
// Files of tasks that compare log-likelihoods, which have no texts to grade, are errors. The error
// joins those of all files, up to 20; the runs are those of the other files.
func ReadLMEval(paths ...string) ([]Run, error) {
	var wrong problems
	var logs []*lmLog
	for _, path := range paths {
		found, err := lmFiles(path)
		wrong.Add(err)
		for _, file := range found {
			logs = addFile(logs, file)
		}
	}
	var runs []Run
	for _, l := range logs {
		if run, ok := l.run(&wrong); ok {
			runs = append(runs, run)
		}
	}
	return runs, wrong.Err()
}

// lmFiles returns the files of samples of a path.
func lmFiles(path string) ([]string, error) {
	files, err := filesIn(path, "samples_TASK_TIME.jsonl: was it written with --log_samples?", func(name string) bool {
		_, _, ok := lmName(name)
		return ok
	})
	if len(files) == 1 && files[0] == path {
		if _, _, ok := lmName(path); !ok {
			return nil, fmt.Errorf("%s: the name of a file of samples is samples_TASK_TIME.jsonl, or of an older one .json", path)
		}
	}
	return files, err
}

// lmName returns the task and the time in the name of a file of samples: samples_TASK_TIME.jsonl, or
// .json in older versions. Without a time, all of the name is the task.
func lmName(path string) (task, time string, ok bool) {
	name := filepath.Base(path)
	ext := filepath.Ext(name)
	name, samples := strings.CutPrefix(strings.TrimSuffix(name, ext), "samples_")
	if !samples || name == "" || ext != ".jsonl" && ext != ".json" {
		return "", "", false
	}
	if i := strings.LastIndexByte(name, '_'); i > 0 && strings.ContainsAny(name[i+1:i+2], "0123456789") {
		return name[:i], name[i+1:], true
	}
	return name, "", true
}

// An lmLog has the files of one evaluation.
type lmLog struct {
	dir, time string
	files     []string
	model     string
	note      *runNote // nil if another program has written them
}

// addFile adds a file of samples to the log of its folder and time, or to a new one.
func addFile(logs []*lmLog, path string) []*lmLog {
	_, time, _ := lmName(path)
	dir := filepath.Dir(path)
	for _, l := range logs {
		if l.dir == dir && l.time == time {
			if !slices.Contains(l.files, path) {
				l.files = append(l.files, path)
			}
			return logs
		}
	}
	return append(logs, &lmLog{dir: dir, time: time, files: []string{path}})
}

// results sets the model and the note from the file of results. Without one, the model is the name
// of the folder.
func (l *lmLog) results() error {
	var data struct {
		Model  string   `json:"model_name"`
		Source string   `json:"model_source"`
		Note   *runNote `json:"verbatim"`
	}
	path := filepath.Join(l.dir, "results_"+l.time+".json")
	if err := readJSON(path, &data); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if data.Note.ours() {
		l.note = data.Note
	}
	folder, err := filepath.Abs(l.dir)
	if err != nil {
		return err
	}
	l.model = cmp.Or(data.Model, filepath.Base(folder))
	return nil
}

// run checks all files and returns their Run, without files that have errors, which it adds to wrong.
func (l *lmLog) run(wrong *problems) (run Run, ok bool) {
	if err := l.results(); err != nil {
		wrong.Add(err)
		return Run{}, false
	}
	s, ok := summarize(l.dir, l.records(), wrong)
	if !ok {
		l.files = slices.DeleteFunc(l.files, func(file string) bool {
			one := *l
			one.files = []string{file}
			_, ok := summarize(file, one.records(), new(problems))
			return !ok
		})
		if len(l.files) == 0 {
			return Run{}, false
		}
		s, ok = summarize(l.dir, l.records(), new(problems))
	}
	if ok && s.count == 0 {
		wrong.Add(fmt.Errorf("%s: there are no samples", strings.Join(l.files, ", ")))
		return Run{}, false
	}
	run.Run = verbatim.Run{Model: l.model, Origin: originLMEval, Started: lmTime(l.time)}
	if l.note != nil {
		run.Run = l.note.run(l.model, originLMEval)
	}
	if run.Plan.Hash == "" {
		name := filepath.Base(l.files[0])
		if len(l.files) > 1 {
			name = fmt.Sprintf("%d files of lm-eval", len(l.files))
		}
		run.Plan = s.items.editionPlan(verbatim.Standard, "lm-eval", name, s.trials, s.count)
	}
	run.Records = l.records()
	return run, ok
}

// records reads the files one after the other. After the error of a line, further records may
// follow.
func (l *lmLog) records() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		var seq int64
		for _, path := range l.files {
			task, _, _ := lmName(path)
			r := &lmReader{path: path, task: task, ours: l.note != nil, seen: map[int64]string{}}
			for recs, err := range r.lines() {
				if err != nil && !yield(verbatim.Record{}, err) {
					return
				}
				for _, rec := range recs {
					if l.note == nil {
						rec.Seq = seq
					}
					seq++
					if !yield(rec, nil) {
						return
					}
				}
			}
		}
	}
}

// An lmSample is a line of a file of samples, with lm-eval's names.
type lmSample struct {
	DocID     *int64          `json:"doc_id"`
	Doc       json.RawMessage `json:"doc"`
	Target    json.RawMessage `json:"target"`
	Arguments json.RawMessage `json:"arguments"` // by name, or in older versions a list
	Resps     json.RawMessage `json:"resps"`
	Filtered  json.RawMessage `json:"filtered_resps"`
	Filter    string          `json:"filter"`
	Metrics   []string        `json:"metrics"`
	DocHash   string          `json:"doc_hash"`
	Prompt    string          `json:"prompt_hash"`
	Hash      string          `json:"target_hash"`
	Exact     *float64        `json:"exact_match,omitempty"`
	Note      *recordNote     `json:"verbatim,omitempty"`
}

// An lmReader reads one file of samples.
type lmReader struct {
	path, task string
	ours       bool             // this program has written the file
	seen       map[int64]string // by document: the filter that counts
}

// lines returns the records of each line. After the error of a line, the next one follows; an error
// of the file is the last value.
func (r *lmReader) lines() iter.Seq2[[]verbatim.Record, error] {
	return func(yield func([]verbatim.Record, error) bool) {
		f, err := openUpTo(r.path, math.MaxInt64)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		text := bufio.NewReaderSize(pythonJSON(bufio.NewReaderSize(f, 1<<16)), 1<<16)
		if first, _ := text.Peek(1); string(first) == "[" {
			r.array(text, yield)
			return
		}
		in := bufio.NewScanner(text)
		in.Buffer(make([]byte, 1<<16), maxSample)
		n := 0
		for in.Scan() {
			n++
			if n > maxSamples {
				yield(nil, fmt.Errorf("%s: more than %d lines", r.path, maxSamples))
				return
			}
			if len(strings.TrimSpace(in.Text())) == 0 {
				continue
			}
			recs, err := r.line(in.Bytes())
			if err != nil {
				err = fmt.Errorf("%s: line %d: %w", r.path, n, err)
			}
			if !yield(recs, err) {
				return
			}
		}
		if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(nil, fmt.Errorf("%s: line %d: more than %d MB", r.path, n+1, maxSample>>20))
		} else if err != nil && err != io.EOF {
			yield(nil, err)
		}
	}
}

// array is lines for a file that is one JSON array, as older versions write it.
func (r *lmReader) array(text io.Reader, yield func([]verbatim.Record, error) bool) {
	in := &meter{r: text, left: maxSample}
	dec := json.NewDecoder(in)
	_, err := dec.Token()
	for n := 1; err == nil && dec.More(); n++ {
		var sample json.RawMessage
		in.left = maxSample
		if err = dec.Decode(&sample); err != nil {
			break
		}
		recs, wrong := r.line(sample)
		if wrong != nil {
			wrong = fmt.Errorf("%s: sample %d: %w", r.path, n, wrong)
		}
		if n > maxSamples || !yield(recs, wrong) {
			return
		}
	}
	if err == nil {
		_, err = dec.Token()
	}
	if err != nil {
		yield(nil, named(r.path, err))
	}
}

// line returns the records of a line: one for each repeat, none after a line of the same document
// with another filter.
func (r *lmReader) line(data []byte) ([]verbatim.Record, error) {
	var s lmSample
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, kindError(err)
	}
	if s.DocID == nil || len(s.Resps) == 0 {
		return nil, fmt.Errorf("this is no sample of lm-eval: it has no doc_id or no resps")
	}
	texts, err := responses(s.Resps)
	if err != nil {
		return nil, err
	}
	if r.ours && s.Note != nil {
		if s.Note.Reply == nil {
			return nil, fmt.Errorf("%s: the sample has no reply", noteKey)
		}
		rec, err := s.Note.record(s.Note.Sent, nil, texts[0], "")
		return []verbatim.Record{rec}, err
	}
	if filter, again := r.seen[*s.DocID]; again {
		if filter == s.Filter {
			return nil, fmt.Errorf("there is a line with the doc_id %d and the filter %.60q before", *s.DocID, s.Filter)
		}
		return nil, nil
	}
	r.seen[*s.DocID] = s.Filter
	return r.foreign(&s, data, texts)
}

// responses returns the texts of a document, which has one request.
func responses(raw json.RawMessage) ([]string, error) {
	var texts [][]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, fmt.Errorf("resps: want a list with a list of texts: tasks that compare log-likelihoods cannot be read")
	}
	if len(texts) != 1 || len(texts[0]) == 0 {
		return nil, fmt.Errorf("resps: %d requests for one document: want one, with at least one text", len(texts))
	}
	return texts[0], nil
}

// foreign returns the records of a sample of another program.
func (r *lmReader) foreign(s *lmSample, line []byte, texts []string) ([]verbatim.Record, error) {
	arguments := s.arguments()
	prompt, err := lmPrompt(arguments["arg_0"])
	if err != nil {
		return nil, err
	}
	targets, err := lmTargets(s.Target)
	if err != nil {
		return nil, err
	}
	content, err := marshal([]any{r.task, prompt, targets})
	if err != nil {
		return nil, err
	}
	it := &verbatim.Item{
		ID:     fmt.Sprintf("lm-eval:%s/%d/%s", Word(r.task), *s.DocID, digest(string(content))),
		Prompt: prompt, Facts: map[string]string{verbatim.FactFamily: Word(r.task)},
	}
	it.Want, it.Accept = rightAnswers(targets)
	var sent struct {
		Max *float64 `json:"max_gen_toks"`
	}
	_ = json.Unmarshal(arguments["arg_1"], &sent) // a missing or other value is unknown
	claim := s.claim(line)
	var out []verbatim.Record
	for i, text := range texts {
		rec := verbatim.Record{Item: it, Trial: i, Prompt: prompt}
		if n := sent.Max; n != nil && *n >= 1 && *n <= math.MaxInt32 {
			rec.MaxTokens = int(*n)
		}
		if it.Want.Text == "" {
			claimed(&rec, claim)
		} else if rec.Reply = (&verbatim.Reply{Text: text}); len(texts) == 1 {
			rec.Grade = claim // with several repeats, it grades the result of a filter
		}
		out = append(out, rec)
	}
	return out, nil
}

// lmPrompt returns the prompt that was sent: a text, or the messages of a chat as JSON in a text.
func lmPrompt(raw json.RawMessage) (verbatim.Prompt, error) {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		var wrapped []string // a chat is a tuple of one text
		if json.Unmarshal(raw, &wrapped) != nil || len(wrapped) == 0 {
			return nil, fmt.Errorf("arguments.gen_args_0.arg_0: want a text, found %s", rawjson.Kind(bytes.TrimSpace(raw)))
		}
		s = wrapped[0]
	}
	var chat []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	if !strings.HasPrefix(s, "[{") || json.Unmarshal([]byte(s), &chat) != nil || len(chat) == 0 {
		return userPrompt(s), nil
	}
	var p verbatim.Prompt
	for _, m := range chat {
		if !isRole(m.Role) {
			return userPrompt(s), nil // a text that only looks like a chat
		}
		p = append(p, verbatim.Message{Role: m.Role, Content: []verbatim.Part{{Text: m.Content}}})
	}
	return p, nil
}

// arguments returns the prompt and the parameters of the first request, arg_0 and arg_1.
func (s *lmSample) arguments() map[string]json.RawMessage {
	var named map[string]map[string]json.RawMessage
	var list [][]json.RawMessage
	if json.Unmarshal(s.Arguments, &named) == nil {
		return named["gen_args_0"]
	}
	out := map[string]json.RawMessage{}
	if json.Unmarshal(s.Arguments, &list) == nil && len(list) > 0 {
		for i, argument := range list[0] {
			out[fmt.Sprintf("arg_%d", i)] = argument
		}
	}
	return out
}

// lmTargets returns the right answers. Several are written as a Python list.
func lmTargets(raw json.RawMessage) ([]string, error) {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = strings.TrimSpace(string(raw)) // a number
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return nil, fmt.Errorf("target: want a text, found %s", rawjson.Kind([]byte(s)))
		}
	}
	v, err := pylit.Parse(s)
	if err != nil || v.Kind() != pylit.List {
		return []string{s}, nil
	}
	var texts []string
	for _, item := range v.Items() {
		if item.Kind() != pylit.Str {
			return nil, nil
		}
		texts = append(texts, item.Text())
	}
	return texts, nil
}

// claim returns the grade of the first metric; nil without a metric or a number. Older versions list
// no metrics.
func (s *lmSample) claim(line []byte) *verbatim.Grade {
	if len(s.Metrics) == 0 && s.Exact != nil {
		s.Metrics = []string{"exact_match"}
	}
	if len(s.Metrics) == 0 {
		return nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return nil
	}
	return claimedGrade("lm-eval-"+Word(s.Metrics[0]), all[s.Metrics[0]])
}

// lmTime returns the time in the name of a file; zero without one. It is a local time without a
// zone, and is read as UTC.
func lmTime(s string) time.Time {
	t, _ := time.Parse("2006-01-02T15-04-05.999999", s) // zero after an error
	return t
}

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
	w := &lmWriter{run: run, tasks: map[string]*lmTask{}, time: run.Started.UTC().Format("2006-01-02T15-04-05.000000")}
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

func lmArguments(run *Run, rec *verbatim.Record, sent string) (json.RawMessage, error) {
	kwargs, err := marshal(struct {
		Until       []string `json:"until"`
		MaxTokens   int      `json:"max_gen_toks,omitempty"`
		Temperature *float64 `json:"temperature,omitempty"`
		TopP        *float64 `json:"top_p,omitempty"`
	}{[]string{}, rec.MaxTokens, run.Params.Temperature, run.Params.TopP})
	if err != nil {
		return nil, err
	}
	return marshal(map[string]map[string]json.RawMessage{"gen_args_0": {"arg_0": marshalTexts(sent), "arg_1": kwargs}})
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
