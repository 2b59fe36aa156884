package grade

import (
	"fmt"
	"strconv"
)

// The last rungs of the ladder: no slip explains the reply.

func (p *pair) corrupted() (string, bool) {
	longer := max(len(p.e), len(p.g))
	return p.ned(longer), 2*p.distance.distance <= longer
}

func (p *pair) unrelated() (string, bool) {
	return p.ned(max(len(p.e), len(p.g))), true
}

// ned says how far apart the texts are, as a share of the longer one. Where only
// a bound of the distance is known, corrupted is what cannot be excluded.
func (p *pair) ned(longer int) string {
	relation := ""
	if p.distance.bound {
		relation = ">= "
	}
	return fmt.Sprintf("ned %s%.2f first error @", relation, float64(p.distance.distance)/float64(longer)) + strconv.Itoa(p.head)
}
