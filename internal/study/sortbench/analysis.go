package sortbench

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/signedrank"
	"verbatim/internal/study"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
)

// An analysis holds the numbers of the paper's tables, over the lists that all entrants answered.
type analysis struct {
	all   []*entrant
	lists []*list
	left  int // lists that some entrant did not answer
	modes []modeTable
	ranks []rankTable
	// unranked has a sentence for each length without a table, with the reason.
	unranked []string
}

// A modeTable holds the means of the lists of a mode, weighted by their lengths, the
// best entrant first.
type modeTable struct {
	mode string // or allModes
	rows []modeRow
}

// allModes is the mode of the table over the lists of all modes.
const allModes = "all"

type modeRow struct {
	entrant int                // index in analysis.all
	means   [measures]*float64 // nil: no list has a score
}

// A rankTable ranks the entrants on the lists of one length.
type rankTable struct {
	length int
	autorank.Table
}

// analyse computes the tables. The error is a *verdict.Refusal if the runs cannot be compared.
func analyse(all []*entrant, draws signedrank.Draws) (*analysis, error) {
	a := &analysis{all: all}
	a.lists, a.left = common(all)
	if len(a.lists) == 0 {
		return nil, &verdict.Refusal{Why: "the runs have no answered list in common", Do: "name runs of the same lists: 'verbatim runs' lists the runs and their plans"}
	}
	if err := a.weigh(); err != nil {
		return nil, err
	}
	return a, a.rank(draws)
}

// weigh computes the weighted means.
func (a *analysis) weigh() error {
	for _, mode := range append(modes(), allModes) {
		t := modeTable{mode: mode}
		if !slices.ContainsFunc(a.lists, func(l *list) bool { return mode == allModes || l.mode == mode }) {
			continue
		}
		for i, e := range a.all {
			row := modeRow{entrant: i}
			for m := range measures {
				mean, err := e.weighted(a.lists, mode, m)
				if err != nil {
					return err
				}
				row.means[m] = mean
			}
			t.rows = append(t.rows, row)
		}
		slices.SortStableFunc(t.rows, func(x, y modeRow) int { return autorank.Falling(x.means[total], y.means[total]) })
		a.modes = append(a.modes, t)
	}
	return nil
}

// weighted returns the mean of a measure over the lists of a mode, weighted by their lengths. It is
// nil if no list has a score.
func (e *entrant) weighted(lists []*list, mode string, m measure) (*float64, error) {
	var lengths []int
	var values []float64
	for _, l := range lists {
		if mode == allModes || l.mode == mode {
			lengths, values = append(lengths, l.length), append(values, e.scores[l.id].values[m])
		}
	}
	mean, ok, err := stats.LengthWeighted(lengths, values)
	if err != nil || !ok {
		return nil, err
	}
	return &mean, nil
}

// rank ranks the entrants at each length, several lengths at the same time.
func (a *analysis) rank(draws signedrank.Draws) error {
	if len(a.all) < 2 {
		return nil
	}
	all := lengths(a.lists)
	tables := make([]*rankTable, len(all))
	why := make([]string, len(all))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, n := range all {
		if why[i] = a.unrankable(n); why[i] != "" {
			continue
		}
		g.Go(func() (err error) {
			tables[i], err = a.rankLength(n, draws)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, t := range tables {
		if t == nil {
			a.unranked = append(a.unranked, why[i])
			continue
		}
		a.ranks = append(a.ranks, *t)
	}
	return nil
}

// rankLength ranks the entrants on the lists of one length.
func (a *analysis) rankLength(length int, draws signedrank.Draws) (*rankTable, error) {
	r, err := autorank.Rank(a.sides(length), autorank.Options{Metric: "sortbench", Score: givenScore, Draws: draws})
	var refused *verdict.Refusal
	if err != nil && !errors.As(err, &refused) {
		err = fmt.Errorf("length %d: %w", length, err)
	}
	if err != nil {
		return nil, err
	}
	return &rankTable{length: length, Table: r.Tables[0]}, nil
}

// unrankable says why the entrants cannot be ranked on the lists of a length; empty if they can.
func (a *analysis) unrankable(length int) string {
	for _, e := range a.all {
		n := 0
		for _, l := range a.lists {
			if l.length == length && !math.IsNaN(e.scores[l.id].values[total]) {
				n++
			}
		}
		if n < 2 {
			return fmt.Sprintf("There is no table of length %d: %s has %s of a defined score there, and a standard deviation takes two.", length, e.name, study.Plural(n, "list"))
		}
	}
	return ""
}

// sides returns the entrants as autorank.Rank takes them, with the scores of one length.
func (a *analysis) sides(length int) []verdict.Side {
	sides := make([]verdict.Side, len(a.all))
	for i, e := range a.all {
		sides[i] = verdict.Side{Run: e.run, Note: e.note, Records: e.records(a.lists, length)}
	}
	return sides
}

// records yields the scores of one length as records. They name no grader: scores with the same
// normalisation can be compared, whichever grader they are from.
func (e *entrant) records(lists []*list, length int) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for i, l := range lists {
			if l.length != length {
				continue
			}
			rec := verbatim.Record{Seq: int64(i), Outcome: verbatim.Wrong, Grade: &verbatim.Grade{},
				Item: &verbatim.Item{ID: l.id, Facts: map[string]string{verbatim.FactLength: strconv.Itoa(l.length)}}}
			if v := e.scores[l.id].values[total]; !math.IsNaN(v) {
				rec.Grade.Score = &v
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// givenScore is the score function of these records; false if the score is undefined.
func givenScore(_ *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	if g.Score == nil {
		return 0, false
	}
	return *g.Score, true
}
