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
// joins those of all files, up to 20.
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
		runs = append(runs, l.run(&wrong))
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return runs, nil
}

// lmFiles returns the files of samples of a path: the path itself, or those in the folder and in its
// folders, in the order of their names.
func lmFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if _, _, ok := lmName(path); !ok {
			return nil, fmt.Errorf("%s: the name of a file of samples is samples_TASK_TIME.jsonl", path)
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
		return nil, fmt.Errorf("%s: neither the folder nor its folders have a samples_TASK_TIME.jsonl: was it written with --log_samples?", path)
	}
	return files, nil
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(path)
}

// lmName returns the task and the time in the name of a file of samples.
func lmName(path string) (task, time string, ok bool) {
	name, jsonl := strings.CutSuffix(filepath.Base(path), ".jsonl")
	name, samples := strings.CutPrefix(name, "samples_")
	i := strings.LastIndexByte(name, '_')
	if !jsonl || !samples || i < 1 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
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

// run checks all files and returns their Run. It adds errors to wrong.
func (l *lmLog) run(wrong *exchange.Problems) exchange.Run {
	if err := l.results(); err != nil {
		wrong.Add(err)
		return exchange.Run{}
	}
	s, ok := summarize(l.dir, l.records(), wrong)
	if ok && s.count == 0 {
		wrong.Add(fmt.Errorf("%s: there are no samples", strings.Join(l.files, ", ")))
	}
	run := verbatim.Run{Model: l.model, Origin: OriginLMEval, Started: lmTime(l.time)}
	if l.note != nil {
		run = l.note.run(l.model, OriginLMEval)
	}
	if run.Plan.Hash == "" {
		run.Plan = s.items.EditionPlan(verbatim.Standard, "lm-eval", l.name(), s.trials, s.count)
	}
	return exchange.Run{Run: run, Records: l.records()}
}

// name returns the name of the plan's file of items.
func (l *lmLog) name() string {
	if len(l.files) == 1 {
		return filepath.Base(l.files[0])
	}
	return fmt.Sprintf("%d files of lm-eval", len(l.files))
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
