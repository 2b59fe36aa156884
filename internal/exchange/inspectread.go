package exchange

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"verbatim"

	"verbatim/internal/finish"
	"verbatim/internal/input"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
)

// The limits of a log: a small archive can unpack to terabytes.
const (
	maxSample  = 64 << 20 // bytes of a sample after unpacking, and of any other part
	maxSamples = 2_000_000
)

// ReadInspect reads logs of Inspect (inspect_ai), version 2 of its format. A log is a JSON document
// or an .eval archive, by its first bytes. Each log is a Run, in the order of the paths, and an
// epoch is a trial.
//
// Records of WriteInspect come back unchanged, with the plan, unless the run was a test. In logs of
// other programs, the id of an item has its task, its id and a digest of its contents, such as
// inspect:capitals/7/1a2b3c4d5e6f. Its facts are the texts, numbers and truth values of the sample's
// metadata; the family is the task, unless the metadata have one. A Reply is the last output of the
// model, with the tokens and the duration of that call. Its Grade is that of the log's first scorer,
// by a grader with the scorer's name, such as "inspect-exact".
//
// A sample with an error, or without output, is a record with a Failure. Several targets are accepted
// answers. A sample without one cannot be graded here: its record has the log's score without the
// reply, or is skipped if there is no score. An invalidated sample is left out.
//
// A path may be a folder of logs. The error joins those of all logs, up to 20; the runs are those of
// the other logs.
func ReadInspect(paths ...string) ([]Run, error) {
	var wrong problems
	var runs []Run
	for _, path := range paths {
		logs, err := filesIn(path, "*.eval or *.json", isInspectName)
		wrong.Add(err)
		for _, path := range logs {
			l := &inspectLog{path: path}
			s, ok := summarize(path, l.records(), &wrong)
			if ok && s.count == 0 {
				wrong.Add(fmt.Errorf("%s: the log has no samples that count: was it written with log_samples?", path))
			} else if ok {
				runs = append(runs, Run{Run: l.runOf(s), Records: l.records(), Left: l.invalid})
			}
		}
	}
	return runs, wrong.Err()
}

// isInspectName reports whether a file in a folder of logs may be a log: Inspect has lists of them too.
func isInspectName(name string) bool {
	isList := name == "logs.json" || name == "listing.json" || name == "eval-set.json"
	return !isList && (strings.HasSuffix(name, ".eval") || strings.HasSuffix(name, ".json"))
}

// An inspectLog is a log that is being read.
type inspectLog struct {
	path    string
	head    inspectHead
	note    *runNote // nil if another program has written the log
	invalid int64    // samples that the last reading left out
}

// runOf returns the run of the log without its records.
func (l *inspectLog) runOf(s planSummary) verbatim.Run {
	eval := &l.head.Eval
	var run verbatim.Run
	if l.note != nil {
		run = l.note.run(cmp.Or(l.note.Model, eval.Model), originInspect)
	} else {
		model, plan := &eval.Generate, &l.head.Plan.Config
		run = verbatim.Run{Model: eval.Model, Origin: originInspect,
			Started: moment(cmp.Or(l.head.Stats.Started, eval.Created)), Ended: moment(l.head.Stats.Completed),
			Params: verbatim.Params{
				Temperature: cmp.Or(plan.Temperature, model.Temperature), TopP: cmp.Or(plan.TopP, model.TopP), Seed: cmp.Or(plan.Seed, model.Seed),
				Effort: cmp.Or(plan.Effort, model.Effort), ReasoningBudget: cmp.Or(plan.ReasoningTokens, model.ReasoningTokens),
			}}
	}
	if run.Plan.Hash == "" {
		n := max(s.count, l.planned()-l.invalid)
		run.Plan = s.items.editionPlan(verbatim.Standard, "inspect", filepath.Base(l.path), s.trials, n)
	}
	return run
}

// planned returns the number of samples that an unfinished evaluation was to have: its log has fewer.
// It is 0 for a finished one, and if the number is unknown.
func (l *inspectLog) planned() int64 {
	const most = 100_000_000
	eval := &l.head.Eval
	n, epochs := eval.Dataset.Samples, max(eval.Config.Epochs, 1)
	if limit := eval.Config.Limit; rawjson.IsSet(limit) {
		span := [2]int64{0, n}
		if json.Unmarshal(limit, &span) != nil {
			_ = json.Unmarshal(limit, &span[1]) // another value is no limit
		}
		n = min(n, span[1]) - span[0]
	}
	if len(eval.Dataset.IDs) > 0 {
		n = int64(len(eval.Dataset.IDs))
	}
	if l.head.Status == "success" || n < 0 || n > most || epochs > most/max(n, 1) {
		return 0
	}
	return n * epochs
}

