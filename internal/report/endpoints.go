package report

import (
	"cmp"
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/upstream"
	"verbatim/internal/verdict/preflight"
	"verbatim/internal/verdict/sentinel"
	"verbatim/internal/verdict/smoke"
	"verbatim/internal/verdict/verification"
)

// A Probed is the part that the results of all tests of one endpoint have.
type Probed struct {
	Run      CheckedRun `json:"run"`
	Cost     *Cost      `json:"cost"`
	Seconds  float64    `json:"seconds"`         // duration of this command
	Ended    string     `json:"ended,omitempty"` // why no more was sent before the test was finished
	ExitCode int        `json:"exit_code"`
	Started  time.Time  `json:"started"` // start of this command

	Again string `json:"-"` // the command line that continues the test
	Paid  bool   `json:"-"` // Cost is shown
}

// preflightFormat names the JSON form of a Preflight.
const preflightFormat = "verbatim/preflight/1"

// A Preflight is the result of a test of the contracts of an endpoint. Its JSON form is the format
// "verbatim/preflight/1".
type Preflight struct {
	Format string `json:"format"`
	*preflight.Result
	Probed
	Notes  []Warning `json:"notes,omitempty"`
	Advice []Advice  `json:"advice,omitempty"`
}

// Complete fills in what follows from the rest: the format, notes and advice.
func (p *Preflight) Complete() {
	p.Format = preflightFormat
	if p.Run.Note != "" {
		p.Notes = append(p.Notes, Warning{Kind: "built-in", Text: fmt.Sprintf("%s is %s.", p.Run.Model, p.Run.Note)})
	}
	if p.Missing > 0 {
		p.Notes = append(p.Notes, Warning{Kind: "unanswered", Text: number.Plural(int64(p.Missing), "call has", "calls have") + " no reply: the contracts of these calls are open."})
	}
	if p.Word == preflight.Undecided {
		p.Advice = append(p.Advice, Advice{"The same command continues the test:", p.Again})
	}
	if p.Word == preflight.SomeBroke {
		p.Advice = append(p.Advice, Advice{"Every call, as it was sent and answered:", "verbatim show " + p.Run.Ref})
	}
}

// smokeFormat names the JSON form of a Smoke.
const smokeFormat = "verbatim/smoke/1"

// A Smoke is the result of a test whether an endpoint answers exactly under load. Its JSON form is
// the format "verbatim/smoke/1".
type Smoke struct {
	Format string `json:"format"`
	*smoke.Result
	Probed
	Notes  []Warning `json:"notes,omitempty"`
	Advice []Advice  `json:"advice,omitempty"`
}

