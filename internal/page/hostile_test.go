package page

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// attack is what an attacker may put into any text.
const attack = `</title></style></script></textarea>--><script>alert(1)</script><img src=x onerror=alert(1)>" onmouseover='alert(1)' style="color:red" {{.Policy}} javascript:alert(1) &lt; ` +
	"\u202egnp.exe\u2066 \x1b]0;owned\x07\x1b[31m \x00 \xff \u200b \u2028 ]]> \r\n"

// TestHostileReport puts an attack into every text of a report but for the words of
// closed sets, and looks at each tag of the page.
func TestHostileReport(t *testing.T) {
	w := world{models: []string{"alpha" + attack, "beta" + attack}, families: []string{"reverse" + attack, "copy"}, lengths: []string{"8", "x" + attack}, each: 2, reply: attack, label: "odd" + attack}
	r := w.report(t)
	if n := poison(reflect.ValueOf(r), attack); n < 150 {
		t.Fatalf("only %d texts were changed", n)
	}
	r.Groups = &report.Grouping{By: []string{attack, attack}, Groups: []report.Group{{Key: []string{attack, attack}, Mixed: []report.Mixed{{Fact: attack, Values: []report.Count{{Name: attack, N: 1}}}}}}}
	harmless(t, rendered(t, r))
}

// TestNamesOfAnyKind gives runs and families names of any characters.
func TestNamesOfAnyKind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", attack, strings.Repeat("long", 3000), "\xff\xfe", "<", "&"}))
		r := &report.Report{Runs: []report.Block{{Head: report.Head{Name: text.Draw(t, "name"), Model: text.Draw(t, "model"), Suite: text.Draw(t, "suite")}}}}
		r.Runs[0].Families = []report.Family{{Name: text.Draw(t, "family"), Lines: []report.Line{{Length: text.Draw(t, "length")}}}}
		var b strings.Builder
		if err := Report(&b, r); err != nil {
			t.Fatal(err)
		}
		harmless(t, b.String())
		if b.Len() > 200_000 {
			t.Errorf("the page of one run has %d bytes", b.Len())
		}
	})
}

// poison sets every text below v but for closed sets, and returns how many there are.
func poison(v reflect.Value, text string) int {
	n := 0
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n = poison(v.Elem(), text)
		}
	case reflect.Struct:
		if _, made := v.Interface().(recordview.Difference); made { // its texts are Visible
			return 0
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Explanation" {
				n += poison(v.Field(i), text)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return 0
		}
		for i := range v.Len() {
			n += poison(v.Index(i), text)
		}
	case reflect.String:
		switch v.Interface().(type) {
		case verdict.Word, verbatim.Outcome, report.Metric:
			return 0
		}
		if v.CanSet() {
			v.SetString(text)
			n = 1
		}
	}
	return n
}

type failing interface {
	Helper()
	Errorf(string, ...any)
}

// harmless looks at the characters and the tags of a page.
func harmless(t failing, page string) {
	t.Helper()
	if !utf8.ValidString(page) {
		t.Errorf("the page is not UTF-8")
	}
	for i, r := range page {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u2028' || r == '\u2029' {
			t.Errorf("the page holds %U after %.400q", r, page[max(0, i-400):i])
			break
		}
	}
	elements := map[string]bool{}
	for e := range strings.FieldsSeq("!DOCTYPE html head meta title style script body a header p fieldset legend label input span div nav ol ul li main section h1 h2 h3 bdi b i aside details summary table caption colgroup col " +
		"thead tbody tr th td dl dt dd code pre svg path rect circle text tspan g desc figure figcaption strong del ins mark img") {
		elements[e] = true
	}
	attributes := map[string]bool{}
	for a := range strings.FieldsSeq("lang charset http-equiv content name class href aria-label aria-labelledby aria-hidden role tabindex id type checked for hidden placeholder autocomplete spellcheck scope colspan open " +
		"viewBox width height focusable d r x y cx cy dx dy rx points text-anchor stroke-dasharray title dir html src alt") {
		attributes[a] = true
	}
	tag := regexp.MustCompile(`<(/?)([!a-zA-Z0-9]*)([^<>]*)>`)
	attribute := regexp.MustCompile(`\s+([^\s=/"]+)(="[^"]*")?`)
	drawn := regexp.MustCompile(`^="data:image/png;base64,[A-Za-z0-9&#;/=]+"$`)
	counts := map[string]int{}
	bare := regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)`).ReplaceAllString(page, "$1$2$3$4")
	for _, m := range tag.FindAllStringSubmatch(bare, -1) {
		if !elements[m[2]] {
			t.Errorf("the page holds %.200s", m[0])
			continue
		}
		if m[1] == "" {
			counts[m[2]]++
		}
		rest := m[3]
		for _, a := range attribute.FindAllStringSubmatch(rest, -1) {
			if !attributes[a[1]] || a[1] == "href" && !strings.HasPrefix(a[2], `="#`) || a[1] == "src" && !drawn.MatchString(a[2]) {
				t.Errorf("the page holds an attribute %s in %.200s", a[0], m[0])
			}
		}
		if left := strings.TrimSpace(attribute.ReplaceAllString(rest, "")); left != "" && left != "/" {
			t.Errorf("the tag %.200s holds %.100s in addition to its attributes", m[0], left)
		}
	}
	if rest := tag.ReplaceAllString(bare, ""); strings.ContainsAny(rest, "<") {
		t.Errorf("a < is outside of tags: %.100s", rest[strings.Index(rest, "<"):])
	}
	if counts["script"] > 1 || counts["style"] != 1 || counts["main"] != 1 || counts["h1"] != 1 {
		t.Errorf("the page has %d scripts, %d styles, %d mains, %d first headings", counts["script"], counts["style"], counts["main"], counts["h1"])
	}
}
