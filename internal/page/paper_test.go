package page

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"verbatim/internal/figure"
	"verbatim/internal/paper"
)

// papered is a document with an attack in every text.
func papered(attack string) *paper.Document {
	return &paper.Document{
		Title: "Study" + attack, Lead: []string{attack}, Command: "verbatim " + attack,
		Tables: []paper.Table{
			{Number: 1, Name: "table-1", Caption: attack, Columns: []paper.Column{{Head: "Model" + attack}, {Head: "M", Right: true}}, Rows: []paper.Row{{Cells: []string{attack, "0.5"}}, {Cells: []string{"b", "–"}, Rule: true}}, Notes: []string{attack}},
			{Name: "table-all", Caption: "long", Columns: []paper.Column{{Head: "n"}}, Rows: make([]paper.Row, 61)},
		},
		Figures:     []paper.Figure{{Number: 3, Name: "figure-03", Caption: "curve" + attack, Text: "words" + attack, Figure: figure.Figure{Panels: []figure.Panel{{Title: attack, Lines: []figure.Line{{Name: attack, Points: []figure.Point{{X: 1, Y: 1}, {X: 2, Y: 0}}}}}}}}},
		Differences: &paper.Differences{Source: "A paper" + attack, Compared: 2, Notes: []string{attack}, List: []paper.Differing{{Place: attack, Published: "1", Ours: attack, Why: attack}}},
	}
}

const papersAttack = `</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)>" onmouseover='alert(1)' javascript:alert(1) ` + "\u202e\x1b[31m\x00\xff\u200b"

// pages are the two pages of a document.
func pages(t *testing.T, d *paper.Document) map[string]string {
	t.Helper()
	var index, differences strings.Builder
	if err := errors.Join(Paper(&index, d, "differences.html"), Differences(&differences, d, "index.html")); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"index": index.String(), "differences": differences.String()}
}

// TestPaperIsHarmless holds that nothing of a text becomes a tag or an attribute, and
// that the policy allows the page's own style and pictures of data, and nothing else.
func TestPaperIsHarmless(t *testing.T) {
	known := map[string]bool{}
	for tag := range strings.FieldsSeq("!doctype html head meta title style body header h1 h2 p a nav main section div table thead tbody tr th td bdi figure img figcaption details summary footer code") {
		known[tag] = true
	}
	for name, page := range pages(t, papered(papersAttack)) {
		for _, r := range page {
			if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && r != '\n' {
				t.Errorf("%s holds %U", name, r)
				break
			}
		}
		style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(page)
		if style == nil {
			t.Fatalf("%s has no style", name)
		}
		sum := sha256.Sum256([]byte(style[1]))
		want := `default-src 'none'; img-src data:; style-src 'sha256-` + base64.StdEncoding.EncodeToString(sum[:]) + `'; base-uri 'none'; form-action 'none'`
		if !strings.Contains(page, `content="`+want+`"`) {
			t.Errorf("the policy of %s is not %s", name, want)
		}
		bare := strings.Replace(page, style[1], "", 1)
		tags := regexp.MustCompile(`</?([!a-z0-9]*)([^<>]*)>`).FindAllStringSubmatch(bare, -1)
		for _, m := range tags {
			if !known[m[1]] || regexp.MustCompile(`\s(on\w+|style)\s*=`).MatchString(m[0]) && m[1] != "img" {
				t.Errorf("%s holds %.200s", name, m[0])
			}
		}
		for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(bare, -1) {
			if !strings.HasPrefix(m[1], "data:image/svg&#43;xml;base64,") && !strings.HasPrefix(m[1], "#") && m[1] != "differences.html" && m[1] != "index.html" {
				t.Errorf("%s points to %.100s", name, m[1])
			}
		}
		if rest := regexp.MustCompile(`</?[!a-z0-9]+[^<>]*>`).ReplaceAllString(bare, ""); strings.Contains(rest, "<") || len(tags) < 20 {
			t.Errorf("%s has %d tags, and text with a <", name, len(tags))
		}
	}
}

// TestPaperHolds looks for what each page is for.
func TestPaperHolds(t *testing.T) {
	p := pages(t, papered(""))
	for page, wants := range map[string][]string{
		"index":       {"<h1>Study</h1>", "<h2>Table 1</h2>", `href="#table-1"`, `<summary>61 rows</summary>`, `<figure id="figure-03">`, `alt="curve"`, "<p>words</p>", `href="differences.html"`, "2 published numbers compared", `<td class="n"><bdi>0.5</bdi></td>`, `<tr class="rule">`},
		"differences": {"published numbers and ours", `href="index.html"`, "2 published numbers compared"},
	} {
		for _, want := range wants {
			if !strings.Contains(p[page], want) {
				t.Errorf("%s has no %s", page, want)
			}
		}
	}
	if strings.Contains(p["differences"], "<figure") || strings.Contains(p["differences"], "Table 1</h2>") {
		t.Error("the page of differences holds more than these")
	}
	d := papered("")
	d.Differences = nil
	if page := pages(t, d)["differences"]; !strings.Contains(page, "nothing to compare") {
		t.Error("the page of no differences does not say why")
	}
}
