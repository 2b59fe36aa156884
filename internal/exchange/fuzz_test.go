package exchange_test

import (
	"os"
	"path/filepath"
	"testing"

	"verbatim/internal/exchange"
)

// Whatever a file holds, reading it ends, and what is accepted can be ranged
// over twice with the same result.
func FuzzSimpE(f *testing.F) {
	f.Add([]byte(someResults))
	f.Add([]byte(`{"add_two_ints": {"tries": 3, "results": [{"int1": -0, "int2": 1, "model": "m", "response": "\ud83e\udd80\ud83e"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "r.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		runs, err := exchange.ReadSimpE(nil, path)
		if err != nil {
			return
		}
		for _, r := range runs {
			if a, b := collect(t, r), collect(t, r); len(a) != len(b) || int64(len(a)) != r.Plan.Count {
				t.Fatalf("%d, then %d records of %d", len(a), len(b), r.Plan.Count)
			}
		}
	})
}

func FuzzSortBench(f *testing.F) {
	f.Add([]byte(someLists), []byte(someOutputs))
	f.Fuzz(func(t *testing.T, lists, outputs []byte) {
		dir := sources(t, map[string]string{
			"lists/sortbench_basic_v1.0_Int-0:1000_003.json":      string(lists) + " ",
			"outputs/sortbench_basic_v1.0_Int-0-1000_003.json.gz": string(outputs) + " ",
		})
		runs, err := exchange.ReadSortBench(dir, nil)
		if err != nil {
			return
		}
		for _, r := range runs {
			if n := int64(len(collect(t, r))); n > r.Plan.Count {
				t.Fatalf("%d records of %d", n, r.Plan.Count)
			}
		}
	})
}

func FuzzScores(f *testing.F) {
	f.Add([]byte("mode,model,task,length,list,sortbench_published\nbasic,m,English,2,list_1,1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "s.csv")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		runs, err := exchange.ReadSortBenchScores([]string{path}, "", nil)
		if err != nil {
			return
		}
		for _, r := range runs {
			if n := int64(len(collect(t, r))); n != r.Plan.Count || n == 0 {
				t.Fatalf("%d records of %d", n, r.Plan.Count)
			}
		}
	})
}
