package app

import (
	"fmt"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/terminal"
)

// shorten leaves out the lengths that do not fit into the model's context, as far as that
// is known before anything is sent.
func (s *search) shorten() error {
	if s.target.Context == nil {
		return nil
	}
	first, err := s.firsts()
	if err != nil {
		return err
	}
	for i, n := range s.lengths {
		for _, it := range first[n] {
			fits, err := s.target.fits(it.prompt, it.item)
			switch {
			case err != nil:
				return err
			case fits:
				continue
			case i < 2:
				return errkind.Usagef("ask for shorter lengths, or of another model", "%s: %s takes in %s tokens, which is too few for items of %s %s",
					s.family.Name, terminal.Visible(s.target.Name), digits(*s.target.Context), digits(int64(n)), s.family.Unit)
			}
			s.lengths, s.beyond = s.lengths[:i], n
			return nil
		}
	}
	return nil
}

// sampled is the number of items of a length that are measured in place of all: they have
// nearly the same size.
const sampled = 16

// A question is an item and the prompt that asks it.
type question struct {
	item   *verbatim.Item
	prompt verbatim.Prompt
}

// firsts returns the first items of each length that may be asked.
func (s *search) firsts() (map[int][]question, error) {
	deck, err := s.plan.Deck()
	if err != nil {
		return nil, err
	}
	first := map[int][]question{}
	for left := sampled * len(s.lengths); left > 0; {
		p, ok := deck.Next()
		if !ok {
			break
		}
		n := s.plan.Cells[p.Cell].Length.Min
		if !slices.Contains(s.lengths, n) || len(first[n]) == sampled {
			continue
		}
		it, err := deck.Item(p)
		if err != nil {
			return nil, err
		}
		first[n] = append(first[n], question{it, deck.Prompt(it)})
		left--
	}
	return first, nil
}

// shortened says which lengths are left out, for the end of a sentence.
func (s *search) shortened() string {
	if s.beyond == 0 {
		return ""
	}
	return fmt.Sprintf(", up to %s %s: from %s on they do not fit into its %s tokens",
		digits(int64(s.lengths[len(s.lengths)-1])), s.family.Unit, digits(int64(s.beyond)), digits(*s.target.Context))
}

// digits writes a number with commas.
func digits(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