// moment reads a time of Inspect; zero for another text.
func moment(s string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, s) // zero after an error
	return t.UTC()
}

// records reads the log. After the error of a sample, further records may follow; an error of the
// file is the last value.
func (l *inspectLog) records() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		stopped := false
		var seq int64
		l.invalid = 0
		err := l.samples(func(where string, s *inspectSample, err error) bool {
			var rec verbatim.Record
			if err == nil && rawjson.IsSet(s.Invalid) {
				l.invalid++
				return true
			}
			if err == nil {
				if rec, err = l.record(s, seq); err != nil {
					err = fmt.Errorf("%s: %s: %w", l.path, where, err)
				}
			}
			seq++
			stopped = !yield(rec, err)
			return !stopped
		})
		if err != nil && !stopped {
			yield(verbatim.Record{}, err)
		}
	}
}

// samples reads the head and the samples of the log, and calls do with the place of each sample and
// either the sample or its error, until do returns false. The samples of an archive are in the order
// of epochs and ids, as Inspect shows them, or, if this program has written it, in the order of the
// archive. The error is one of the file.
func (l *inspectLog) samples(do func(where string, s *inspectSample, err error) bool) error {
	f, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var magic [64]byte
	n, _ := f.ReadAt(magic[:], 0)
	if !bytes.HasPrefix(magic[:n], []byte("PK\x03\x04")) {
		if err := input.CheckText(l.path, magic[:n]); err != nil {
			return err
		}
		return l.document(f, do)
	}
	entries, err := l.open(f)
	if err != nil {
		return err
	}
	for _, e := range entries {
		s := new(inspectSample)
		if err := l.unpack(e, s); !do(entryName(e), s, err) {
			break
		}
	}
	return nil
}

// begin sets the head of the log, and its note if there is one.
func (l *inspectLog) begin(head inspectHead) error {
	l.head, l.note = head, nil
	switch {
	case head.Version != 2:
		return fmt.Errorf("%s: the log has version %d of the format; want version 2: 'inspect log convert' writes it", l.path, head.Version)
	case head.Eval.Model == "" || head.Eval.Task == "":
		return fmt.Errorf("%s: the log has no model or no task", l.path)
	}
	var note *runNote
	if raw := head.Eval.Metadata[noteKey]; raw != nil && json.Unmarshal(raw, &note) == nil && note.ours() {
		l.note = note
	}
	return nil
}

// open reads the head of an archive and returns the entries of its samples.
func (l *inspectLog) open(f *os.File) ([]*zip.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: not an archive that can be read: %w", l.path, err)
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxMemory(maxSample), zstd.WithDecoderConcurrency(1)))
	byName := make(map[string]*zip.File, len(z.File)) // the last entry of a name counts, as in Inspect
	var names []string
	for _, e := range z.File {
		if _, again := byName[e.Name]; !again && strings.HasPrefix(e.Name, "samples/") && strings.HasSuffix(e.Name, ".json") {
			names = append(names, e.Name)
		}
		byName[e.Name] = e
	}
	head := cmp.Or(byName["header.json"], byName["_journal/start.json"]) // an unfinished log has only the second
	if head == nil {
		return nil, fmt.Errorf("%s: this is no log of Inspect: the archive has no header.json", l.path)
	}
	if len(names) > maxSamples {
		return nil, fmt.Errorf("%s: more than %d samples", l.path, maxSamples)
	}
	var h inspectHead
	if err := l.unpack(head, &h); err != nil {
		return nil, err
	}
	if err := l.begin(h); err != nil {
		return nil, err
	}
	var entries []*zip.File
	for _, name := range names {
		if strings.HasSuffix(name, "/sample.json") {
			return nil, fmt.Errorf("%s: %s: the samples are in several files, which are not read: 'inspect log convert --to json' writes whole ones", l.path, name)
		}
		entries = append(entries, byName[name])
	}
	if l.note == nil {
		slices.SortStableFunc(entries, func(a, b *zip.File) int {
			idA, epochA := sampleKey(a.Name)
			idB, epochB := sampleKey(b.Name)
			return cmp.Or(cmp.Compare(epochA, epochB), strings.Compare(idA, idB))
		})
	}
	return entries, nil
}

