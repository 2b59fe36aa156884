package exchange

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/oracle"
	"verbatim/internal/pylit"
)

// checkout writes a folder with two published lists, a model's answer to one, and the files
// of answers from a chat.
func checkout(t *testing.T, chat map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	right := "[3, 40]"
	if _, _, err := WriteSortBench(Folder{Path: dir}, nil, run("m", asked(1, 0, &right, int64(40), int64(3)), asked(2, 0, &right, int64(5), int64(1)))); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "benchmark_results_o3-mini-Web")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range chat {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const chatStem = "sortbench_basic_v1.0_Int-0:1000_002_"

// TestChat wants a run of the answers that were copied from a chat, to the published
// list that they name.
func TestChat(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string // the one record, or a part of the error
	}{
		"whole":        {map[string]string{chatStem + "expected.txt": "[5, 1]\n", chatStem + "result.txt": "[1, 5]\n", chatStem + "thinking.txt": "Wait."}, "sortbench:v1.0/basic/Int-0:1000/2/list_2 0 [1, 5] Wait."},
		"no reasoning": {map[string]string{chatStem + "expected.txt": "[40,3]", chatStem + "result.txt": "[3, 40]"}, "sortbench:v1.0/basic/Int-0:1000/2/list_1 0 [3, 40] "},
		"no result":    {map[string]string{chatStem + "expected.txt": "[5, 1]", chatStem + "thinking.txt": "Wait."}, "sortbench:v1.0/basic/Int-0:1000/2/list_2 0 no answer"},
		"another list": {map[string]string{chatStem + "expected.txt": "[5, 2]"}, "error: the list is not one of the 2 in"},
		"no list":      {map[string]string{chatStem + "expected.txt": "sorted(x)"}, "error: want a list"},
		"other length": {map[string]string{"sortbench_basic_v1.0_Int-0:1000_004_expected.txt": "[5, 1]"}, "error: there are no published lists"},
	} {
		runs, err := ReadSortBench(checkout(t, c.files), nil)
		part, fails := strings.CutPrefix(c.want, "error: ")
		if fails {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error is %v, want %q in it", name, err, part)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(runs) != 2 || runs[1].Model != "o3-mini-Web" || runs[1].Plan.Count != 1 {
			t.Errorf("%s: the runs are %+v", name, runs)
			continue
		}
		if got := texts(t, runs[1].Records); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: the records are %q, want %q", name, got, c.want)
		}
	}
}

// TestChatOfEveryTask reads 54 files, as the published folder has them: the second list of 256
// items of each of the 18 tasks, its output and the reasoning. There are no other results.
func TestChatOfEveryTask(t *testing.T) {
	lists := oracle.Path(t, "sortbench-v1.0", "lists")
	files, err := listFiles(lists)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "benchmark_data"), os.DirFS(lists)); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "benchmark_results_o3-mini-Web")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	written := 0
	for _, f := range files {
		if f.length != 256 {
			continue
		}
		all, err := f.read()
		if err != nil {
			t.Fatal(err)
		}
		asked := pylit.Format(all[1].list)
		stem, _, _ := strings.Cut(filepath.Base(f.path), ".json")
		for name, text := range map[string]string{"expected": asked, "result": asked, "thinking": "Wait, " + stem} {
			if err := os.WriteFile(filepath.Join(folder, stem+"_"+name+".txt"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			written++
		}
	}
	if written != 54 {
		t.Fatalf("%d files were written, want 54", written)
	}
	runs, err := ReadSortBench(dir, nil)
	if err != nil || len(runs) != 1 || runs[0].Model != "o3-mini-Web" || runs[0].Plan.Count != 18 {
		t.Fatalf("the runs are %+v, %v; want one with 18 answers", runs, err)
	}
	for rec, err := range runs[0].Records {
		if err != nil || rec.Reply == nil || rec.Reply.Reasoning == "" || rec.Reply.Text != pylit.Format(rec.Item.Source.List) || !strings.HasSuffix(rec.Item.ID, "/256/list_2") {
			t.Errorf("the record of %s: %v", rec.Item.ID, err)
		}
	}
}
