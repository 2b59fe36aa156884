package metamorphic

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/task"
)

// A script is what is asked of which models, and the operations by which the answers come about. Its
// history depends on the plan and the models alone: without operations they are asked plainly.
type script struct {
	plan   plan
	models []model
	ops    []op
}

// A plan is what is asked.
type plan struct {
	tasks   []string
	lengths []string
	items   int
	trials  int
	seed    uint64
	prompt  []string // flags of the prompt: "--shots 1"
	params  []string // flags of the parameters: "--temperature 0.5"
}

// A model is a simulated model, in the program itself or behind a wire.
type model struct {
	wire string // "": in the program
	kind string // "sim:sloppy?seed=2"
}

type verb string

const (
	run     verb = "run"     // ask for what is missing
	move    verb = "move"    // export, and import into a new database
	back    verb = "back"    // ask in a new database, into which this one is imported, and import that into this one
	regrade verb = "regrade" // grade all replies again
	read    verb = "read"    // print tables of what there is
	reorder verb = "reorder" // compare with a run of the last model that has the tasks in another order
	check   verb = "check"   // test the last model against the first
)

// An op is an operation on the current database.
type op struct {
	verb    verb
	only    int // the number of the one model that is asked, from 1; 0: all
	options []option
	end     end
}

// An end is the premature end of a process. The zero value is no end.
type end struct {
	at     point
	n      int    // the number of the request or record, or the milliseconds
	signal string // "KILL", "INT" or "TERM"
}

type point string

const (
	beforeRequest point = "before request"
	duringRequest point = "during request"
	afterReply    point = "after the reply to request"
	atRecord      point = "after record" // that is reported as saved
	atTime        point = "after milliseconds:"
)

// An option is a way to ask that must not change the answers, or to serve them. Another one is one more
// line of options. Of a group an operation has one option at most.
type option struct {
	group  string
	flags  string // of the command
	env    string // of its process
	faults string // of the servers
	twice  bool   // a second process runs the same command at the same time
	serve  func(*fake.Config)
	fake   string // the flags of fake that do the same
}

func options() []option {
	return []option{
		{group: "concurrency", flags: "-j 1"},
		{group: "concurrency", flags: "-j 2"},
		{group: "concurrency", flags: "-j 5"},
		{group: "concurrency", flags: "-j 16"},
		{group: "stream", flags: "--no-stream"},
		{group: "batch", flags: "--batch"},
		{group: "warm-up", flags: "--warmup 2"},
		{group: "rate", flags: "--rpm 60000"},
		{group: "attempts", flags: "--max-attempts 2"},
		{group: "time", flags: "--for 40ms"},
		{group: "limits", flags: "--max-reply 2000000 --timeout 20s --idle-timeout 10s"},
		{group: "processors", env: "GOMAXPROCS=1"},
		{group: "processors", env: "GOMAXPROCS=8"},
		{group: "memory", env: "GOGC=5"},
		{group: "processes", twice: true},

		// Failures that are tried again, now or by the next command.
		{group: "faults", faults: "429:0.3,after=0.01,form=ms"},
		{group: "faults", faults: "503:0.4,after=0.01,form=ms"},
		{group: "faults", faults: "500:0.5,tries=1,after=0.01,form=ms"},
		{group: "faults", faults: "503@1-100000,after=0.01,form=ms"}, // an outage
		{group: "faults", faults: "cut:0.3 midway:0.1"},
		{group: "faults", faults: "reset:0.1 hangup:0.05"},
		{group: "faults", faults: "unended:0.05 undone:0.05 unfinished:0.05"},
		{group: "faults", faults: "400:0.2"}, // not tried again by this command
		{group: "faults", faults: "empty:0.1 error200:0.05"},

		// The same reply in another form.
		{group: "delivery", faults: "split:0.2 crlf:0.2 comments:0.2"},
		{group: "delivery", faults: "clump:0.2 bom:0.2 closes:0.2"},
		{group: "delivery", faults: "unknown:0.3 error-null:0.3"},
		{group: "delivery", faults: "trickle:0.1,every=200us split:0.4"},
		{group: "pieces", serve: func(c *fake.Config) { c.Chunk = 1 }, fake: "--chunk 1"},
		{group: "pieces", serve: func(c *fake.Config) { c.Chunk = 1000 }, fake: "--chunk 1000"},
		{group: "order", serve: func(c *fake.Config) { c.Pace.Latency, c.Pace.Spread = 4*time.Millisecond, 1 }, fake: "--latency 4ms --latency-spread 1"},
	}
}

// A dice draws scripts.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 0))} }

func (d dice) chance(p float64) bool { return d.Float64() < p }

func oneOf[T any](d dice, list ...T) T { return list[d.IntN(len(list))] }

// some draws from least to most entries of a list.
func some[T any](d dice, least, most int, list ...T) []T {
	d.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:least+d.IntN(most-least+1)]
}

