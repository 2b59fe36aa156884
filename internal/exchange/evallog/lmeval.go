package evallog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/exchange"
)

// OriginLMEval is the Origin of runs that come from samples of lm-evaluation-harness.
const OriginLMEval = "lm-eval"

// ReadLMEval reads the samples that lm-evaluation-harness writes with --log_samples: files
// named samples_TASK_TIME.jsonl, or folders of them as --output_path makes. The files of
// one folder and one time are one Run. Its model is that of the results file in the same
// folder, or the name of the folder.
//
// The records of samples from WriteLMEval come back unchanged, except for those without a
// reply, which the format has no place for. Other items are named by task, position and
// content, such as lm-eval:gsm8k/7/1a2b3c4d5e6f. A Reply is the model's output before any
// filter, and each repeat is a trial. Its Grade is that of the first metric, under its
// name, "lm-eval-exact_match". Of several filters of a document, the first one counts.
//
// Tasks that compare log-likelihoods have no texts to grade: their files are refused. The
// error joins what is wrong with the files, up to 20 errors.
func ReadLMEval(paths ...string) ([]exchange.Run, error) {
	var wrong exchange.Problems
	var logs []*lmLog
	for _, path := range paths {
		found, err := lmFiles(path)
		wrong.Add(err)
		for _, file := range found {
			logs = addFile(logs, file)
		}
	}
	var runs []exchange.Run
	for _, l := range logs {
		run, err := l.run(&wrong)
		if err != nil {
			wrong.Add(err)
			continue
		}
		runs = append(runs, run)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return runs, nil
}

// lmFiles returns the files of samples that a path names: itself, or those in the
// folder and in its folders, by name.
func lmFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if _, _, ok := lmName(path); !ok {
			return nil, fmt.Errorf("%s: a file of samples is called samples_TASK_TIME.jsonl", path)
		}
		return []string{path}, nil
	}
	var files []string
	for _, pattern := range []string{"samples_*.jsonl", "*/samples_*.jsonl"} {
		found, err := filepath.Glob(filepath.Join(escapeGlob(path), pattern))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: there is no samples_TASK_TIME.jsonl in it, nor in its folders: was it written with --log_samples?", path)
	}
	return files, nil
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(path)
}

// lmName takes the task and the time from the name of a file of samples, as lm-eval
// does.
func lmName(path string) (task, time string, ok bool) {
	name, jsonl := strings.CutSuffix(filepath.Base(path), ".jsonl")
	name, samples := strings.CutPrefix(name, "samples_")
	i := strings.LastIndexByte(name, '_')
	if !jsonl || !samples || i < 1 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

// An lmLog is the files of one evaluation.
type lmLog struct {
	dir, time string
	files     []string
	model     string
	note      *runNote // nil where another program wrote them
}

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

// results reads who answered from the file of results; without one it is the folder.
func (l *lmLog) results() error {
	var data struct {
		Model  string   `json:"model_name"`
		Source string   `json:"model_source"`
		Note   *runNote `json:"verbatim"`
	}
	path := filepath.Join(l.dir, "results_"+l.time+".json")
	if err := exchange.ReadJSON(path, &data); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if n := data.Note; n != nil && n.ours() {
		l.note = n
	}
	folder, err := filepath.Abs(l.dir)
	if err != nil {
		return err
	}
	l.model = cmp.Or(data.Model, filepath.Base(folder))
	return nil
}

// run checks all the files and returns their Run.
func (l *lmLog) run(wrong *exchange.Problems) (exchange.Run, error) {
	if err := l.results(); err != nil {
		return exchange.Run{}, err
	}
	items := exchange.NewItemsHash()
	known := map[string]bool{}
	places := map[int64]bool{}
	trials := 1
	before := wrong.Count()
	for rec, err := range l.records() {
		if err != nil {
			wrong.Add(err)
			continue
		}
		if places[rec.Seq] {
			wrong.Add(fmt.Errorf("%s: two samples have the position %d of the plan", l.dir, rec.Seq))
		}
		places[rec.Seq] = true
		trials = max(trials, rec.Trial+1)
		if !known[rec.Item.ID] {
			known[rec.Item.ID] = true
			if err := items.Add(rec.Item); err != nil {
				return exchange.Run{}, err
			}
		}
	}
	if wrong.Count() > before {
		return exchange.Run{}, nil
	}
	if len(places) == 0 {
		return exchange.Run{}, fmt.Errorf("%s: there are no samples in it", strings.Join(l.files, ", "))
	}
	run := verbatim.Run{Model: l.model, Origin: OriginLMEval, Started: lmTime(l.time)}
	if l.note != nil {
		run = l.note.run(l.model, OriginLMEval)
	}
	if run.Plan.Hash == "" {
		run.Plan = items.EditionPlan(verbatim.Standard, "lm-eval", l.name(), trials, int64(len(places)))
	}
	return exchange.Run{Run: run, Records: l.records()}, nil
}

func (l *lmLog) name() string {
	if len(l.files) == 1 {
		return filepath.Base(l.files[0])
	}
	return fmt.Sprintf("%d files of lm-eval", len(l.files))
}

// records reads the files again, one after the other.
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
