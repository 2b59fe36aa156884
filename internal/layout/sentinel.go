package layout

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/sentinel"
)

// Enrolment returns the document of the beginning of a watch: whether the endpoint can be watched,
// and with which items.
func Enrolment(e *report.Enrolment, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim sentinel init", Value: e, Raw: o.Raw,
		Data:  func() *table.Table { return enrolmentData(e) },
		Body:  func(int) []table.Block { return enrolmentBody(e) },
		Tests: func() []table.Suite { return nil },
	}
}

func enrolmentBody(e *report.Enrolment) []table.Block {
	sentence, paint := fmt.Sprintf("WATCHED  with %s, for %s with calls.", number.Plural(int64(len(e.Items)), "item", "items"), number.Plural(int64(e.Horizon), "day", "days")), terminal.Good
	if e.Refusal != "" {
		sentence, paint = "REFUSED  "+terminal.Visible(e.Refusal)+".", terminal.Bad
	}
	facts := table.Facts{{Name: "items", Parts: []string{fmt.Sprintf("%d chosen", len(e.Items)), fmt.Sprintf("%d left out, since they got two answers", e.Unstable)}}}
	if e.Measured > 0 {
		facts = append(facts,
			table.Fact{Name: "repeats", Parts: []string{fmt.Sprintf("%d of %d deviate", e.Deviations, e.Measured), fmt.Sprintf("99 %% upper bound %s %%", number.Percent(&e.UpperBound))}},
			table.Fact{Name: "alarm", Parts: []string{falseAlarms(e.Alpha, e.Horizon), fmt.Sprintf("tolerance %s %% of calls", number.Percent(&e.Tolerance))}})
	}
	body := []table.Block{table.Paragraph{Text: sentence, Paint: paint}, table.Blank{}, append(facts, probedFacts(&e.Probed, e.Calls)...)}
	if e.Refusal != "" {
		if e.Advice != "" {
			body = append(body, table.Blank{}, table.Paragraph{Text: "To do: " + e.Advice + "."})
		}
		return body
	}
	var warnings []string
	switch {
	case e.Logprobs:
	case e.Drawn:
		warnings = append(warnings, "The endpoint offers no log probabilities. So the words were chosen by draws at temperature 0.3.")
	default:
		warnings = append(warnings, "The endpoint offers no log probabilities, and too few words vary at temperature 0.3. So the items are not those that other weights turn most easily, and the watch sees less.")
	}
	if len(e.Upstreams) > 1 {
		warnings = append(warnings, "Several upstreams are watched as one: "+terminal.Visible(strings.Join(e.Upstreams, ", "))+". A change of their shares looks like a change of the endpoint.")
	}
	for _, words := range e.Failed.Words() {
		warnings = append(warnings, "An upstream failed: "+terminal.Visible(words)+".")
	}
	if len(warnings) > 0 {
		body = append(body, table.Blank{}, table.List{Kind: table.Warnings, Items: table.Texts(warnings...)})
	}
	return append(body, table.Paragraph{Text: "Look at it every day, for example from cron:"}, table.Command("verbatim sentinel run "+terminal.Visible(e.Run.Model)))
}

// enrolmentData has a row for each item.
func enrolmentData(e *report.Enrolment) *table.Table {
	t := dataTable("word", "answer", "prompt_tokens", "model")
	for _, it := range e.Items {
		tokens := ""
		if it.PromptTokens != nil {
			tokens = strconv.FormatInt(*it.PromptTokens, 10)
		}
		t.Add(terminal.Visible(it.Word), terminal.Visible(it.Answer), tokens, terminal.Visible(e.Run.Model))
	}
	return t
}

// Watches returns the document of one or several watches: a line for each, and with history its
// days.
func Watches(list []*report.Watched, history bool, o Options) *table.Document {
	var value any = list
	if len(list) == 1 {
		value = list[0]
	}
	return &table.Document{
		Title: "verbatim sentinel", Value: value, Raw: o.Raw,
		Data:  func() *table.Table { return watchData(list) },
		Body:  func(int) []table.Block { return watchBody(list, history) },
		Tests: func() []table.Suite { return watchTests(list) },
	}
}