// draw draws the script of a seed.
func draw(seed uint64) script {
	d := newDice(seed)
	s := script{plan: d.plan()}
	for i := range oneOf(d, 1, 2, 2) {
		s.models = append(s.models, d.model(i))
	}
	records := len(s.plan.tasks) * len(s.plan.lengths) * s.plan.items * s.plan.trials
	s.ops = append(s.ops, op{verb: run, options: d.options(), end: d.end(0.8, records)})
	for range d.IntN(5) {
		s.ops = append(s.ops, d.op(len(s.models), records))
	}
	if d.chance(0.5) {
		s.ops = append(s.ops, op{verb: check, options: d.options("batch", "warm-up", "time"), end: d.end(0.4, records)})
	}
	if d.chance(0.5) {
		s.ops = append(s.ops, op{verb: reorder})
	}
	return s
}

func (d dice) plan() plan {
	return plan{
		tasks:   some(d, 1, 3, "reverse", "copy", "add", "sort-int", "sort-word", "copy-json", "char-ops", "stable-sort"),
		lengths: some(d, 1, 2, "4", "8", "12"),
		items:   2 + d.IntN(5), trials: oneOf(d, 1, 1, 2, 3), seed: uint64(1 + d.IntN(1000)),
		prompt: some(d, 0, 1, "--shots 1", "--paraphrase all", "--system Obey.", "--no-system"),
		// Without a limit, the allowance for reasoning depends on what the first answers show.
		params: append(some(d, 0, 2, "--temperature 0.5", "--top-p 0.9"), oneOf(d, "--reasoning-tokens 0", "--max-tokens 60", "--max-tokens 2000")),
	}
}

func (d dice) model(i int) model {
	m := model{wire: oneOf(d, "", "chat", "chat", "responses", "anthropic", "gemini", "ollama")}
	m.kind = fmt.Sprintf("sim:sloppy?cut=0&down=0&half=%d&refuse=0.1&seed=%d", oneOf(d, 4, 10, 40), i+1)
	if d.chance(0.3) {
		m.kind += "&think=15"
	}
	return m
}

// hasNoBatches reports whether --batch is refused.
func (m model) hasNoBatches() bool { return m.wire == "" || m.wire == "ollama" }

func (d dice) op(models, records int) op {
	o := op{verb: oneOf(d, run, run, run, move, move, back, back, regrade, read)}
	switch o.verb {
	case run, back:
		o.options = d.options()
		o.end = d.end(0.7, records)
		if models > 1 && d.chance(0.3) {
			o.only = 1 + d.IntN(models)
		}
	case move:
		if d.chance(0.3) {
			o.end = end{at: atTime, n: d.IntN(25), signal: "KILL"}
		}
	}
	return o
}

// options draws at most one option of each group, of any groups but some.
func (d dice) options(without ...string) (drawn []option) {
	groups := map[string][]option{}
	for _, o := range options() {
		groups[o.group] = append(groups[o.group], o)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		if o := oneOf(d, groups[name]...); d.chance(0.35) && !slices.Contains(without, name) {
			drawn = append(drawn, o)
		}
	}
	return drawn
}

// end draws the end of a process that saves a number of records, with a probability.
func (d dice) end(p float64, records int) end {
	if !d.chance(p) {
		return end{}
	}
	e := end{at: oneOf(d, beforeRequest, duringRequest, afterReply, atRecord, atRecord, atTime), signal: oneOf(d, "KILL", "KILL", "KILL", "INT", "TERM")}
	if e.n = 1 + d.IntN(records); e.at == atTime {
		e.n = 5 + d.IntN(60)
	}
	return e
}

// asked returns the flags that select the items and their prompts, of run and of fake.
func (p plan) asked() []string {
	flags := []string{"-t", strings.Join(p.tasks, ","), "-l", strings.Join(p.lengths, ","), "-n", strconv.Itoa(p.items),
		"--trials", strconv.Itoa(p.trials), "--seed", strconv.FormatUint(p.seed, 10)}
	return append(flags, strings.Fields(strings.Join(p.prompt, " "))...)
}

// flags returns the flags of run.
func (p plan) flags() []string {
	return append(p.asked(), strings.Fields(strings.Join(p.params, " "))...)
}

// index returns the items of the plan by their prompts, for a server.
func (p plan) index() (*fake.Index, error) {
	r := task.Request{Tasks: p.tasks, Items: p.items, Trials: p.trials, Seed: p.seed}
	for _, l := range p.lengths {
		n, err := strconv.Atoi(l)
		if err != nil {
			return nil, err
		}
		r.Lengths = append(r.Lengths, verbatim.Lengths{Min: n, Max: n})
	}
	if slices.Contains(p.prompt, "--paraphrase all") {
		r.Variant.Paraphrase = task.AllWordings
	}
	drawn, err := task.Plan(r)
	if err != nil {
		return nil, err
	}
	deck, err := task.Open(drawn, nil)
	if err != nil {
		return nil, err
	}
	index := &fake.Index{}
	for it, err := range deck.Items() {
		if err != nil {
			return nil, err
		}
		index.Add(deck.Prompt(it), it)
	}
	return index, nil
}
