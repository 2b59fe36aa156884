package verdicts

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/layout"
	"verbatim/internal/report/result"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/sentinel"
)

// history is a watch with an event, a missed week and an alarm, whose texts attack the page.
func history(days int) *result.Watched {
	const hostile = `<script>alert(1)</script>"'&`
	w := &result.Watched{Word: sentinel.Alarm, Model: "http://127.0.0.1:1/v1#" + hostile, Number: 1, Alpha: 0.01, Horizon: 365, Tolerance: 0.05, Items: 24, Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Upstreams: []string{hostile}}
	at, capital := w.Since, 1.0
	for i := range days {
		if at = at.AddDate(0, 0, 1); i == 40 {
			at = at.AddDate(0, 0, 7)
		}
		d := sentinel.Day{Date: at.Format(time.DateOnly), Calls: 12, Capital: capital}
		if capital *= 0.997; i > days-6 {
			d.Calls, d.Deviations, d.Words = 60, 20, []string{hostile}
			capital *= 9
		}
		if i == 20 {
			d.Calls, d.Elsewhere, d.Upstreams, d.Served = 4, 8, []string{hostile}, []string{hostile}
		}
		if d.Capital >= 100 {
			d.Alarm = "the answers deviate"
		}
		w.Days = append(w.Days, d)
	}
	w.Capital = capital
	w.Alarm = &w.Days[len(w.Days)-1]
	half := 3
	w.Seen = []sentinel.Seen{{Rate: 0.25, Median: &half}}
	return w
}

// TestWatchPage writes the page of watches, of no day, one day and many: it is one file with a
// figure for each, and no text of an endpoint is a part of its markup.
func TestWatchPage(t *testing.T) {
	for _, days := range []int{0, 1, 2, 120} {
		w := history(max(days, 1))
		if w.Days = w.Days[:days]; days == 0 {
			w.Days, w.Alarm, w.Word = nil, nil, sentinel.Quiet
		}
		var b strings.Builder
		for _, f := range table.Formats() {
			if f.Name == "html" {
				if err := f.Write(&b, Watches([]*result.Watched{w}, true, layout.Options{}), terminal.Style{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		page := b.String()
		if dir := os.Getenv("VERBATIM_FIGURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("watch-%d.html", days)), []byte(page), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Count(page, "<svg "); got != min(days, 1) || strings.Contains(page, "<script") || strings.Contains(page, "http://127.0.0.1:1/v1#<") {
			t.Errorf("%d days: %d figures in %.300s", days, got, page)
		}
		for _, outside := range []string{"<link", " src=", "@import", "url("} {
			if strings.Contains(page, outside) {
				t.Errorf("%d days: the page has %s", days, outside)
			}
		}
		if days == 0 {
			continue
		}
		for _, want := range []string{"Capital of the test", "alarm at 100", "Calls of each day", w.Days[0].Date} {
			if !strings.Contains(page, want) {
				t.Errorf("%d days: the page lacks %q", days, want)
			}
		}
		from := strings.Index(page, "<svg ")
		d := xml.NewDecoder(strings.NewReader(page[from : strings.Index(page, "</svg>")+6]))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%d days: %v", days, err)
			}
		}
	}
}

// A count of one has its noun in the singular.
func TestWatchOfOne(t *testing.T) {
	w := history(1)
	w.Items, w.Horizon = 1, 1
	w.Days[0].Elsewhere, w.Days[0].Upstreams = 1, []string{"other"}
	enrolment := &result.Enrolment{EnrolmentResult: &sentinel.EnrolmentResult{Items: make([]sentinel.Item, 1), Measured: 1}, Horizon: 1}
	var b strings.Builder
	for _, doc := range []*table.Document{Enrolment(enrolment, layout.Options{}), Watches([]*result.Watched{w}, true, layout.Options{})} {
		table.WriteText(&b, doc.Body(200), terminal.Style{})
	}
	text := b.String()
	for _, want := range []string{"WATCHED  with 1 item, for 1 day with calls.", " % in 1 day\n", " % in 1 day · ", "1 item · since", "1 call not counted, served by other"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