func watchBody(list []*report.Watched, history bool) []table.Block {
	var body []table.Block
	for i, w := range list {
		if i > 0 && history {
			body = append(body, table.Blank{})
		}
		paint := terminal.Good
		switch w.Word {
		case sentinel.Alarm:
			paint = terminal.Bad
		case sentinel.TooFew:
			paint = terminal.Alert
		}
		body = append(body, table.Paragraph{Text: watchLine(w), Paint: paint, Line: true})
		if history {
			body = append(body, watchFacts(w), table.Blank{}, watchDays(w))
			if len(w.Seen) > 0 {
				body = append(body, table.Blank{}, wouldSee(w))
			}
		}
	}
	return body
}

// falseAlarms says the error rate of a watch with a horizon in days with calls.
func falseAlarms(alpha float64, horizon int) string {
	return "false alarms at most " + number.Percent(&alpha) + " % in " + number.Plural(int64(horizon), "day", "days")
}

// watchFacts has the settings of a watch, its calls, and the items that deviate.
func watchFacts(w *report.Watched) table.Facts {
	words := map[string]int{}
	var order []string
	for _, d := range w.Days {
		for _, word := range d.Words {
			if words[word]++; words[word] == 1 {
				order = append(order, word)
			}
		}
	}
	facts := table.Facts{{Name: "watch", Parts: []string{number.Plural(int64(w.Items), "item", "items"), "since " + w.Since.UTC().Format(time.DateOnly),
		fmt.Sprintf("tolerance %s %%", number.Percent(&w.Tolerance)), falseAlarms(w.Alpha, w.Horizon)}},
		{Name: "spent", Parts: []string{number.Plural(int64(w.Spent.Days), "call", "calls") + " on " + number.Plural(int64(len(w.Days)), "day", "days"), fmt.Sprintf("%d at the enrolment", w.Spent.Enrolment)}}}
	if len(w.Upstreams) > 0 {
		facts = append(facts, table.Fact{Name: "upstream", Parts: []string{terminal.Visible(strings.Join(w.Upstreams, ", "))}})
	}
	if w.First != "" {
		facts = append(facts, table.Fact{Name: "first", Parts: []string{"the first deviation was on " + w.First}})
	}
	if len(order) > 0 {
		parts := []string{}
		for i, word := range order {
			if i == 12 {
				parts = append(parts, fmt.Sprintf("%d more", len(order)-i))
				break
			}
			parts = append(parts, fmt.Sprintf("%s %d", terminal.Visible(word), words[word]))
		}
		facts = append(facts, table.Fact{Name: "deviate", Parts: parts})
	}
	return facts
}

// watchDays has a row for each day of a watch.
func watchDays(w *report.Watched) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "date"}, {Head: "calls", Right: true}, {Head: "deviate", Right: true}, {Head: "no reply", Right: true}, {Head: "capital", Right: true}, {Head: "event"}}}
	for _, d := range w.Days {
		t.Add(d.Date, strconv.Itoa(d.Calls), strconv.Itoa(d.Deviations), strconv.Itoa(d.Missing), number.Plain(round3(d.Capital)), watchEvent(w, &d))
	}
	return t
}

