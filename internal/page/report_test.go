package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report"
)

// TestReportOfNothing wants an error and no page.
func TestReportOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := Report(&b, new(report.Report)); err == nil || !strings.Contains(err.Error(), "no run") {
		t.Errorf("a report without runs: %v", err)
	}
	if b.Len() > 0 {
		t.Errorf("%d bytes were written of a report without runs", b.Len())
	}
}

// TestGoldenPage compares the page of a small report, without its style sheet and
// script, with the golden file.
func TestGoldenPage(t *testing.T) { golden(t, "page.html", bareOf(rendered(t, small()))) }

// bareOf is a page without its style sheet, its script and their hashes, which change
// more often than what it says.
func bareOf(page string) string {
	page = regexp.MustCompile(`(?s)<style>.*</style>`).ReplaceAllString(page, "<style></style>")
	page = regexp.MustCompile(`(?s)<script>.*</script>`).ReplaceAllString(page, "<script></script>")
	return regexp.MustCompile(`sha256-[A-Za-z0-9+/=]+`).ReplaceAllString(page, "sha256-")
}

// TestPolicy wants a policy that allows nothing but the page's own style and script,
// by hashes that are right.
func TestPolicy(t *testing.T) {
	page := rendered(t, small())
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("the page has no policy")
	}
	if strings.Index(page, "Content-Security-Policy") > strings.Index(page, "<style>") {
		t.Error("the policy is after the style that it must allow")
	}
	for _, tag := range []string{"style", "script"} {
		inside := regexp.MustCompile(`(?s)<` + tag + `>(.*)</` + tag + `>`).FindStringSubmatch(page)
		if inside == nil {
			t.Fatalf("the page has no %s", tag)
		}
		sum := sha256.Sum256([]byte(inside[1]))
		if want := tag + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"; !strings.Contains(policy[1], want) {
			t.Errorf("the policy %q lacks %q", policy[1], want)
		}
	}
	for _, want := range []string{"default-src 'none'", "img-src data:;", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy[1], want) {
			t.Errorf("the policy %q lacks %q", policy[1], want)
		}
	}
}

// TestNothingElseIsNeeded wants no address in the page but those of its own parts,
// each of which is there.
func TestNothingElseIsNeeded(t *testing.T) {
	page := rendered(t, small())
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("two things have the id %q", m[1])
		}
		ids[m[1]] = true
	}
	links := regexp.MustCompile(`\s(href|src|action|data|poster|srcset|xlink:href)="([^"]*)"`).FindAllStringSubmatch(page, -1)
	for _, m := range links {
		if m[1] != "href" || !strings.HasPrefix(m[2], "#") || !ids[m[2][1:]] {
			t.Errorf("the page needs %s", m[0])
		}
	}
	for _, m := range regexp.MustCompile(`\s(?:aria-labelledby|aria-describedby|for)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		for id := range strings.FieldsSeq(m[1]) {
			if !ids[id] {
				t.Errorf("%s names nothing", m[0])
			}
		}
	}
	if len(links) < 10 || len(ids) < 10 {
		t.Errorf("only %d links and %d ids were found", len(links), len(ids))
	}
	if sheet := pageStyle + chartStyle; strings.Contains(sheet, "url(") || strings.Contains(sheet, "@import") {
		t.Error("the style sheet names another file")
	}
}

// TestFiguresOfTheReport looks up figures of the report in the page's text.
func TestFiguresOfTheReport(t *testing.T) {
	r := small()
	page := text(rendered(t, r))
	found := 0
	for i := range r.Runs {
		b := &r.Runs[i]
		for j := range b.Families {
			for k := range b.Families[j].Lines {
				e := b.Families[j].Lines[k].Exact
				if want := number.Percent(e.Share) + " " + number.PercentRange(e.Low, e.High, 1); !strings.Contains(page, want) {
					t.Errorf("%s %s: the page lacks %q", b.Families[j].Name, b.Families[j].Lines[k].Length, want)
				}
				found++
			}
		}
	}
	for _, c := range r.Comparisons {
		for _, want := range []string{layout.Sentence(c), number.Signed(c.Difference.Value, 3) + " (" + number.SignedRange(c.Difference.Low, c.Difference.High, 3) + ")"} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %q", want)
			}
			found++
		}
	}
	if found < 10 {
		t.Errorf("only %d figures were looked up", found)
	}
	for _, want := range []string{r.Command, r.Tool, r.Runs[0].Head.Plan, "alpha-served", "overload", "transposed", "quoted"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// text is what a page says, without its tags.
func text(page string) string {
	page = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`).ReplaceAllString(page, "")
	page = html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))
	return strings.Join(strings.Fields(page), " ")
}

// TestSize wants pages that grow with runs, families and lengths, and not with the
// records.
func TestSize(t *testing.T) {
	few := len(rendered(t, published(2).report(t)))
	if few > 2<<20 {
		t.Errorf("the page of 7 runs with 18 tasks at 8 lengths has %d bytes", few)
	}
	many := len(rendered(t, published(6).report(t)))
	if many > few+few/4 || many > 2<<20 {
		t.Errorf("of three times the records the page has %d bytes instead of %d", many, few)
	}
}

// published is as many runs, tasks and lengths as the SortBench paper has.
func published(each int) world {
	w := world{apart: true, reply: "wnat", label: "transposed", each: each}
	for i := range 7 {
		w.models = append(w.models, "model-"+strconv.Itoa(i))
	}
	for i := range 18 {
		w.families = append(w.families, "family-"+strconv.Itoa(i))
	}
	for n := 2; n <= 256; n *= 2 {
		w.lengths = append(w.lengths, strconv.Itoa(n))
	}
	return w
}

// TestManyRunsAndLengths wants a page of forty runs and of sixty lengths.
func TestManyRunsAndLengths(t *testing.T) {
	w := world{families: []string{"copy"}, each: 1, apart: true, reply: "x", label: "unrelated"}
	for i := range 40 {
		w.models = append(w.models, "model-"+strconv.Itoa(i))
	}
	for n := range 60 {
		w.lengths = append(w.lengths, strconv.Itoa(n+1))
	}
	page := rendered(t, w.report(t))
	for _, m := range w.models {
		if !strings.Contains(page, ">"+m+"<") {
			t.Errorf("the page lacks %s", m)
		}
	}
}

// BenchmarkReport writes the page of 7 runs of 1,440 items, without comparisons.
func BenchmarkReport(b *testing.B) {
	r := published(10).report(b)
	for b.Loop() {
		var w bytes.Buffer
		if err := Report(&w, r); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(w.Len()))
	}
}
