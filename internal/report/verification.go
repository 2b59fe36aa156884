package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/number"

	"verbatim/internal/upstream"
	"verbatim/internal/verdict/verification"
)

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
		note("upstream", "%s was served by several upstreams or models: %s. %s", s.Model, joinNames(s.Served), compared)
	}
	for _, words := range s.FailedUpstreams.Words() {
		note("upstream_failed", "An upstream of %s failed: %s.", s.Model, words)
	}
	if n := int64(v.Unanswered[i]); n > 0 {
		note("unanswered", "%s no answer. The prompts are left out.", number.Plural(n, "request to "+s.Model+" has", "requests to "+s.Model+" have"))
	}
}

// joinNames joins the first four names, and says how many more there are.
func joinNames(names []string) string {
	const shown = 4
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

// ServedBy returns the server that a reply names, or otherwise its name of the model; "" if it
// names neither.
func ServedBy(rec *verbatim.Record) string {
	if rec.Reply == nil {
		return ""
	}
	return cmp.Or(upstreamOf(rec), rec.Reply.ServedModel)
}