// sampleKey returns the id and the epoch in the name of a sample, samples/ID_epoch_N.json. A number
// as id gets leading zeros, so that numbers compare by their values.
func sampleKey(name string) (id string, epoch int) {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "samples/"), ".json")
	i := strings.LastIndex(name, "_epoch_")
	if i < 0 {
		return name, 0
	}
	id = name[:i]
	epoch, _ = strconv.Atoi(name[i+len("_epoch_"):])
	if _, err := strconv.ParseUint(id, 10, 64); err == nil && len(id) < 20 {
		id = strings.Repeat("0", 20-len(id)) + id
	}
	return id, epoch
}

// entryName returns the name of an entry of an archive, for errors.
func entryName(e *zip.File) string { return fmt.Sprintf("%.120q", e.Name) }

// unpack decodes the JSON of an entry of an archive into v.
func (l *inspectLog) unpack(e *zip.File, v any) error {
	path := l.path + ": " + entryName(e)
	tooLarge := fmt.Errorf("%s: more than %d MB after unpacking", path, maxSample>>20)
	if e.UncompressedSize64 > maxSample { // it may be wrong: the bytes that are read count too
		return tooLarge
	}
	r, err := e.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	data, err := io.ReadAll(io.LimitReader(pythonJSON(bufio.NewReader(r)), maxSample+1))
	if err := errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(data) > maxSample {
		return tooLarge
	}
	return decodeJSON(path, data, v)
}

// document reads a log that is a JSON document, one sample at a time.
func (l *inspectLog) document(f *os.File, do func(where string, s *inspectSample, err error) bool) error {
	in := &meter{r: pythonJSON(bufio.NewReaderSize(f, 1<<16)), left: maxSample}
	dec := json.NewDecoder(in)
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		if _, unreadable := errors.AsType[*fs.PathError](err); unreadable {
			return fmt.Errorf("%s: %w", l.path, err)
		}
		return fmt.Errorf("%s: this is no log of Inspect: it is neither an archive nor a JSON object", l.path)
	}
	var head inspectHead
	seen := map[json.Token]bool{}
	begin := func() error {
		if !seen["eval"] {
			return fmt.Errorf("%s: this is no log of Inspect: it has no \"eval\" before its samples", l.path)
		}
		return l.begin(head)
	}
	parts := map[json.Token]any{"version": &head.Version, "status": &head.Status, "eval": &head.Eval, "plan": &head.Plan, "stats": &head.Stats}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fmt.Errorf("%s: %w", l.path, err)
		}
		seen[key] = true
		in.left = maxSample
		if key == "samples" {
			if err := begin(); err != nil {
				return err
			}
			if more, err := l.list(dec, in, do); !more || err != nil {
				return err
			}
			continue
		}
		part := parts[key]
		if part == nil {
			part = new(json.RawMessage)
		}
		if err := dec.Decode(part); err != nil {
			return fmt.Errorf("%s: %v: %w", l.path, key, kindError(err))
		}
	}
	if _, err := dec.Token(); err != nil {
		return fmt.Errorf("%s: the document ends in the middle: %w", l.path, err)
	}
	if !seen["samples"] {
		return begin()
	}
	return nil
}

// list reads the samples of a document. more is false if do returned false.
func (l *inspectLog) list(dec *json.Decoder, in *meter, do func(where string, s *inspectSample, err error) bool) (more bool, err error) {
	t, err := dec.Token()
	if err == nil && t == nil {
		return true, nil // null
	}
	if err != nil || t != json.Delim('[') {
		return false, fmt.Errorf("%s: samples: want a list", l.path)
	}
	for i := 0; dec.More(); i++ {
		if i >= maxSamples {
			return false, fmt.Errorf("%s: more than %d samples", l.path, maxSamples)
		}
		in.left = maxSample
		s, where := new(inspectSample), fmt.Sprintf("samples[%d]", i)
		err := dec.Decode(s)
		_, mistyped := errors.AsType[*json.UnmarshalTypeError](err)
		if err != nil {
			err = fmt.Errorf("%s: %s: %w", l.path, where, kindError(err))
			if !mistyped {
				return false, err
			}
		}
		if !do(where, s, err) {
			return false, nil
		}
	}
	if _, err = dec.Token(); err != nil {
		return false, fmt.Errorf("%s: samples: %w", l.path, err)
	}
	return true, nil
}

