package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/pace"
	"verbatim/internal/report"

	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
)

// A Probe is a job that sends the requests of a test to one endpoint. The test chooses the requests.
// It must be closed.
type probe struct {
	Job
	test  ProbeTest
	begun time.Time
}

// ProbeOptions are the endpoint that is tested and the test.
type ProbeOptions struct {
	Options
	// Kind and Settings are those of the verbatim.Test of the run: an unfinished run with the
	// same ones is continued.
	Kind     string
	Settings map[string]string
	// Open makes the test for an endpoint. Params are the parameters of its requests, unless the
	// test sets others. Reasoning is the number of tokens for reasoning in each limit.
	Open func(e Endpoint, params verbatim.Params, reasoning int) (ProbeTest, error)
	// InFlight is the largest number of requests in flight.
	InFlight int
}

// An Endpoint describes the endpoint of a test.
type Endpoint struct {
	Name    string
	Wire    string // the protocol; "" for a model without a server
	Context int64  // tokens; 0: not known
	Others  bool   // requests can be streamed or not, and can name another model
	Renames bool   // it serves the model that a request names
}

// A ProbeTest is a test of one endpoint. If it has a method State() string, its state is saved with
// its verdict.
type ProbeTest interface {
	verbatim.Source
	// Items returns the items in planned order: the request at a position asks the item with
	// that index.
	Items() []verbatim.Item
	// Resume adds a saved record.
	Resume(*verbatim.Record)
	// Other says how the request at a position is sent. Flipped: streamed if the others are not, and
	// not streamed if they are. Name is the model name in the request; "": the endpoint's own.
	Other(position int64) (flipped bool, name string)
	// Progress returns the number of requests that have ended, and the most that may be sent.
	Progress() (ended, all int)
	// Verdict returns the verdict; "" if the test has none yet.
	Verdict() string
}