// watchEvent says what happened on a day in addition to calls.
func watchEvent(w *report.Watched, d *sentinel.Day) string {
	var parts []string
	if d.Alarm != "" {
		parts = append(parts, "ALARM: "+d.Alarm)
	}
	if d.Elsewhere > 0 {
		parts = append(parts, fmt.Sprintf("%s not counted, served by %s", number.Plural(int64(d.Elsewhere), "call", "calls"), terminal.Visible(strings.Join(d.Upstreams, ", "))))
	}
	for _, words := range d.Failed.Words() {
		parts = append(parts, "failed upstream "+terminal.Visible(words))
	}
	if len(d.Served) > 0 {
		parts = append(parts, "now served by "+terminal.Visible(strings.Join(d.Served, ", ")))
	}
	if c := d.Contracts; c != nil {
		text := fmt.Sprintf("%s held", number.Plural(int64(len(c.Held)), "contract", "contracts"))
		if len(c.Broken) > 0 {
			text += ", broken: " + terminal.Visible(strings.Join(c.Broken, ", "))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// wouldSee has the time in which a change would be seen, for each size of a change.
func wouldSee(w *report.Watched) *table.Table {
	t := &table.Table{Caption: "What a change from now on would take (simulated)", Columns: []table.Column{{Head: "calls that deviate", Right: true}, {Head: "half of the watches", Right: true}, {Head: "four of five", Right: true}}}
	days := func(n *int) string {
		switch {
		case n == nil:
			return "not in the horizon"
		case *n == 0:
			return "same day"
		}
		return number.Plural(int64(*n), "day", "days")
	}
	for _, s := range w.Seen {
		t.Add(number.Percent(&s.Rate)+" %", days(s.Median), days(s.Most))
	}
	return t
}

// watchData has a row for each day of each watch.
func watchData(list []*report.Watched) *table.Table {
	t := dataTable("model", "watch", "date", "calls", "deviations", "unanswered", "capital", "alarm_at", "alarm")
	for _, w := range list {
		at := 1 / w.Alpha
		for _, d := range w.Days {
			t.Add(terminal.Visible(w.Model), strconv.Itoa(w.Number), d.Date, strconv.Itoa(d.Calls), strconv.Itoa(d.Deviations), strconv.Itoa(d.Missing), Float(&d.Capital), Float(&at), d.Alarm)
		}
	}
	return t
}

// watchTests returns a suite with a test for each watch. It is a failure after an alarm, and an error
// with too few answers.
func watchTests(list []*report.Watched) []table.Suite {
	suite := table.Suite{Name: "verbatim sentinel"}
	for _, w := range list {
		test := table.Case{Class: "verbatim.sentinel", Name: terminal.Visible(w.Model), Time: "0"}
		outcome := &table.Outcome{Message: watchLine(w), Type: w.Word, Text: watchLine(w)}
		setOutcome(&test, outcome, w.Word != sentinel.Alarm && w.Word != sentinel.TooFew, w.Word == sentinel.Alarm)
		suite.Cases = append(suite.Cases, test)
	}
	return []table.Suite{suite}
}

// watchLine prints the state of a watch on one line, for logs.
func watchLine(w *report.Watched) string {
	line := strings.ToUpper(w.Word) + "  " + terminal.Visible(w.Model) + "  day " + fmt.Sprintf("%d of %d", len(w.Days), w.Horizon)
	if n := len(w.Days); n > 0 {
		d := w.Days[n-1]
		line += fmt.Sprintf(" (%s): %d of %s deviate", d.Date, d.Deviations, number.Plural(int64(d.Calls), "call", "calls"))
		if d.Missing > 0 {
			line += fmt.Sprintf(", %d without a reply", d.Missing)
		}
		if d.Elsewhere > 0 {
			line += fmt.Sprintf(", %d not counted, served by %s and not by %s", d.Elsewhere, terminal.Visible(strings.Join(d.Upstreams, ", ")), terminal.Visible(strings.Join(w.Upstreams, ", ")))
		}
		if len(d.Failed) > 0 {
			line += ", failed upstreams: " + terminal.Visible(strings.Join(d.Failed.Words(), "; "))
		}
		if len(d.Served) > 0 {
			line += ", now served by " + terminal.Visible(strings.Join(d.Served, ", "))
		}
	}
	line += fmt.Sprintf("; capital %s, alarm at %s", number.Plain(round3(w.Capital)), number.Plain(1/w.Alpha))
	if w.Alarm != nil {
		line += fmt.Sprintf("; alarm since %s: %s. The cause is not known", w.Alarm.Date, w.Alarm.Alarm)
	}
	return line + "."
}

// round3 rounds a capital to three significant digits, as it is printed.
func round3(x float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return v
}