// A meter is a reader whose error after left bytes is that a part of the document is too long.
type meter struct {
	r    io.Reader
	left int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if m.left -= int64(n); m.left < 0 {
		return 0, fmt.Errorf("a part of the document has more than %d MB", maxSample>>20)
	}
	return n, err
}

// record returns the record of a sample; seq is its position in a log without a note.
func (l *inspectLog) record(s *inspectSample, seq int64) (verbatim.Record, error) {
	if s.Epoch < 1 || s.Epoch > 1_000_000 {
		return verbatim.Record{}, fmt.Errorf("epoch %d: epochs count from 1", s.Epoch)
	}
	raw := s.Metadata[noteKey]
	if raw == nil || l.note == nil {
		return l.foreign(s, seq)
	}
	var note recordNote
	if err := json.Unmarshal(raw, &note); err != nil {
		return verbatim.Record{}, fmt.Errorf("metadata.%s: %w", noteKey, err)
	}
	r := resolver(s.Attachments)
	shown, err := s.input()
	if err != nil {
		return verbatim.Record{}, err
	}
	text, reasoning, err := s.replyText(r)
	if err != nil {
		return verbatim.Record{}, err
	}
	return note.record(shown, r, text, reasoning)
}

// input returns the input of a sample as messages.
func (s *inspectSample) input() ([]inspectMessage, error) {
	var text string
	if json.Unmarshal(s.Input, &text) == nil {
		return []inspectMessage{{Role: "user", Content: s.Input}}, nil
	}
	var list []inspectMessage
	if err := json.Unmarshal(s.Input, &list); err != nil {
		return nil, fmt.Errorf("input: want a text or messages: %w", err)
	}
	return list, nil
}

// replyText returns the last output of the model and its reasoning.
func (s *inspectSample) replyText(r resolver) (text, reasoning string, err error) {
	if len(s.Output.Choices) == 0 {
		return s.Output.Completion, "", nil
	}
	list, err := r.contents(s.Output.Choices[0].Message.Content)
	if err != nil {
		return "", "", fmt.Errorf("output: %w", err)
	}
	var texts, reasonings []string
	for _, c := range list {
		switch {
		case c.Type == "text":
			texts = append(texts, r.text(c.Text))
		case c.Type == "reasoning" && !c.Redacted:
			reasonings = append(reasonings, r.text(c.Reasoning))
		}
	}
	// Inspect joins the texts of a message with line feeds.
	return strings.Join(texts, "\n"), strings.Join(reasonings, "\n"), nil
}

var (
	errNoSample = errors.New("the log holds no output for this sample")
	errNoTarget = errors.New("the log names no right answer, and has no score")
)

// foreign returns the record of a sample of another program.
func (l *inspectLog) foreign(s *inspectSample, seq int64) (verbatim.Record, error) {
	r := resolver(s.Attachments)
	it, graded, err := l.item(s, r)
	if err != nil {
		return verbatim.Record{}, err
	}
	rec := verbatim.Record{Seq: seq, Item: it, Trial: int(s.Epoch - 1), Prompt: s.sent(it, r)}
	config := &l.head.Plan.Config
	if config.MaxTokens == nil {
		config = &l.head.Eval.Generate
	}
	if n := config.MaxTokens; n != nil && *n > 0 && *n <= math.MaxInt32 {
		rec.MaxTokens = int(*n)
	}
	claim := l.claim(s)
	switch {
	case s.Error != nil:
		// Inspect saves a message and no class.
		rec.Outcome, rec.Failure = verbatim.Errored, s.failure(r, verbatim.Transport, errors.New(bounded(s.Error.Message, 2000)))
	case len(s.Output.Choices) == 0:
		rec.Outcome = verbatim.Errored
		rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoSample}
		if s.Limit != nil && (s.Limit.Type == "time" || s.Limit.Type == "working") {
			rec.Failure.Class = verbatim.Deadline
		}
	case inspectMeaning(s.Output.Choices[0].Stop) == finish.Failure:
		err := fmt.Errorf("the log says that the server gave the answer up: stop reason %s", bounded(s.Output.Choices[0].Stop, 60))
		rec.Outcome, rec.Failure = verbatim.Errored, s.failure(r, verbatim.Overload, err)
	case graded:
		rec.Reply, err = s.answer(r)
		rec.Grade = claim
	default:
		claimed(&rec, claim)
	}
	return rec, err
}

