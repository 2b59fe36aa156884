package grade

import "fmt"

// The last rules: no single mistake explains the reply.

func (p *pair) corrupted() (string, bool) {
	return p.ned(), 2*p.distance.distance <= max(len(p.e), len(p.g))
}

func (p *pair) unrelated() (string, bool) { return p.ned(), true }

// ned returns the distance of the texts as a share of the longer one. If only a lower bound of the distance is
// known, it is that of the bound: the reply is corrupted unless the bound excludes it.
func (p *pair) ned() string {
	relation := ""
	if p.distance.bound {
		relation = ">= "
	}
	share := float64(p.distance.distance) / float64(max(len(p.e), len(p.g)))
	return fmt.Sprintf("ned %s%.2f first error @%d", relation, share, p.head)
}
