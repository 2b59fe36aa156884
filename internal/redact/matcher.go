package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxSecret is how many bytes of a secret are searched for, from its beginning.
	maxSecret = 16 << 10
	// cutRun is how many characters of a secret that a text begins or ends with count as a secret that
	// was cut there. No text has so many by chance.
	cutRun = 12
	// maskedRun is the same around a mask: "sk-ab****wxyz". Providers show the last four, which are too
	// few to be of use.
	maskedRun = 8
)

// A form is a secret as it may be written, and the name that replaces it.
type form struct {
	name, text  string
	masked, cut int // how many of its bytes count as a find around a mask, and at an end of a text
}

// A matcher replaces secrets in texts.
type matcher struct {
	replacer *strings.Replacer
	long     []form          // of secrets that are removed from answers
	filter   [1 << 10]uint64 // has a bit for the hash of the first and the last 4 bytes of every form
}

// newMatcher returns the matcher of secrets; nil without secrets.
func newMatcher(secrets []secret) *matcher {
	if len(secrets) == 0 {
		return nil
	}
	m := &matcher{}
	var all []form
	for _, s := range secrets {
		s.value = s.value[:min(len(s.value), maxSecret)]
		from := len(all)
		for _, text := range formsOf(s.value) {
			all = append(all, form{s.name, text, maskedRun * len(text) / len(s.value), cutRun * len(text) / len(s.value)})
			for _, quad := range []string{text[:4], text[len(text)-4:]} {
				h := hash(quad)
				m.filter[h>>6] |= 1 << (h & 63)
			}
		}
		if len(s.value) >= longSecret {
			m.long = append(m.long, all[from:]...)
		}
	}
	// One secret may begin with another.
	slices.SortStableFunc(all, func(a, b form) int { return cmp.Compare(len(b.text), len(a.text)) })
	pairs := make([]string, 0, 2*len(all))
	for _, f := range all {
		pairs = append(pairs, f.text, mark(f.name))
	}
	m.replacer = strings.NewReplacer(pairs...)
	return m
}

// formsOf returns a secret in the ways in which servers and programs write it. Base64 depends on the text
// before the secret in three ways; the letters at its ends depend on the text around it and are left out.
func formsOf(value string) []string {
	quoted, _ := json.Marshal(value)
	ascii := strconv.QuoteToASCII(value)
	digits := hex.EncodeToString([]byte(value))
	forms := []string{value, strings.ToLower(value), strings.ToUpper(value), string(quoted[1 : len(quoted)-1]), ascii[1 : len(ascii)-1],
		url.QueryEscape(value), url.PathEscape(value), html.EscapeString(value), digits, strings.ToUpper(digits)}
	for _, escape := range []string{"%%%02X", "%%%02x", `\u%04X`, `\u%04x`, `\x%02X`, `\x%02x`, "&#%d;", "&#x%X;", "&#x%x;"} {
		var b strings.Builder
		for i := range len(value) {
			fmt.Fprintf(&b, escape, value[i])
		}
		forms = append(forms, b.String())
	}
	for shift := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte("\x00\x00"[:shift] + value))
		text = text[(shift*8+5)/6 : (shift+len(value))*8/6]
		forms = append(forms, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// replace returns a text in which marks replace the secrets: whole ones, ones with a mask in the middle or
// at an end, and ones that are cut where the text begins or ends.
func (m *matcher) replace(s string) string {
	if m == nil || !m.mayHold(s) {
		return s
	}
	for i := range m.long { // before whole ones, because one secret may begin with another
		s = m.long[i].replaceCut(s)
	}
	for _, mask := range masks {
		s = m.unmask(s, mask.shortest, mask.unit)
	}
	return m.replacer.Replace(s)
}

// mayHold reports whether a text has the first or the last 4 bytes of a form. Most texts have neither, and
// every find has one of them.
func (m *matcher) mayHold(s string) bool {
	for i := 4; i <= len(s); i++ {
		if h := hash(s[i-4 : i]); m.filter[h>>6]&(1<<(h&63)) != 0 {
			return true
		}
	}
	return false
}

// hash returns 16 bits that depend on 4 bytes.
func hash(s string) uint32 {
	return (uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24) * 0x9E3779B1 >> 16
}

// masks are the characters with which servers replace the middle of a key, and this program the end of a
// long text, with the fewest that are a mask.
var masks = [...]struct{ shortest, unit string }{{"…", "…"}, {"***", "*"}, {"...", "."}, {"•••", "•"}, {"●●●", "●"}, {"###", "#"}, {"xxx", "x"}, {"XXX", "X"}}

// unmask replaces the secrets whose middle, beginning or end is a mask.
func (m *matcher) unmask(s, shortest, unit string) string {
	var out strings.Builder
	written := 0
	for at := 0; ; {
		i := strings.Index(s[at:], shortest)
		if i < 0 {
			break
		}
		i += at
		for at = i + len(shortest); strings.HasPrefix(s[at:], unit); {
			at += len(unit)
		}
		if name, left, right := m.around(s[written:i], s[at:]); name != "" {
			out.WriteString(s[written:i-left] + mark(name))
			at += right
			written = at
		}
	}
	if written == 0 {
		return s
	}
	out.WriteString(s[written:])
	return out.String()
}

// around returns the name of the secret whose beginning and end are around a mask, and how many bytes of
// them are there. The name is "" if there is no such secret.
func (m *matcher) around(before, after string) (name string, left, right int) {
	for _, f := range m.long {
		b, a := before[max(0, len(before)-len(f.text)+1):], after[:min(len(after), len(f.text)-1)]
		half := f.masked / 2 // one side has as many
		if !strings.Contains(b, f.text[:half]) && !strings.Contains(a, f.text[len(f.text)-half:]) {
			continue
		}
		for !strings.HasPrefix(f.text, b) {
			b = b[1:]
		}
		for !strings.HasSuffix(f.text, a) {
			a = a[:len(a)-1]
		}
		if n := len(b) + len(a); n >= f.masked && n > left+right {
			name, left, right = f.name, len(b), len(a)
		}
	}
	return name, left, right
}

// replaceCut replaces the secret if it is cut where a text begins or ends: the text of an interrupted
// stream, or the end of a long error output. The cut part may count up, as answers do.
func (f *form) replaceCut(s string) string {
	end := s[max(0, len(s)-len(f.text)+1):]
	if i := strings.Index(end, f.text[:f.cut]); i >= 0 && strings.HasPrefix(f.text, end[i:]) && !isPredictable(end[i:]) {
		s = s[:len(s)-len(end)+i] + mark(f.name)
	}
	start := s[:min(len(s), len(f.text)-1)]
	if i := strings.Index(start, f.text[len(f.text)-f.cut:]) + f.cut; i >= f.cut && strings.HasSuffix(f.text, start[:i]) && !isPredictable(start[:i]) {
		s = mark(f.name) + s[i:]
	}
	return s
}

// isPredictable reports whether a run counts up or down or repeats a character, such as 0123456789ab or
// xxxxxxxxxxxx. Answers have such runs, and they are no secrets.
func isPredictable(run string) bool {
	jumps := 0
	for i := 1; i < len(run); i++ {
		if step := int(run[i]) - int(run[i-1]); step < -1 || step > 1 {
			jumps++
		}
	}
	return jumps < 2
}
