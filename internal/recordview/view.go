package recordview

import (
	"verbatim"
	"verbatim/internal/terminal"
)

// A View is one record for people, computed by New. Its JSON form is the format "verbatim/show/1".
type View struct {
	Format     string            `json:"format"`
	Run        Run               `json:"run"`
	Seq        int64             `json:"seq"`
	Item       string            `json:"item"`
	Trial      int               `json:"trial"`
	Facts      map[string]string `json:"facts,omitempty"`
	Prompt     verbatim.Prompt   `json:"messages"` // as sent; the item's prompt if that is not saved
	Want       verbatim.Answer   `json:"want"`
	Source     *verbatim.Answer  `json:"source,omitempty"`
	Outcome    verbatim.Outcome  `json:"outcome"`
	Verdict    *verdict          `json:"verdict,omitempty"` // nil without an answer
	Reply      *Reply            `json:"reply,omitempty"`
	Failure    *Failure          `json:"failure,omitempty"`
	Attempts   []attempt         `json:"attempts,omitempty"`
	Difference *Difference       `json:"difference,omitempty"` // nil for an exact or an empty reply
	Departure  *Departure        `json:"departure,omitempty"`  // nil without log probabilities
}

// A Run names the run of a record.
type Run struct {
	N     int64  `json:"n,omitempty"`
	Name  string `json:"name"`
	Model string `json:"model"`
}

// A Verdict is a Grade with the explanation of its label.
type verdict struct {
	verbatim.Grade
	Explanation string `json:"explanation,omitempty"`
}

// A Failure says why there was no answer.
type Failure struct {
	Class   verbatim.Class `json:"class"`
	Status  int            `json:"status,omitempty"`
	Who     string         `json:"who,omitempty"`
	Message string         `json:"message"`
	Hint    string         `json:"hint,omitempty"`
}

// An Attempt is one HTTP attempt.
type attempt struct {
	N       int            `json:"n"`
	Status  int            `json:"status,omitempty"`
	Class   verbatim.Class `json:"class,omitempty"` // empty if it succeeded
	Waited  float64        `json:"waited_seconds"`
	Seconds float64        `json:"seconds"`
	Bytes   int64          `json:"bytes"`
	Message string         `json:"message,omitempty"`
	Partial string         `json:"partial,omitempty"` // the start of the text that had arrived, Visible
	// Cost is the maximum cost, if the cost is unknown.
	Cost *verbatim.Money `json:"cost_usd_at_most,omitempty"`
	// Upstream is the server behind a router that failed.
	Upstream string `json:"upstream,omitempty"`
}

// New computes the View of a record of the run. Its work is bounded whatever the reply holds. All
// of a reply of 10 MB is searched for the first difference, and the difference is described from
// there.
func New(run verbatim.Run, rec verbatim.Record) *View {
	s := &View{
		Format:  "verbatim/show/1",
		Run:     Run{run.N, run.Name, run.Model},
		Seq:     rec.Seq,
		Trial:   rec.Trial,
		Prompt:  rec.Prompt,
		Outcome: rec.Outcome,
	}
	item := rec.Item
	if item == nil {
		item = new(verbatim.Item)
	}
	s.Item, s.Facts, s.Want, s.Source = item.ID, item.Facts, item.Want, item.Source
	if len(s.Prompt) == 0 {
		s.Prompt = item.Prompt
	}
	if rec.Grade != nil {
		s.Verdict = &verdict{Grade: *rec.Grade, Explanation: Explain(rec.Grade.Label)}
	}
	if rec.Reply != nil {
		s.Reply = newReply(rec.Reply)
		s.Attempts = newAttempts(rec.Reply.Attempts)
		if rec.Grade == nil || !rec.Grade.Exact {
			s.Difference = difference(item, rec.Reply.Text)
		}
		s.Departure = departure(item.Want, rec.Grade, rec.Reply)
	}
	if rec.Failure != nil {
		s.Failure = newFailure(rec.Failure)
		s.Attempts = newAttempts(rec.Failure.Attempts)
	}
	return s
}

func newFailure(f *verbatim.Failure) *Failure {
	out := &Failure{Class: f.Class, Status: f.Status, Who: f.Who, Hint: f.Hint}
	if f.Err != nil {
		out.Message = f.Err.Error()
	}
	return out
}

func newAttempts(list []verbatim.Attempt) []attempt {
	out := make([]attempt, len(list))
	for i, a := range list {
		partial, _ := terminal.Excerpt(a.Partial, 400)
		out[i] = attempt{a.N, a.Status, a.Class, a.Wait.Seconds(), a.Total.Seconds(), a.Bytes, a.Err, terminal.Visible(partial), a.Cost, a.Upstream}
	}
	return out
}
