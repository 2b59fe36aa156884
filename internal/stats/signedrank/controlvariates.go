package signedrank

import "math"

// A control holds quantities that are drawn together with probabilities and whose
// expectations are known, less these: of a signed rank posterior, the parts smaller
// and larger of the pairs with the largest class, then of the pairs of the others.
type control [4]float64

// controls is a mean of probabilities, made more certain by such quantities: by what
// these came out too high, the probabilities came out too high in proportion (control
// variates; Glasserman 2003, Monte Carlo Methods in Financial Engineering, 4.1). The
// proportions are estimated from the same draws; the bias of that is far below the
// standard error, of the order of 1/n.
type controls struct {
	n  int
	x  control    // sums
	y  thirds     // sums
	xx [4]control // sums of products, up to the diagonal
	xy [3]control // sums of products
	yy thirds     // sums of squares
}

func (c *controls) add(x control, y thirds) {
	c.n++
	for i, v := range x {
		c.x[i] += v
		for j := range i + 1 {
			c.xx[i][j] += v * x[j]
		}
	}
	for q, p := range y {
		c.y[q] += p
		c.yy[q] += p * p
		for i, v := range x {
			c.xy[q][i] += v * p
		}
	}
}

// result returns the means with the greatest of their standard errors.
func (c *controls) result() Result {
	n := float64(c.n)
	l, rank := c.factor()
	off := c.x
	for i := range off {
		off[i] /= n
	}
	off = l.under(off)
	var mean thirds
	worst, sum := 0.0, 0.0
	for q := range mean {
		mean[q] = c.y[q] / n
		left := c.yy[q] - n*mean[q]*mean[q]
		slope := c.xy[q]
		for i := range slope {
			slope[i] -= c.x[i] * c.y[q] / n
		}
		for i, v := range l.under(slope) {
			mean[q] -= v * off[i]
			left -= v * v
		}
		// A straight line can lead a probability past its range, by less than its error.
		mean[q] = min(max(mean[q], 0), 1)
		sum += mean[q]
		worst = max(worst, left/(n-1-float64(rank)))
	}
	return Result{mean[0] / sum, mean[1] / sum, mean[2] / sum, math.Sqrt(worst / n), c.n}
}

// A factor is a lower triangular matrix; a row of it is 0 for a quantity that does not
// vary once those before it are given.
type factor [4]control

// factor returns the Cholesky factor of the covariance of the quantities, times n,
// and its rank.
func (c *controls) factor() (l factor, rank int) {
	for i := range l {
		var row control
		for j := range i + 1 {
			row[j] = c.xx[i][j] - c.x[i]*c.x[j]/float64(c.n)
		}
		whole := row[i]
		row[i] = 0
		row = l.under(row)
		left := whole
		for _, v := range row {
			left -= v * v
		}
		// What rounding leaves of nothing is not a direction; nor is a quantity that
		// hardly varies beside its size.
		if left > 1e-9*whole && left > 1e-24*c.xx[i][i] {
			l[i] = row
			l[i][i] = math.Sqrt(left)
			rank++
		}
	}
	return l, rank
}

// under solves l·z = b by substitution, with 0 where a row of l is 0.
func (l *factor) under(b control) (z control) {
	for i, row := range l {
		if row[i] == 0 {
			continue
		}
		z[i] = b[i]
		for j := range i {
			z[i] -= row[j] * z[j]
		}
		z[i] /= row[i]
	}
	return z
}
