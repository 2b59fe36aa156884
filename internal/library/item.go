package library

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/store"
)

// ErrNoItem is the error of FindItem if no item has the text in its id.
var ErrNoItem = errors.New("no item has the text in its id")

// A FoundItem has the ids of an item and of its neighbours; "" if there is no neighbour.
type FoundItem struct{ ID, Before, After string }

// FindItem finds the item of a trial whose id is the text or, if no other item has it, contains the
// text. The neighbours are the nearest records of the trial for which selects is true.
func (run SavedRun) FindItem(ctx context.Context, text string, trial int, selects func(*verbatim.Record) bool) (FoundItem, error) {
	var found []FoundItem
	exact, before := false, ""
	for r, err := range run.Store.Records(ctx, run.N, store.Read{}) {
		if err != nil {
			return FoundItem{}, err
		}
		if r.Trial != trial {
			continue
		}
		neighbour := selects(&r)
		if n := len(found) - 1; neighbour && n >= 0 && found[n].After == "" {
			found[n].After = r.Item.ID
			if exact {
				break
			}
		}
		switch {
		case exact:
		case r.Item.ID == text:
			found, exact = []FoundItem{{ID: text, Before: before}}, true
		case strings.Contains(r.Item.ID, text) && len(found) < 10:
			found = append(found, FoundItem{ID: r.Item.ID, Before: before})
		}
		if neighbour {
			before = r.Item.ID
		}
	}
	switch len(found) {
	case 0:
		return FoundItem{}, ErrNoItem
	case 1:
		return found[0], nil
	}
	e := &errkind.Error{Kind: errkind.Usage, Err: fmt.Errorf("%q is a part of several ids", text), Hint: "write more of the id"}
	for _, f := range found {
		e.Details = append(e.Details, f.ID)
	}
	return FoundItem{}, e
}
