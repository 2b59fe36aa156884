package report

import (
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/verdict"
)

// The heads of the columns, in their order. The metric, if it is not exactness, is before
// HeadExact.
const (
	HeadRank    = "rank"
	HeadExact   = "exact"
	HeadUpTo    = "exact up to"
	HeadDollars = "$/1,000 exact"
	HeadSeconds = "median time"
)

// RankText prints the ranks that a run can have: "1", or "2–4". A rank that several share is
// marked with =.
func (r *HeadlineRow) RankText() string { return rankText(r.Rank, r.RankLow, r.RankHigh, r.Tied) }

// RankText is Row.RankText for a place of a leaderboard, given by its index.
func RankText(b *verdict.Leaderboard, at int) string {
	p := &b.Places[at]
	return rankText(p.Rank, p.RankLow, p.RankHigh, tied(b, at))
}

func rankText(rank, low, high int, shared bool) string {
	if rank == 0 {
		return number.Missing
	}
	text := strconv.Itoa(low)
	if high > low {
		text += "–" + strconv.Itoa(high)
	}
	if shared {
		text = "=" + text
	}
	return text
}

// UpToText prints the longest length; a dash if there are too few items to say it.
func (r *HeadlineRow) UpToText() string {
	if r.UpTo == nil {
		return number.Missing
	}
	return r.UpTo.Text
}

// upToText prints a longest length, between the shortest and the longest that were searched.
func upToText(length, shortest, longest int) string {
	switch length {
	case 0:
		return "< " + number.Count(int64(shortest))
	case longest:
		return "≥ " + number.Count(int64(longest))
	}
	return number.Count(int64(length))
}

// RangeText prints the lengths by the ends of the band: "12–34", or "<4–34" if the lower end
// is below the share at the shortest length.
func (u *UpTo) RangeText() string {
	low := "<" + number.Count(int64(u.Shortest))
	if u.Low > 0 {
		low = number.Count(int64(u.Low))
	}
	return low + "–" + number.Count(int64(u.High))
}

// DollarsText prints the cost of 1,000 exact answers; a dash if it is unknown.
func (r *HeadlineRow) DollarsText() string {
	if r.Dollars == nil {
		return number.Missing
	}
	return r.Dollars.String()
}
