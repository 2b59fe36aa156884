package store

import (
	"context"
	"math"
	"strings"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// A Spending is the cost of a run.
type Spending struct {
	Replies verbatim.Money // the known costs of replies
	// Attempts is the most that may have been billed in addition to Replies: for failed attempts,
	// replies of unknown cost, warm-up requests, and reservations of requests in flight or of a
	// process that was killed.
	Attempts verbatim.Money
	Unpriced int64 // the number of replies of unknown cost
}

// Total returns the maximum cost, without the unpriced replies.
func (s Spending) Total() verbatim.Money { return addSaturated(s.Replies, s.Attempts) }

// addSaturated returns the sum, or the largest Money if that is smaller.
func addSaturated(a, b verbatim.Money) verbatim.Money {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Spending returns the cost of a run. Each call adds it up from the records, in a second or less
// for a million of them.
func (s *Store) Spending(ctx context.Context, run int64) (spent Spending, err error) {
	err = s.file.View(func(c *sqlite.Conn) error {
		spent, err = readSpending(ctx, c, run)
		return err
	})
	return spent, err
}

// sumCost adds up the column cost in three parts, so that no sum of up to MaxSeq rows overflows:
// dollars, millionths of a dollar, and millionths of these.
const sumCost = `sum(cost / 1000000000000), sum(cost % 1000000000000 / 1000000), sum(cost % 1000000)`

// sumReserved is sumCost of the column amount.
var sumReserved = strings.ReplaceAll(sumCost, "cost", "amount")

// readCost reads the columns of sumCost.
func readCost(r *sqlite.Rows) verbatim.Money {
	dollars, millionths, rest := r.Int(), r.Int(), r.Int()
	if dollars > math.MaxInt64/int64(verbatim.Dollar) || millionths > math.MaxInt64/1_000_000 {
		return math.MaxInt64
	}
	return addSaturated(addSaturated(verbatim.Money(dollars)*verbatim.Dollar, verbatim.Money(millionths)*1_000_000), verbatim.Money(rest))
}

// Unrecorded returns the number and the maximum cost of the attempts of a run that have no record
// and may have been billed: those in flight when a process was killed, and those in flight now.
// The cost is a part of Spending.Attempts.
func (s *Store) Unrecorded(ctx context.Context, run int64) (n int64, most verbatim.Money, err error) {
	first, last := span(run)
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
	first, last := span(run)
	var n int64
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) {
		s.Replies = readCost(r)
		s.Unpriced, n = r.Int(), r.Int()
	}, `SELECT `+sumCost+`, count(finish) - count(cost), count(*) FROM reply WHERE place BETWEEN ? AND ?`, first, last)
	if err == nil {
		err = checkComplete(ctx, c, run, n) // a budget counts on all of them
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
