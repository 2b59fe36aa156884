package exchange

import (
	"archive/zip"
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"

	"verbatim/internal/pylit"
)

// WriteInspect writes a run as a log of Inspect, version 2: if zipped is set, as the archive that
// Inspect calls .eval, otherwise as a JSON document. inspect_ai's read_eval_log reads both, and so
// does ReadInspect, which returns the same records: metadata.verbatim of the log and of every
// sample has what the format lacks.
//
// A trial is an epoch. A request without an answer is a sample with an error and without scores, so
// that Inspect leaves it out of its metrics as this program does. The scores are "exact" (C or I),
// "extracted" (C or I) and, if the grade has one, "score". WriteInspect reads the records up to
// three times.
func WriteInspect(w io.Writer, run *Run, zipped bool) error {
	head, err := inspectHeadOf(run)
	if err == nil && zipped {
		err = writeInspectZip(w, run, head)
	} else if err == nil {
		err = writeInspectJSON(w, run, head)
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", run.Name, err)
	}
	return nil
}

func writeInspectJSON(w io.Writer, run *Run, head *inspectHead) error {
	out := bufio.NewWriter(w)
	data, err := marshal(head)
	if err != nil {
		return err
	}
	out.Write(data[:len(data)-1])
	out.WriteString(",\"samples\":[\n")
	err = writeSamples(out, run, func(s *inspectSample, _ *verbatim.Record) any { return s })
	if err != nil {
		return err
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

// writeSamples writes the elements of a JSON array: what of returns for each sample of the run.
func writeSamples(out *bufio.Writer, run *Run, of func(*inspectSample, *verbatim.Record) any) error {
	separator := ""
	return eachSample(run, func(s *inspectSample, rec *verbatim.Record) error {
		data, err := marshal(of(s, rec))
		out.WriteString(separator)
		out.Write(data)
		separator = ",\n"
		return err
	})
}

// eachSample calls do for each record of a run and its sample.
func eachSample(run *Run, do func(*inspectSample, *verbatim.Record) error) error {
	for rec, err := range run.Records {
		if err != nil {
			return err
		}
		s, err := inspectSampleOf(&run.Run, &rec)
		if err == nil {
			err = do(s, &rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func writeInspectZip(w io.Writer, run *Run, head *inspectHead) error {
	z := zip.NewWriter(w)
	entry := func(name string, v any) error {
		f, err := z.Create(name)
		if err != nil {
			return err
		}
		data, err := marshal(v)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	if err := entry("_journal/start.json", map[string]any{"version": head.Version, "eval": head.Eval, "plan": head.Plan}); err != nil {
		return err
	}
	err := eachSample(run, func(s *inspectSample, rec *verbatim.Record) error {
		return entry(fmt.Sprintf("samples/%s_epoch_%d.json", sampleID(rec.Item.ID), s.Epoch), s)
	})
	if err != nil {
		return err
	}
	// The list that Inspect's viewer shows. The records are read again, so that it is never in memory.
	f, err := z.Create("summaries.json")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	out.WriteString("[")
	if err := writeSamples(out, run, summary); err != nil {
		return err
	}
	out.WriteString("]")
	if err := out.Flush(); err != nil {
		return err
	}
	if err := entry("header.json", head); err != nil {
		return err
	}
	return z.Close()
}

// summary returns a sample without long values.
func summary(s *inspectSample, rec *verbatim.Record) any {
	sum := inspectSummary{inspectSample: *s, Whole: true, Count: len(s.Messages)}
	const most = 1000 // bytes, about as many as Inspect writes
	if len(s.Target) > most {
		sum.Target = json.RawMessage(`"…"`)
	}
	for _, m := range slices.Backward(shownPrompt(rec)) {
		for _, p := range m.Content {
			sum.Input += p.Text
		}
		if sum.Input != "" {
			break
		}
	}
	sum.Input = strings.ToValidUTF8(sum.Input[:min(len(sum.Input), most)], "")
	sum.Metadata = maps.Clone(s.Metadata)
	maps.DeleteFunc(sum.Metadata, func(key string, value json.RawMessage) bool { return key == noteKey || len(value) > most })
	if s.Error != nil {
		sum.Error = s.Error.Message
	}
	return sum
}

// An inspectMeasure is a score that a grade has in a log, with the name of its mean.
type inspectMeasure struct {
	name, mean string
	of         func(*verbatim.Grade) *float64 // returns nil for a grade without the score
}

func inspectScores() []inspectMeasure {
	return []inspectMeasure{
		{"exact", "accuracy", func(g *verbatim.Grade) *float64 { return truthValue(g.Exact) }},
		{"extracted", "accuracy", func(g *verbatim.Grade) *float64 { return truthValue(g.Extracted) }},
		{"score", "mean", func(g *verbatim.Grade) *float64 { return g.Score }},
	}
}

func truthValue(b bool) *float64 {
	if b {
		return new(1.0)
	}
	return new(0.0)
}

// inspectHeadOf returns the log of a run without its samples. It reads the records once.
func inspectHeadOf(run *Run) (*inspectHead, error) {
	note, err := marshal(runNote{runNoteFormat, run.Run})
	if err != nil {
		return nil, err
	}
	p, created := &run.Params, cmp.Or(instant(run.Started), "1970-01-01T00:00:00+00:00") // the format requires a time
	id := digest(run.Name + "\x00" + run.Plan.Hash + "\x00" + created)
	head := &inspectHead{
		Version: 2, Status: "success",
		Eval: inspectEval{
			ID: id, RunID: id, TaskID: digest(run.Plan.Hash), Created: created, Task: cmp.Or(run.Plan.Suite, "items"), Model: inspectModel(&run.Run),
			Packages: map[string]string{}, Metadata: map[string]json.RawMessage{noteKey: note},
		},
		Plan: inspectPlan{Name: "plan", Steps: []inspectStep{{"generate"}}, Config: inspectConfig{
			Temperature: p.Temperature, TopP: p.TopP, Seed: p.Seed, ReasoningTokens: p.ReasoningBudget,
		}},
	}
	head.Eval.Config.Epochs = int64(max(run.Plan.Trials, 1))
	head.Stats.Started, head.Stats.Completed = instant(run.Started), instant(run.Ended)
	if run.Ended.IsZero() {
		head.Status = "started"
	}
	// Inspect refuses a log with an unknown effort.
	if slices.Contains([]string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}, p.Effort) {
		head.Plan.Config.Effort = p.Effort
	}
	return head, head.count(run)
}

// inspectModel returns the model of a run in the form of Inspect, API/NAME. The names are Inspect's for
// the APIs that it opens without a server of its own; any other model is one of its mock.
func inspectModel(run *verbatim.Run) string {
	apis := map[string]string{"openai": "openai", "openai-responses": "openai", "anthropic": "anthropic", "gemini": "google", "xai": "grok", "azure": "azureai",
		"openrouter": "openrouter", "deepseek": "deepseek", "groq": "groq", "mistral": "mistral", "together": "together", "ollama": "ollama"}
	provider, name, isOurs := strings.Cut(run.Model, ":")
	switch {
	case apis[provider] != "" && name != "":
		return apis[provider] + "/" + name
	case run.Origin == originInspect && !isOurs && strings.Contains(run.Model, "/"):
		return run.Model
	}
	return "mockllm/" + run.Model
}

// count sets the fields that depend on the records.
func (head *inspectHead) count(run *Run) error {
	var total, answered, limit int64
	items := map[string]bool{}
	means := make([]itemMeans, len(inspectScores()))
	for rec, err := range run.Records {
		if err != nil {
			return err
		}
		total++
		items[rec.Item.ID] = true
		limit = max(limit, int64(rec.MaxTokens))
		if rec.Grade == nil {
			continue
		}
		answered++
		for i, m := range inspectScores() {
			means[i].add(rec.Item.ID, m.of(rec.Grade))
		}
	}
	if limit > 0 {
		head.Plan.Config.MaxTokens = &limit
	}
	head.Eval.Dataset.Name, head.Eval.Dataset.Samples = head.Eval.Task, int64(len(items))
	head.Results = &inspectResults{Total: max(total, run.Plan.Count), Completed: answered}
	for i, m := range inspectScores() {
		score := inspectEvalScore{Name: m.name, Scorer: m.name, Metrics: map[string]inspectMetric{}, Scored: len(means[i].order), Unscored: len(items) - len(means[i].order)}
		if mean, stderr, ok := means[i].mean(); ok {
			score.Metrics[m.mean] = inspectMetric{m.mean, mean}
			score.Metrics["stderr"] = inspectMetric{"stderr", stderr}
		}
		head.Results.Scores = append(head.Results.Scores, score)
		head.Eval.Scorers = append(head.Eval.Scorers, inspectScorer{m.name})
	}
	return nil
}

// itemMeans computes the mean of each item over its trials, as Inspect reduces epochs before it
// computes its metrics.
type itemMeans struct {
	order []string               // items
	sums  map[string]*[2]float64 // by item: the sum and the number of values
}

func (m *itemMeans) add(item string, v *float64) {
	if v == nil || math.IsNaN(*v) {
		return
	}
	if m.sums == nil {
		m.sums = map[string]*[2]float64{}
	}
	s := m.sums[item]
	if s == nil {
		s = new([2]float64)
		m.sums[item], m.order = s, append(m.order, item)
	}
	s[0] += *v
	s[1]++
}

// mean returns the mean of the items and its standard error, as Inspect's metrics of these names
// do. The standard error is computed from the sample variance, and is 0 for one item. ok is false
// without items.
func (m *itemMeans) mean() (mean, stderr float64, ok bool) {
	n := float64(len(m.order))
	if n == 0 {
		return 0, 0, false
	}
	for _, item := range m.order {
		mean += m.sums[item][0] / m.sums[item][1]
	}
	mean /= n
	for _, item := range m.order {
		d := m.sums[item][0]/m.sums[item][1] - mean
		stderr += d * d
	}
	if n > 1 {
		stderr = math.Sqrt(stderr / (n - 1) / n)
	}
	return mean, stderr, true
}

// inspectSampleOf returns a record as a sample.
func inspectSampleOf(run *verbatim.Run, rec *verbatim.Record) (*inspectSample, error) {
	if rec.Item == nil {
		return nil, fmt.Errorf("record %d has no item", rec.Seq)
	}
	note, list := noteOfRecord(rec)
	id := digest(fmt.Sprintf("%s\x00%d", rec.Item.ID, rec.Trial))
	for i := range list {
		list[i].ID = fmt.Sprintf("%s-%d", id, i)
	}
	s := &inspectSample{
		ID: marshalTexts(sampleID(rec.Item.ID)), Epoch: int64(rec.Trial) + 1, Input: marshalTexts(list), Messages: list,
		Target: targets(rec.Item), Scores: map[string]inspectScore{}, Metadata: map[string]json.RawMessage{},
		Output: inspectOutput{Model: run.Model, Choices: []inspectChoice{}},
	}
	// One text of the user is the input itself.
	if p := shownPrompt(rec); len(p) == 1 && p[0].Role == "user" && len(p[0].Content) == 1 && p[0].Content[0].Image == nil {
		s.Input = list[0].Content
	}
	if rec.Reply != nil {
		s.reply(run, rec.Reply, fmt.Sprintf("%s-%d", id, len(list)))
		note.Reply.Reasoning = "" // it is in the output
	} else if rec.Grade == nil {
		s.failed(rec)
	}
	if rec.Grade != nil {
		s.score(rec)
	}
	// Inspect shows the facts, the outcome and the label in tables.
	for key, value := range rec.Item.Facts {
		if value != "" {
			s.Metadata[key] = marshalTexts(value)
		}
	}
	s.Metadata["outcome"] = marshalTexts(rec.Outcome)
	if rec.Grade != nil && rec.Grade.Label != "" {
		s.Metadata["label"] = marshalTexts(rec.Grade.Label)
	}
	var err error
	s.Metadata[noteKey], err = marshal(note)
	return s, err
}

// sampleID returns an item's id if it can be a part of a name in an archive. Otherwise it returns a
// digest: another name could lead out of the folder into which an archive is unpacked. The note has
// the id.
func sampleID(id string) string {
	if path.Clean("/" + id)[1:] == id && !strings.ContainsAny(id, "\\\x00") && len(id) <= 300 {
		return id
	}
	return "item-" + digest(id)
}

// targets returns the right answers of an item: a text, or a list of several.
func targets(it *verbatim.Item) json.RawMessage {
	list := []string{answerText(it.Want)}
	for _, a := range it.Accept {
		list = append(list, answerText(a))
	}
	if len(list) == 1 {
		return marshalTexts(list[0])
	}
	return marshalTexts(list)
}

// answerText returns an expected answer as a model should write it.
func answerText(a verbatim.Answer) string {
	if a.IsList() {
		return pylit.Format(a.List)
	}
	return a.Text
}

// reply sets the fields of the model's reply.
func (s *inspectSample) reply(run *verbatim.Run, p *verbatim.Reply, id string) {
	model := cmp.Or(p.ServedModel, run.Model)
	output := inspectMessage{ID: id, Role: "assistant", Source: "generate", Model: model, Content: marshalTexts(p.Text)}
	if p.Reasoning != "" {
		output.Content = marshalTexts([]map[string]string{{"type": "reasoning", "reasoning": p.Reasoning}, {"type": "text", "text": p.Text}})
	}
	s.Messages = append(s.Messages, output)
	s.Output = inspectOutput{Model: model, Choices: []inspectChoice{{output, inspectStop(p.Finish)}}, Completion: p.Text, ResponseID: p.RequestID}
	if u := inspectUsageOf(p); u != nil {
		s.Output.Usage = u
		s.Usage = map[string]inspectUsage{inspectModel(run): *u}
	}
	if total := p.Times.Total; total > 0 {
		seconds := new(total.Seconds())
		s.Output.Time, s.Total, s.Working = seconds, seconds, seconds
	}
	if start := p.Times.Start; !start.IsZero() {
		s.Started, s.Completed = instant(start), instant(start.Add(p.Times.Total))
	}
	called := s.Output
	called.Completion = "" // it is in the message, and long
	s.Events = inspectEvents{{Event: "model", UUID: id + "-call", Time: s.Started, Model: inspectModel(run), Input: s.Messages[:len(s.Messages)-1], Tools: []struct{}{}, Choice: "auto", Output: called}}
}

// instant returns a time in Inspect's form; "" for the zero time.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999+00:00")
}

// inspectStop returns Inspect's stop reason for a Finish.
func inspectStop(f verbatim.Finish) string {
	switch f {
	case verbatim.FinishStop:
		return "stop"
	case verbatim.FinishLength:
		return "max_tokens"
	case verbatim.FinishFilter, verbatim.FinishRefusal:
		return "content_filter"
	}
	return "unknown"
}

// inspectUsageOf returns the usage of a reply as Inspect counts it: the input leaves out cached
// tokens. It returns nil if both the input and the output are unknown. If one of them is, it is 0,
// because Inspect has no null here; the note has the original.
func inspectUsageOf(p *verbatim.Reply) *inspectUsage {
	u := p.Usage
	if u.Prompt == nil && u.Completion == nil {
		return nil
	}
	out := &inspectUsage{CacheRead: u.Cached, Reasoning: u.Reasoning}
	if u.Prompt != nil {
		out.Input, out.Total = *u.Prompt, *u.Prompt
	}
	if u.Cached != nil {
		out.Input = max(out.Input-*u.Cached, 0)
	}
	if u.Completion != nil {
		out.Output = *u.Completion
		out.Total += *u.Completion
	}
	if p.Cost != nil {
		cost, _ := strconv.ParseFloat(p.Cost.Decimal(), 64)
		out.Cost = &cost
	}
	return out
}

// failed sets the error and the times of a record without an answer.
func (s *inspectSample) failed(rec *verbatim.Record) {
	s.Error = &inspectError{Message: string(rec.Outcome)}
	if rec.Failure == nil {
		return
	}
	s.Error.Message = rec.Failure.Error()
	if attempts := rec.Failure.Attempts; len(attempts) > 0 {
		s.Started = instant(attempts[0].Start)
		if last := attempts[len(attempts)-1]; !last.Start.IsZero() {
			s.Completed = instant(last.Start.Add(last.Total))
		}
	}
}

// score sets the scores. The first one has the answer and what is wrong with it.
func (s *inspectSample) score(rec *verbatim.Record) {
	g := rec.Grade
	for i, m := range inspectScores() {
		v := m.of(g)
		if v == nil {
			continue
		}
		score := inspectScore{Value: jsonNumber(*v)}
		if m.mean == "accuracy" {
			score.Value = json.RawMessage(map[bool]string{true: `"C"`, false: `"I"`}[*v == 1])
		}
		if i == 0 {
			score.Explanation = g.Label
			if g.Detail != "" {
				score.Explanation += ": " + g.Detail
			}
			if rec.Reply != nil && len(rec.Reply.Text) <= 1000 {
				score.Answer = rec.Reply.Text
			}
		}
		s.Scores[m.name] = score
	}
}

// jsonNumber returns a number as JSON; null if JSON cannot hold it.
func jsonNumber(v float64) json.RawMessage {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return json.RawMessage("null")
	}
	return json.RawMessage(strconv.FormatFloat(v, 'g', -1, 64))
}