// Complete fills in what follows from the rest: the format, notes and advice.
func (s *Smoke) Complete() {
	s.Format = smokeFormat
	note := func(kind, format string, args ...any) {
		s.Notes = append(s.Notes, Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	if s.Run.Note != "" {
		note("built-in", "%s is %s.", s.Run.Model, s.Run.Note)
	}
	if s.Missing > 0 {
		note("unanswered", "%s no reply.", number.Plural(int64(s.Missing), "call has", "calls have"))
	}
	if alone := s.Phases[0]; alone.Replies == alone.Planned && alone.Right == 0 {
		note("no_copies", "The model copies no line right, even alone. So nothing is said about copies that are wrong under load; the other faults do not need that.")
	}
	switch s.Word {
	case smoke.Undecided:
		s.Advice = append(s.Advice, Advice{"The same command continues the test:", s.Again})
	case smoke.Fault:
		s.Advice = append(s.Advice, Advice{"Every call, as it was sent and answered:", "verbatim show " + s.Run.Ref})
	}
}

// The formats of the documents of a watch.
const (
	EnrolmentFormat = "verbatim/enrolment/1"
	WatchFormat     = "verbatim/watch/1"
)

// An Enrolment is the result of `sentinel init`. Its JSON form is the format
// "verbatim/enrolment/1".
type Enrolment struct {
	Format string `json:"format"`
	*sentinel.EnrolmentResult
	Probed
	Alpha   float64 `json:"alpha"`
	Horizon int     `json:"horizon_days"`
}

// A Watched is a watch with its days. Its JSON form is the format "verbatim/watch/1".
type Watched struct {
	Format string `json:"format"`
	// Word is the verdict: quiet, alarm, or too few answers.
	Word   string    `json:"verdict"`
	Model  string    `json:"model"`
	Number int       `json:"watch"` // from 1, of the watches of this model
	Since  time.Time `json:"since"`
	Alpha  float64   `json:"alpha"`
	// Horizon is the number of days with calls for which the error rate holds.
	Horizon   int     `json:"horizon_days"`
	Tolerance float64 `json:"tolerance"`
	Items     int     `json:"items"`
	// Capital is the value of the test. An alarm is 1/alpha or more.
	Capital float64        `json:"capital"`
	Days    []sentinel.Day `json:"days"`
	Alarm   *sentinel.Day  `json:"alarm"` // the day of the first alarm; null: there was no alarm
	// First is the date of the first day with a deviation; "": no call deviates.
	First string `json:"first_deviation,omitempty"`
	// spent is the number of replies: of the enrolment, and of the days.
	Spent spent `json:"spent"`
	// Seen says how fast a change from now on would be detected; nil: not computed.
	Seen []sentinel.Seen `json:"would_see,omitempty"`
	// Upstreams are the servers behind a router that were enrolled.
	Upstreams []string `json:"upstreams,omitempty"`
	// Deviating are the answers of this command that deviate.
	Deviating []sentinel.Deviation `json:"-"`
	// Probed is about the calls of this command; nil if it made none.
	*Probed
}

// spent counts the replies of a watch.
type spent struct {
	Enrolment int `json:"enrolment"`
	Days      int `json:"days"`
}

// verificationFormat names the JSON form of a Verification.
const verificationFormat = "verbatim/verification/1"

// A Verification is the result of a test whether two endpoints answer alike. Its JSON form
// is the format "verbatim/verification/1".
type Verification struct {
	Format string `json:"format"`
	*verification.Result
	Sides [2]VerifiedSide `json:"sides"`
	// Mixed says that replies of all upstreams of an endpoint were compared together.
	Mixed bool `json:"mixed_upstreams"`
	// Earlier is the number of finished tests of the same two endpoints before this one.
	// Each has its own chance of a false alarm.
	Earlier int `json:"earlier_tests"`
	// Sent is what this test has sent, by side.
	Sent     [2]Sent   `json:"sent"`
	Cost     *Cost     `json:"cost"`
	Seconds  float64   `json:"seconds"`         // duration of this command
	Ended    string    `json:"ended,omitempty"` // why no more was sent before the test was finished
	ExitCode int       `json:"exit_code"`
	Notes    []Warning `json:"notes,omitempty"`
	Advice   []Advice  `json:"advice,omitempty"`
	Started  time.Time `json:"started"` // start of this command

	Again string `json:"-"` // the command line that continues the test
	// Called are the runs of the calls of a tool, as commands name them; empty without them.
	Called [2]string `json:"-"`
	Paid   bool      `json:"-"` // Cost is shown
}

// A Sent counts what a test has sent to an endpoint, including calls of an earlier command.
type Sent struct {
	Calls int64 `json:"calls"` // with a reply
	// Prompt and Completion are the tokens that the server reports. Unreported is the number of
	// calls for which it reports none.
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Unreported int64 `json:"unreported"`
}

// Add counts a reply.
func (s *Sent) Add(u verbatim.Usage) {
	s.Calls++
	if u.Prompt == nil || u.Completion == nil {
		s.Unreported++
		return
	}
	s.Prompt, s.Completion = s.Prompt+*u.Prompt, s.Completion+*u.Completion
}

// A VerifiedSide is one of the two endpoints.
type VerifiedSide struct {
	CheckedRun
	// Served lists what the server says about who served: its names of the model, its
	// upstreams and fingerprints.
	Served []string `json:"served,omitempty"`
	// FailedUpstreams are the attempts that failed, by the upstream that the responses name.
	FailedUpstreams upstream.Failures `json:"failed_upstreams,omitempty"`
	// Params are the parameters of this side, if those of the two differ.
	Params string `json:"parameters,omitempty"`
}

// Complete fills in what follows from the rest: the format, notes and advice.
func (v *Verification) Complete() {
	v.Format = verificationFormat
	note := func(kind, format string, args ...any) {
		v.Notes = append(v.Notes, Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	for i := range v.Sides {
		v.noteSide(i, note)
	}
	if a, b := v.Sides[0].Params, v.Sides[1].Params; a != b {
		note("parameters", "The endpoints are compared as they are, with different parameters (--as-they-are): A %s; B %s. These may cause a difference.", a, b)
	}
	if v.Usable > 0 && v.Across == 0 && v.Exact == [2]int{v.Usable, v.Usable} {
		note("easy", "All answers were right on both sides. Such prompts show little: use a greater --length, at which the model makes mistakes.")
	}
	if t := v.Tokens; t.Constant != nil {
		note("prompt_tokens", "At every prompt the second endpoint reports %+d prompt tokens compared with the first: the prompts reach the models differently.", *t.Constant)
	} else if t.Differ > 0 {
		note("prompt_tokens", "The endpoints report different numbers of prompt tokens at %d of %d prompts.", t.Differ, t.Compared)
	}
	if v.Earlier > 0 {
		note("repeated", "%s of these endpoints before. Each test has its own chance of a false alarm.", number.Plural(int64(v.Earlier), "test was made", "tests were made"))
	}
	v.advise()
}

// advise fills in Advice.
func (v *Verification) advise() {
	advise := func(text, command string) { v.Advice = append(v.Advice, Advice{text, command}) }
	differ := v.Word == verification.Differ
	if differ && v.Called[0] != "" && v.Tools != nil && v.Tools.ExactAlone != [2]int{} {
		advise("Where the calls of a tool differ:", fmt.Sprintf("verbatim compare %s %s", v.Called[0], v.Called[1]))
	}
	switch {
	case v.TooFew:
		advise("Pin one upstream, such as with --extra '{\"provider\":{\"only\":[\"NAME\"]}}' for a router, or send more prompts with a greater --items. --mix-upstreams compares all replies together.", "")
	case v.Word == verification.Undecided:
		advise("The same command continues the test:", v.Again)
	case differ && v.Prompts > 0:
		advise("Where the answers of the two endpoints differ:", fmt.Sprintf("verbatim compare %s %s", v.Sides[0].Ref, v.Sides[1].Ref))
	}
}

// noteSide adds the notes about one endpoint.
func (v *Verification) noteSide(i int, note func(kind, format string, args ...any)) {
	s := &v.Sides[i]
	again := i > 0 && s.Model == v.Sides[0].Model // the first side has the same notes
	if s.Note != "" && !again {
		note("built-in", "%s is %s.", s.Model, s.Note)
	}
	if len(s.Served) > 1 {
		compared := "Their replies are compared separately."
		if v.Mixed {
			compared = "Their replies were compared together (--mix-upstreams)."
		}
		note("upstream", "%s was served by several upstreams or models: %s. %s", s.Model, number.Names(s.Served), compared)
	}
	for _, words := range s.FailedUpstreams.Words() {
		note("upstream_failed", "An upstream of %s failed: %s.", s.Model, words)
	}
	if n := int64(v.Unanswered[i]); n > 0 {
		note("unanswered", "%s no answer. The prompts are left out.", number.Plural(n, "request to "+s.Model+" has", "requests to "+s.Model+" have"))
	}
}

// ServedBy returns the server that a reply names, or otherwise its name of the model; "" if it
// names neither.
func ServedBy(rec *verbatim.Record) string {
	if rec.Reply == nil {
		return ""
	}
	return cmp.Or(upstreamOf(rec), rec.Reply.ServedModel)
}

// verificationsFormat names the JSON form of Verifications.
const verificationsFormat = "verbatim/verifications/1"

// Verifications are tests of several endpoints, each compared with the same first one. Their
// JSON form is the format "verbatim/verifications/1".
type Verifications struct {
	Format string `json:"format"`
	// Alpha is the maximum rate of any false alarm of all tests.
	Alpha float64 `json:"alpha"`
	// Endpoints have the verdict of each endpoint. One that is named twice has one for both tests.
	Endpoints []verifiedEndpoint `json:"endpoints"`
	// Matrix has a row for each test, and a p value for each probe.
	Matrix   []verifiedRow   `json:"matrix"`
	Tests    []*Verification `json:"tests"`
	ExitCode int             `json:"exit_code"`
}

// A verifiedEndpoint is the verdict on an endpoint: it differs if it does in one test, and is undecided
// if one test is.
type verifiedEndpoint struct {
	Endpoint string            `json:"endpoint"`
	Word     verification.Word `json:"verdict"`
}

// A verifiedRow is a row of the matrix of Verifications.
type verifiedRow struct {
	Endpoint string            `json:"endpoint"`
	Word     verification.Word `json:"verdict"`
	// P has the p value of each probe, adjusted for all probes of all endpoints.
	P map[verification.ProbeName]float64 `json:"p_adjusted"`
}

// Complete fills in what follows from the tests: the format, the matrix, the verdicts and the exit
// codes.
func (v *Verifications) Complete() {
	v.Format, v.ExitCode = verificationsFormat, 0
	at := map[string]int{}
	for _, t := range v.Tests {
		name := t.Sides[1].Model
		row := verifiedRow{name, t.Word, map[verification.ProbeName]float64{}}
		for _, p := range t.Probes {
			if least, ok := row.P[p.Name]; !ok || p.Adjusted < least { // several upstreams have the probe
				row.P[p.Name] = p.Adjusted
			}
		}
		v.Matrix = append(v.Matrix, row)
		t.ExitCode = exitCode(t.Word)
		if _, ok := at[name]; !ok {
			at[name] = len(v.Endpoints)
			v.Endpoints = append(v.Endpoints, verifiedEndpoint{name, verification.NoDifference})
		}
		e := &v.Endpoints[at[name]]
		if t.ExitCode == 3 || e.Word == verification.NoDifference {
			e.Word = t.Word
		}
		if t.ExitCode == 3 || v.ExitCode == 0 {
			v.ExitCode = t.ExitCode
		}
	}
}

// exitCode returns the exit code of a verdict.
func exitCode(w verification.Word) int {
	switch w {
	case verification.Differ:
		return 3
	case verification.Undecided:
		return 4
	}
	return 0
}

// Count returns the number of endpoints with a verdict.
func (v *Verifications) Count(w verification.Word) (n int) {
	for _, e := range v.Endpoints {
		if e.Word == w {
			n++
		}
	}
	return n
}

// CallPlanFormat names the JSON form of a CallPlan.
const CallPlanFormat = "verbatim/call-plan/1"

// A CallPlan is the maximum that a test would send. Its JSON form is the format
// "verbatim/call-plan/1".
type CallPlan struct {
	Format     string `json:"format"`
	Kind       string `json:"command"`
	Model      string `json:"model"`
	Calls      int    `json:"calls_at_most"`
	Prompt     int64  `json:"prompt_tokens"`             // an estimate: a token for four bytes, and eight for each prompt
	Completion int64  `json:"completion_tokens_at_most"` // without reasoning
	// Cost is the maximum cost; nil if the price is unknown.
	Cost *verbatim.Money `json:"cost_usd_at_most"`
}

// Times returns the plan of another number of calls of the same kind. p must have a call.
func (p CallPlan) Times(calls int) *CallPlan {
	share := func(n int64) int64 { return n * int64(calls) / int64(p.Calls) }
	if p.Cost != nil {
		cost := verbatim.Money(share(int64(*p.Cost)))
		p.Cost = &cost
	}
	p.Prompt, p.Completion, p.Calls = share(p.Prompt), share(p.Completion), calls
	return &p
}

// Plus returns the plan of both, with the names of p. If one cost is unknown, so is the sum.
func (p CallPlan) Plus(o *CallPlan) *CallPlan {
	if p.Cost != nil && o.Cost != nil {
		cost := *p.Cost + *o.Cost
		p.Cost = &cost
	} else {
		p.Cost = nil
	}
	p.Calls, p.Prompt, p.Completion = p.Calls+o.Calls, p.Prompt+o.Prompt, p.Completion+o.Completion
	return &p
}
