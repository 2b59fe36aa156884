package store

import (
	"context"
	"math"
	"strings"

	"verbatim"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// A Spending is money that was spent on asking.
type Spending struct {
	Replies verbatim.Money // what the answers cost, as far as it is known
	// Attempts is the most that may have been billed beyond Replies: failed attempts,
	// replies of unknown cost, warm-up requests, and reservations of requests in flight
	// or of a process that was killed.
	Attempts verbatim.Money
	Unpriced int64 // answers of which it is not known what they cost
}

// Total is the most that it may have been in all, but for what is unpriced.
func (s Spending) Total() verbatim.Money { return addSaturated(s.Replies, s.Attempts) }

// addSaturated adds amounts; what is more than Money can hold is the most it can hold.
func addSaturated(a, b verbatim.Money) verbatim.Money {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Spending returns what a run has cost. It is added up from the records that are
// kept, every time: a second or less for a million of them.
func (s *Store) Spending(ctx context.Context, run int64) (spent Spending, err error) {
	err = s.file.View(func(c *sqlite.Conn) error {
		spent, err = readSpending(ctx, c, run)
		return err
	})
	return spent, err
}

// SpendingByModel returns what the runs that were asked here have cost, by the name
// of the model that they asked.
func (s *Store) SpendingByModel(ctx context.Context) (map[string]Spending, error) {
	all := map[string]Spending{}
	err := s.file.View(func(c *sqlite.Conn) error {
		model := map[int64]string{}
		err := c.QueryEach(ctx, func(r *sqlite.Rows) { model[r.Int()] = r.Text() }, `SELECT id, model FROM run WHERE origin = ''`)
		if err != nil {
			return err
		}
		for run, name := range model {
			spent, err := readSpending(ctx, c, run)
			if err != nil {
				return err
			}
			sum := all[name]
			all[name] = Spending{addSaturated(sum.Replies, spent.Replies), addSaturated(sum.Attempts, spent.Attempts), sum.Unpriced + spent.Unpriced}
		}
		return nil
	})
	return all, err
}

// sumCost adds up a column cost in three parts, none of which can overflow
// however many positions a run has: dollars, millionths, and millionths of those.
const sumCost = `sum(cost / 1000000000000), sum(cost % 1000000000000 / 1000000), sum(cost % 1000000)`

// sumReserved is sumCost of the column amount.
var sumReserved = strings.ReplaceAll(sumCost, "cost", "amount")

// readCost takes the columns of sumCost.
func readCost(r *sqlite.Rows) verbatim.Money {
	dollars, millionths, rest := r.Int(), r.Int(), r.Int()
	if dollars > math.MaxInt64/int64(verbatim.Dollar) || millionths > math.MaxInt64/1_000_000 {
		return math.MaxInt64
	}
	return addSaturated(addSaturated(verbatim.Money(dollars)*verbatim.Dollar, verbatim.Money(millionths)*1_000_000), verbatim.Money(rest))
}

// Unrecorded returns how many attempts of a run have no record and may have been
// billed, and the most that they may have cost: what was in flight when a process was
// killed, and what is in flight now. It is a part of Spending.Attempts.
func (s *Store) Unrecorded(ctx context.Context, run int64) (n int64, most verbatim.Money, err error) {
	first, last := rows.Span(run)
	err = s.file.View(func(c *sqlite.Conn) error {
		for _, sql := range []string{
			`SELECT ` + sumCost + `, count(cost) FROM attempt a WHERE place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM reply WHERE reply.place = a.place)`,
			`SELECT ` + sumReserved + `, count(*) FROM reservation WHERE place BETWEEN ? AND ?`,
		} {
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { most = addSaturated(most, readCost(r)); n += r.Int() }, sql, first, last)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return n, most, err
}

func readSpending(ctx context.Context, c *sqlite.Conn, run int64) (s Spending, err error) {
	first, last := rows.Span(run)
	var n int64
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) {
		s.Replies = readCost(r)
		s.Unpriced, n = r.Int(), r.Int()
	}, `SELECT `+sumCost+`, count(finish) - count(cost), count(*) FROM reply WHERE place BETWEEN ? AND ?`, first, last)
	if err == nil {
		err = rows.CheckComplete(ctx, c, run, n) // a budget counts on all of them
	}
	if err != nil {
		return s, err
	}
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) { s.Attempts = readCost(r) },
		`SELECT `+sumCost+` FROM attempt WHERE place BETWEEN ? AND ?`, first, last)
	if err != nil {
		return s, err
	}
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) { s.Attempts = addSaturated(s.Attempts, readCost(r)) },
		`SELECT `+sumReserved+` FROM reservation WHERE place BETWEEN ? AND ?`, first, last)
	return s, err
}
