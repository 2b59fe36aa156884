package grade

import (
	"slices"

	"verbatim/internal/pylit"
)

// A Spot is the first place where a reply leaves the wanted text.
type Spot struct {
	// Index counts code points of the wanted text, from 0. It is the length of
	// the wanted text where the reply only goes on too long.
	Index int
	// Want and Got are what stands around it, up to eight code points to each
	// side; Offset is where in both of them the first error stands.
	Want, Got string
	Offset    int
}

// FirstError returns the first place where the stripped reply leaves the wanted
// text; ok is false where it does not. Positions agree with the measure
// first_error of a reply without leaked reasoning.
func FirstError(want, reply string) (spot Spot, ok bool) {
	const around = 8
	reply = pylit.Strip(reply)
	if reply == want {
		return Spot{}, false
	}
	e, g := decode(want), decode(reply)
	i := commonHead(e, g)
	from := max(0, i-around)
	return Spot{
		Index:  i,
		Want:   encode(e[from:min(i+around+1, len(e))]),
		Got:    encode(g[from:min(i+around+1, len(g))]),
		Offset: i - from,
	}, !slices.Equal(e, g)
}