// claimed completes the record of a sample that cannot be graded here: it has the file's score
// without the reply, or is skipped.
func claimed(rec *verbatim.Record, claim *verbatim.Grade) {
	if claim != nil {
		rec.Outcome, rec.Grade = claim.Outcome, claim
		return
	}
	rec.Outcome = verbatim.Skipped
	rec.Failure = &verbatim.Failure{Class: verbatim.Content, Err: errNoTarget}
}

// failure returns a failure with the text of the sample, if any, as a partial reply.
func (s *inspectSample) failure(r resolver, class verbatim.Class, err error) *verbatim.Failure {
	f := &verbatim.Failure{Class: class, Err: err}
	if text, _, err := s.replyText(r); err == nil && text != "" {
		f.Attempts = []verbatim.Attempt{{N: 1, Start: moment(s.Started), Class: class, Err: f.Err.Error(), Partial: text}}
	}
	return f
}

// answer returns the reply of the model.
func (s *inspectSample) answer(r resolver) (*verbatim.Reply, error) {
	text, reasoning, err := s.replyText(r)
	if err != nil {
		return nil, err
	}
	stop := s.Output.Choices[0].Stop
	p := &verbatim.Reply{Text: text, Reasoning: reasoning, Finish: inspectMeaning(stop).Finish(), FinishRaw: bounded(stop, 60),
		ServedModel: s.Output.Model, RequestID: s.Output.ResponseID}
	if reasoning != "" {
		p.ReasoningField = "reasoning"
	}
	p.Times.Start = moment(s.Started)
	if sec := s.Output.Time; sec != nil && *sec > 0 && *sec < math.MaxInt32 {
		p.Times.Total = time.Duration(*sec * float64(time.Second))
	}
	if u := s.Output.Usage; u != nil {
		u.setUsage(p)
	}
	return p, nil
}

// inspectMeaning returns the meaning of a stop reason: "unknown" is Inspect's word, others may be
// those of the provider.
func inspectMeaning(stop string) finish.Meaning {
	if stop == "unknown" {
		return finish.None
	}
	return finish.Of(stop)
}

// setUsage sets the usage and the cost of a reply. If both input and output are 0, they were not
// counted.
func (u *inspectUsage) setUsage(p *verbatim.Reply) {
	if u.Input < 0 || u.Output < 0 || u.Input == 0 && u.Output == 0 {
		return
	}
	prompt := u.Input
	for _, n := range []*int64{u.CacheRead, u.CacheWrite} {
		if n != nil && *n > 0 {
			prompt += *n
		}
	}
	p.Usage = verbatim.Usage{Prompt: &prompt, Completion: &u.Output, Reasoning: u.Reasoning, Cached: u.CacheRead}
	if u.Cost != nil && *u.Cost >= 0 && *u.Cost < 1e6 {
		p.Cost = new(verbatim.Money(math.Round(*u.Cost * float64(verbatim.Dollar))))
	}
}

// sent returns the prompt that the model got: the messages before its last one. It returns nil if
// they are no prompt, such as calls of tools.
func (s *inspectSample) sent(it *verbatim.Item, r resolver) verbatim.Prompt {
	list := s.Messages
	for i, m := range slices.Backward(list) {
		if m.Role == "assistant" {
			list = list[:i]
			break
		}
	}
	p, err := r.prompt(list, new([]string))
	if err != nil || len(p) == 0 {
		return nil
	}
	if samePrompt(p, it.Prompt) {
		return it.Prompt
	}
	return p
}

