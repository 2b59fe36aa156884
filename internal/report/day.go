package report

import (
	"maps"
	"slices"
	"time"

	"verbatim"
)

// days gathers records by the UTC day of their first request.
type days struct {
	by   map[int64]*day // by dayNumber
	last int64          // the latest day of by, once there are maxDays
	rest *day           // shared by later days; nil: there are none

	now *day  // the day of the last record
	at  int64 // its number

	// byItem says that the answers of each day are counted by item. That takes memory for
	// each item, and is of no use while there is only one day.
	byItem bool
}

type day struct {
	cell   cell
	served tally
}

const (
	maxDays      = 400          // days that are counted separately: more than a year
	secondsOfDay = 24 * 60 * 60 // of Unix time
)

// add counts a record on its day. A record with an unknown day is not counted.
func (d *days) add(rec *verbatim.Record, m *entry) {
	start := askedAt(rec)
	if start.IsZero() {
		return
	}
	n := dayNumber(start)
	if d.now == nil || d.at != n {
		d.now, d.at = d.of(n), n
	}
	d.now.cell.add(m)
	if rec.Reply != nil && rec.Reply.ServedModel != "" {
		d.now.served.add(rec.Reply.ServedModel)
	}
}

// another reports whether a record is not known to be of the same day as the last one.
func (d *days) another(rec *verbatim.Record) bool {
	start := askedAt(rec)
	return start.IsZero() || d.now != nil && d.at != dayNumber(start)
}

// same reports whether all records of both are known to be of one day.
func (d *days) same(o *days) bool {
	if d.byItem || o.byItem {
		return false
	}
	for n := range d.by {
		if len(o.by) > 0 && o.by[n] == nil {
			return false
		}
	}
	return true
}

// askedAt returns when the request of a record was sent: the start of its reply, or without a
// reply of its first attempt. The zero Time is unknown.
func askedAt(rec *verbatim.Record) time.Time {
	if rec.Reply != nil {
		return rec.Reply.Times.Start
	}
	if list := rec.Attempts(); len(list) > 0 {
		return list[0].Start
	}
	return time.Time{}
}

// dayNumber returns the number of days from 1970-01-01 to t.
func dayNumber(t time.Time) int64 {
	s := t.Unix()
	n := s / secondsOfDay
	if s%secondsOfDay < 0 {
		n--
	}
	return n
}

// dayName returns a day as 2006-01-02.
func dayName(n int64) string { return time.Unix(n*secondsOfDay, 0).UTC().Format(time.DateOnly) }

// of returns the day with a number. The first maxDays days are counted separately and the others
// together, which does not depend on the order of the records.
func (d *days) of(n int64) *day {
	if at := d.by[n]; at != nil {
		return at
	}
	if d.by == nil {
		d.by = make(map[int64]*day)
	}
	if len(d.by) >= maxDays {
		if n > d.last {
			return d.shared()
		}
		d.shared().merge(d.by[d.last])
		delete(d.by, d.last)
		d.now = nil
	}
	at := new(day)
	d.by[n] = at
	d.last = slices.Max(slices.Collect(maps.Keys(d.by)))
	return at
}

// shared returns rest.
func (d *days) shared() *day {
	if d.rest == nil {
		d.rest = new(day)
	}
	return d.rest
}

func (d *day) merge(o *day) {
	d.cell.merge(&o.cell)
	d.served.merge(&o.served)
}

func (d *days) merge(o *days) {
	for n, at := range o.by {
		d.of(n).merge(at)
	}
	if o.rest != nil {
		d.shared().merge(o.rest)
	}
	d.now = nil
}

// finish lists the days in their order. It is nil for a single day.
func (d *days) finish() []Day {
	if len(d.by) < 2 {
		return nil
	}
	var list []Day
	add := func(name string, at *day) {
		list = append(list, Day{Day: name, Line: at.cell.finish(nil), Served: at.served.ranked()})
	}
	for _, n := range slices.Sorted(maps.Keys(d.by)) {
		add(dayName(n), d.by[n])
	}
	if d.rest != nil {
		add(Others, d.rest)
	}
	return list
}
