package verdicttest

import (
	"encoding/json"
	"testing"

	"verbatim"
	"verbatim/internal/oracle"
	"verbatim/internal/verdict"
)

// Published makes a side for each model of the published scores.
func Published(t testing.TB) map[string]verdict.Side {
	t.Helper()
	var in struct {
		Cells [][2]any
		V     map[string][][]float64
	}
	if err := json.Unmarshal(oracle.Read(t, "stats/cells.json"), &in); err != nil {
		t.Fatal(err)
	}
	sides := map[string]verdict.Side{}
	for model, cells := range in.V {
		var records []verbatim.Record
		for i, cell := range cells {
			for j, v := range cell {
				records = append(records, MakeRecord(len(records), MakeItem(in.Cells[i][0].(string), int(in.Cells[i][1].(float64)), j), 0, v))
			}
		}
		sides[model] = MakeSide(model, records...)
	}
	return sides
}