// bounded returns at most a number of bytes of a text in valid UTF-8.
func bounded(s string, most int) string {
	if s = strings.ToValidUTF8(s, "\ufffd"); len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// item returns the item of a sample. graded says that the log names a right answer, so that replies
// can be graded here.
func (l *inspectLog) item(s *inspectSample, r resolver) (it *verbatim.Item, graded bool, err error) {
	var id string
	if json.Unmarshal(s.ID, &id) != nil {
		var n int64
		if json.Unmarshal(s.ID, &n) != nil {
			return nil, false, fmt.Errorf("id: want a text or a whole number, found %s", rawjson.Kind(s.ID))
		}
		id = fmt.Sprint(n)
	}
	input, err := s.input()
	if err != nil {
		return nil, false, err
	}
	prompt, err := r.prompt(input, new([]string))
	if err != nil {
		return nil, false, fmt.Errorf("input: %w", err)
	}
	targets := make([]string, 1)
	if json.Unmarshal(s.Target, &targets[0]) != nil && (len(s.Target) == 0 || json.Unmarshal(s.Target, &targets) != nil) {
		return nil, false, fmt.Errorf("target: want a text or a list of texts, found %s", rawjson.Kind(s.Target))
	}
	var right []string
	for _, target := range targets {
		right = append(right, r.text(target))
	}
	want, accept := rightAnswers(right)
	// The prompt and not the input, whose messages have other ids in every run.
	content, err := marshal([]any{l.head.Eval.Task, id, prompt, targets})
	if err != nil {
		return nil, false, err
	}
	task := l.head.Eval.Task
	family := Word(task[strings.LastIndexByte(task, '/')+1:]) // without its package
	it = &verbatim.Item{
		ID:     "inspect:" + family + "/" + Word(id) + "/" + digest(string(content)),
		Prompt: prompt, Want: want, Accept: accept, Facts: facts(s.Metadata),
	}
	it.Facts[verbatim.FactFamily] = cmp.Or(it.Facts[verbatim.FactFamily], family)
	return it, want.Text != "", nil
}

// rightAnswers returns the expected answer, and the others that are as right. Graders strip replies of
// white space, so the texts are stripped too. The expected answer is empty without any text.
func rightAnswers(texts []string) (want verbatim.Answer, accept []verbatim.Answer) {
	for i, text := range texts {
		texts[i] = pylit.Strip(text)
	}
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	if len(texts) == 0 {
		return verbatim.TextAnswer(""), nil
	}
	for i, text := range texts[1:] {
		if !slices.Contains(texts[:i+1], text) {
			accept = append(accept, verbatim.TextAnswer(text))
		}
	}
	return verbatim.TextAnswer(texts[0]), accept
}

// facts returns the metadata of a sample by which a report can group records: texts, numbers and
// truth values of at most 100 bytes, at most 20, the first ones by name.
func facts(metadata map[string]json.RawMessage) map[string]string {
	const most, mostBytes = 20, 100
	out := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		raw := strings.TrimSpace(string(metadata[key]))
		if key == "" || key == noteKey || Word(key) != key || raw == "" || len(raw) > mostBytes || len(out) == most {
			continue
		}
		switch raw[0] {
		case '{', '[', 'n': // null, or several values
		case '"':
			var s string
			if json.Unmarshal([]byte(raw), &s) == nil && s != "" {
				out[key] = s
			}
		default:
			out[key] = raw
		}
	}
	return out
}

// claim returns the grade that the log has for a sample: that of the first scorer with a score for
// it. It returns nil without a score, and for one that is no number.
func (l *inspectLog) claim(s *inspectSample) *verbatim.Grade {
	scorers := slices.Clone(l.head.Eval.Scorers)
	for _, name := range slices.Sorted(maps.Keys(s.Scores)) { // those that the head of the log lacks
		scorers = append(scorers, inspectScorer{name})
	}
	for _, scorer := range scorers {
		if score, ok := s.Scores[scorer.Name]; ok {
			return claimedGrade("inspect-"+Word(scorer.Name), score.Value)
		}
	}
	return nil
}

// claimedGrade returns the grade of a score; nil if it has no value. The values are those of
// Inspect's metrics: 1 for C, ½ for P, 0 for I and N.
func claimedGrade(grader string, raw json.RawMessage) *verbatim.Grade {
	var v float64
	switch s := strings.TrimSpace(string(raw)); s {
	case `"C"`, "true":
		v = 1
	case `"P"`:
		v = 0.5
	case `"I"`, `"N"`, "false":
	case "", "null":
		return nil
	default:
		if json.Unmarshal(raw, &v) != nil {
			return nil
		}
	}
	return ClaimedGrade(grader, v)
}