// probe runs a test of one endpoint. The probe must be closed.
func (a *App) Probe(stop, abort context.Context, o ProbeOptions) (*probe, error) {
	p := &probe{Job: Job{app: a, options: o.Options}, begun: time.Now()}
	p.options.KeepGoing = true
	p.options.Pace.Concurrency = max(1, o.InFlight)
	err := p.open(stop, o.Params)
	if err == nil {
		err = p.begin(stop, o)
	}
	if err == nil {
		err = p.send(stop, abort)
	}
	if err == nil {
		err = p.settle(abort)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// begin finds or makes the run, and its lane.
func (p *probe) begin(ctx context.Context, o ProbeOptions) error {
	t := p.targets[0]
	reasoning, err := p.reasoningTokens(ctx, p.targets)
	if err != nil {
		return err
	}
	params := over(t.Params, o.Params)
	if p.test, err = o.Open(endpointOf(t), params, reasoning); err != nil {
		return err
	}
	if p.plan, err = PlanOf(o.Kind, p.test.Items()); err != nil {
		return err
	}
	want := p.app.runOf(t, p.plan.Plan, o.Params)
	want.Test = &verbatim.Test{Kind: o.Kind, Settings: o.Settings}
	r, existed, err := p.beginRun(ctx, want, t)
	if err != nil {
		return err
	}
	p.runs = append(p.runs, r)
	if existed {
		if err := p.resume(ctx, r); err != nil {
			return err
		}
	}
	if err := p.openBudget(ctx); err != nil {
		return err
	}
	if p.test.Verdict() != "" {
		return nil
	}
	if t.Other != nil {
		t.Model = &otherModel{Model: t.Model, target: t, test: p.test}
	}
	t.Slots, t.Waiting = nil, nil // the test sets the number of requests in flight
	lane, err := p.laneOf(r, t, func(*store.Positions) (verbatim.Source, error) { return p.test, nil })
	if err != nil {
		return err
	}
	lane.Jobs, lane.InFlight = max(1, o.InFlight), max(1, o.InFlight)
	p.lanes = append(p.lanes, lane)
	p.progressText = func() string {
		ended, all := p.test.Progress()
		return fmt.Sprintf("%d of at most %d calls", ended, all)
	}
	return nil
}

// resume gives the test the records that an earlier command saved.
func (p *probe) resume(ctx context.Context, r verbatim.Run) error {
	n := 0
	for rec, err := range p.store.Records(ctx, r.N, store.Read{Texts: true, Attempts: true}) {
		if err != nil {
			return err
		}
		p.test.Resume(&rec)
		n++
	}
	p.app.note("Continuing run %d (%s): %d calls have ended.", r.N, r.Name, n)
	return nil
}

// PlanOf plans items that a test made, as if they came from a file with the name kind.
func PlanOf(kind string, items []verbatim.Item) (Plan, error) {
	h := sha256.New()
	for i := range items {
		line, err := json.Marshal(&items[i])
		if err != nil {
			return Plan{}, err
		}
		h.Write(append(line, '\n'))
	}
	file := &verbatim.ItemFile{Name: kind, SHA256: hex.EncodeToString(h.Sum(nil)), N: len(items)}
	plan, err := task.Plan(task.Request{File: file, Edition: verbatim.Standard, Trials: 1})
	return Plan{Plan: plan, items: items}, err
}

// An otherModel is a model that sends each request as the test says.
type otherModel struct {
	verbatim.Model
	target target
	test   ProbeTest
}

// Ask implements verbatim.Model.
func (m *otherModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	flipped, name := m.test.Other(r.Seq)
	if !flipped && name == "" {
		return m.Model.Ask(ctx, r, reply)
	}
	err := m.target.Other(flipped, name).Ask(ctx, r, reply)
	if f, ok := errors.AsType[*verbatim.Failure](err); ok && name != "" && f.Status/100 == 4 && f.Status != http.StatusTooManyRequests {
		f.Class = verbatim.BadAsk // whatever the server calls it, it concerns this name alone
	}
	return err
}

// settle closes the test in the store if it has a verdict.
func (p *probe) settle(abort context.Context) error {
	word := p.test.Verdict()
	if word == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(abort), 5*time.Second)
	defer cancel()
	state := ""
	if t, ok := p.test.(interface{ State() string }); ok {
		state = t.State()
	}
	return p.store.CloseTest(ctx, p.runs[0].N, word, state, time.Now())
}

// Report returns the part of the report that is the same for all tests: the run, its cost, its time,
// and why it ended without a verdict.
func (p *probe) Report(ctx context.Context) (report.Probed, error) {
	ctx = context.WithoutCancel(ctx)
	r := p.runs[0]
	out := report.Probed{
		Run:     report.CheckedRun{N: r.N, Name: r.Name, Model: r.Model, Note: library.BuiltInNote(&r), Ref: strconv.FormatInt(r.N, 10)},
		Seconds: time.Since(p.begun).Seconds(), Started: p.begun, Again: p.app.CommandLine(),
	}
	paid, err := p.store.Spending(ctx, r.N)
	if err != nil {
		return out, err
	}
	tally, err := p.store.Tally(ctx, r.N)
	if err != nil {
		return out, err
	}
	out.Cost = report.Paid(paid, tally.Answered())
	out.Paid = !report.Free(r.Price, out.Cost)
	if p.test.Verdict() == "" {
		out.Ended = p.ended("requests")
	}
	return out, nil
}

// Interrupted returns an error if the test was interrupted before it had a verdict, or if
// nothing was answered; otherwise nil.
func (p *probe) Interrupted(stop context.Context) error {
	if p.test.Verdict() != "" {
		return nil
	}
	tally, err := p.store.Tally(context.WithoutCancel(stop), p.runs[0].N)
	if err != nil {
		return err
	}
	ended, all := p.test.Progress()
	switch {
	case errkind.IsInterrupted(stop):
		return p.Unfinished(stop, fmt.Sprintf("%d of at most %d calls have ended, and there is no verdict yet", ended, all))
	case tally.Answered() == 0:
		return p.Unfinished(stop, "no request has an answer")
	}
	return nil
}

// promptOverhead is about the number of tokens that a chat template adds to a prompt.
const promptOverhead = 8

// PlanProbe returns what a Probe would send at most, and the cost if replies have replyTokens tokens
// on average. It sends nothing to the model.
func (a *App) PlanProbe(ctx context.Context, o ProbeOptions, replyTokens int) (*report.CallPlan, error) {
	o.ModelOptions.NoRequests = true
	targets, err := a.openTargets(ctx, o.Models, o.ModelOptions, o.Params)
	if err != nil {
		return nil, err
	}
	defer closeTargets(targets)
	t := targets[0]
	test, err := o.Open(endpointOf(t), over(t.Params, o.Params), 0)
	if err != nil {
		return nil, err
	}
	_, calls := test.Progress()
	bytes := 0
	items := test.Items()
	for i := range items {
		bytes += run.PromptBytes(items[i].Prompt)
	}
	return callPlan(o.Kind, t, calls, bytes/len(items), replyTokens), nil
}

// callPlan returns the plan of a number of calls. Bytes and replyTokens are the means of a prompt and
// a reply.
func callPlan(kind string, t target, calls, bytes, replyTokens int) *report.CallPlan {
	prompt, completion := int64(bytes/verbatim.BytesPerToken)+promptOverhead, int64(replyTokens)
	p := &report.CallPlan{Format: report.CallPlanFormat, Kind: kind, Model: t.Name, Calls: calls, Prompt: prompt * int64(calls), Completion: completion * int64(calls)}
	if t.Price != nil {
		if one := pace.Cost(*t.Price, verbatim.Usage{Prompt: &prompt, Completion: &completion}); one != nil {
			p.Cost = new(*one * verbatim.Money(calls))
		}
	}
	return p
}

// endpointOf describes an opened model.
func endpointOf(t target) Endpoint {
	e := Endpoint{Name: t.Name, Wire: t.Wire, Others: t.Other != nil, Renames: t.Renames}
	if t.Context != nil {
		e.Context = *t.Context
	}
	return e
}
