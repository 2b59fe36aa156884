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

// ErrNoItem is the error of a text that no id of an item holds.
var ErrNoItem = errors.New("no item has the text in its id")

// A FoundItem is an item of a run, with the records before and after it that the caller wants.
type FoundItem struct{ ID, Before, After string }

// FindItem finds the one item of a trial whose id is, or holds, the text. The neighbours are
// those that selects returns true for.
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
	ids := make([]string, len(found))
	for i, f := range found {
		ids[i] = f.ID
	}
	return FoundItem{}, &errkind.Error{Kind: errkind.Usage, Err: fmt.Errorf("%q is a part of several ids", text), Details: ids, Hint: "use a longer prefix"}
}
