package watching

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/report"
	"verbatim/internal/verdict/sentinel"
)

// A Look says how endpoints are looked at, and where an alarm is posted.
type Look struct {
	All  bool   // every watched endpoint of the database, not those of the options
	Hook string // address to which an alarm is posted; "": none
	Key  string // signs what is posted; "": not signed
	Text bool   // the words that deviate are posted too, with their answers
}

// Run looks at endpoints today, one after the other. An error of one of them is a note, so that it does
// not hide the others, and failed is true. If all of them fail, their errors are returned.
func (l Look) Run(stop, abort context.Context, a *app.App, o app.Options) (list []*report.Watched, failed bool, err error) {
	if err := l.check(); err != nil {
		return nil, false, err
	}
	var errs []error
	names := o.Models
	if l.All {
		if names, errs, err = Names(stop, a, o.ModelOptions); err != nil {
			return nil, false, err
		}
	}
	for _, name := range names {
		o.Models = []string{name}
		doc, err := today(stop, abort, a, o, time.Now())
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, doc)
		if l.Hook == "" || doc.Word != sentinel.Alarm {
			continue
		}
		if err := l.notify(abort, doc); err != nil { // the alarm matters more than this error
			a.Note(fmt.Sprintf("The alarm of %s was not posted: --webhook: %v. It is saved: `verbatim sentinel status` shows it.", doc.Model, err))
		}
	}
	if len(list) == 0 {
		return nil, false, errors.Join(errs...)
	}
	for _, err := range errs {
		a.Note(err.Error())
	}
	return list, len(errs) > 0, nil
}

// check rejects an address that cannot be posted to, before anything is sent.
func (l Look) check() error {
	if l.Hook == "" {
		return nil
	}
	if u, err := url.Parse(l.Hook); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errkind.Usagef("write it as https://HOST/PATH", "--webhook: %q is not an address", l.Hook)
	}
	return nil
}

// notify posts an alarm. It contains the words of the items and their answers only if Text is set.
func (l Look) notify(ctx context.Context, w *report.Watched) error {
	fields := map[string]any{"format": "verbatim/alarm/1", "model": w.Model, "verdict": w.Word, "capital": w.Capital, "alarm_at": 1 / w.Alpha,
		"since": w.Alarm.Date, "why": w.Alarm.Alarm, "day": len(w.Days), "horizon_days": w.Horizon}
	if l.Text {
		fields["replies"] = w.Deviating
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return sendNotice(ctx, client, l.Hook, l.Key, body, time.Second)
}
