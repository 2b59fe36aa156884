package report

import (
	"slices"
	"time"

	"verbatim"
)

// days gathers records by the UTC day on which they were asked.
type days struct {
	by   map[int64]*day // by the number of days since 1970
	last int64          // the latest day that is counted separately, once there are maxDays
	rest *day           // of later ones; nil: none

	now *day // the day of the record before, from its start
	at  int64

	// byItem says that the answers of each day are counted by item. That takes memory for
	// each item, and there is no use for it while there is only one day.
	byItem bool
}

type day struct {
	cell   cell
	served tally
}

const (
	// maxDays is how many days are counted separately: more than a year of them.
	maxDays = 400
	// secondsOfDay is how long a day of Unix time is.
	secondsOfDay = 24 * 60 * 60
)

// add counts a record on its day; one whose day is not known has none.
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

// another reports whether a record is not of the one day of all records before.
func (d *days) another(rec *verbatim.Record) bool {
	start := askedAt(rec)
	return start.IsZero() || d.now != nil && d.at != dayNumber(start)
}

// same reports whether all records of both are of the same day.
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

// askedAt returns when a record was asked: when its reply started, or the first try of
// one that has none. The zero Time is not known.
func askedAt(rec *verbatim.Record) time.Time {
	if rec.Reply != nil {
		return rec.Reply.Times.Start
	}
	if list := attempts(rec); len(list) > 0 {
		return list[0].Start
	}
	return time.Time{}
}

// dayNumber counts the days from 1970 to a moment.
func dayNumber(t time.Time) int64 {
	s := t.Unix()
	n := s / secondsOfDay
	if s%secondsOfDay < 0 {
		n--
	}
	return n
}

func dayName(n int64) string { return time.Unix(n*secondsOfDay, 0).UTC().Format(time.DateOnly) }

// of returns the day with a number. Of too many the latest are one, since which
// they are does not depend on the order of the records.
func (d *days) of(n int64) *day {
	if at := d.by[n]; at != nil {
		return at
	}
	if d.by == nil {
		d.by = make(map[int64]*day)
	}
	if len(d.by) >= maxDays {
		if d.rest == nil {
			d.rest = new(day)
		}
		if n > d.last {
			return d.rest
		}
		d.rest.merge(d.by[d.last])
		delete(d.by, d.last)
		d.now = nil
	}
	at := new(day)
	d.by[n] = at
	d.last = n
	for other := range d.by {
		d.last = max(d.last, other)
	}
	return at
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
		if d.rest == nil {
			d.rest = new(day)
		}
		d.rest.merge(o.rest)
	}
	d.now = nil
}

// finish lists the days, the first one first; none where there is only one.
func (d *days) finish() []Day {
	if len(d.by) < 2 {
		return nil
	}
	var numbers []int64
	for n := range d.by {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	var list []Day
	add := func(name string, at *day) {
		list = append(list, Day{Day: name, Line: at.cell.finish(nil), Served: at.served.ranked()})
	}
	for _, n := range numbers {
		add(dayName(n), d.by[n])
	}
	if d.rest != nil {
		add(Others, d.rest)
	}
	return list
}
