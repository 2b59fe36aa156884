package signedrank

import "math"

// A controlVector holds quantities that are drawn together with the probabilities, minus
// their known expectations: the parts smaller and larger of the pairs with the largest
// class, then of the pairs of the others.
type controlVector [4]float64

// controlVariates estimates mean probabilities with control variates (Glasserman 2003,
// Monte Carlo Methods in Financial Engineering, 4.1). The deviation of the control
// quantities from their expectations corrects the means by linear regression. The
// coefficients are estimated from the same draws; their bias, of the order 1/n, is far
// below the standard error.
type controlVariates struct {
	n  int
	x  controlVector    // sums
	y  triple           // sums
	xx [4]controlVector // sums of products, up to the diagonal
	xy [3]controlVector // sums of products
	yy triple           // sums of squares
}

// add takes in one draw.
func (c *controlVariates) add(x controlVector, y triple) {
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

// result returns the means with the largest of their standard errors.
func (c *controlVariates) result() Result {
	n := float64(c.n)
	l, rank := c.factor()
	off := c.x
	for i := range off {
		off[i] /= n
	}
	off = l.solve(off)
	var mean triple
	worst, sum := 0.0, 0.0
	for q := range mean {
		mean[q] = c.y[q] / n
		left := c.yy[q] - n*mean[q]*mean[q]
		slope := c.xy[q]
		for i := range slope {
			slope[i] -= c.x[i] * c.y[q] / n
		}
		for i, v := range l.solve(slope) {
			mean[q] -= v * off[i]
			left -= v * v
		}
		// The correction can move a probability outside [0, 1], by less than its error.
		mean[q] = min(max(mean[q], 0), 1)
		sum += mean[q]
		worst = max(worst, left/(n-1-float64(rank)))
	}
	return Result{mean[0] / sum, mean[1] / sum, mean[2] / sum, math.Sqrt(worst / n), c.n}
}

// A factor is a lower triangular matrix. A row is 0 if its quantity does not vary given
// those before it.
type factor [4]controlVector

// factor returns the Cholesky factor of the covariance of the quantities, times n, and its
// rank.
func (c *controlVariates) factor() (l factor, rank int) {
	for i := range l {
		var row controlVector
		for j := range i + 1 {
			row[j] = c.xx[i][j] - c.x[i]*c.x[j]/float64(c.n)
		}
		whole := row[i]
		row[i] = 0
		row = l.solve(row)
		left := whole
		for _, v := range row {
			left -= v * v
		}
		// Skip rounding noise, and quantities that hardly vary relative to their size.
		if left > 1e-9*whole && left > 1e-24*c.xx[i][i] {
			l[i] = row
			l[i][i] = math.Sqrt(left)
			rank++
		}
	}
	return l, rank
}

// solve solves l·z = b by substitution, with 0 for a row of zeros.
func (l *factor) solve(b controlVector) (z controlVector) {
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
