package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed page.css chart.css
var sheets embed.FS

//go:embed page.js
var script string

// A frame is the head of every page.
type frame struct {
	Title  safeText
	Policy template.HTMLAttr
	Style  template.CSS
	Script template.JS
}

// newFrame makes a frame. The policy allows this style and this script, by their hashes, and
// pictures whose bytes are in the page. It allows nothing else: no address and no attribute
// that holds either.
func newFrame(title safeText) (frame, error) {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	style, err := style()
	if err != nil {
		return frame{}, err
	}
	policy := "default-src 'none'; img-src data:; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'"
	return frame{title, template.HTMLAttr(`content="` + policy + `"`), template.CSS(style), template.JS(script)}, nil
}

// style returns the whole style sheet of a page.
func style() (string, error) {
	var all strings.Builder
	for _, name := range []string{"page.css", "chart.css"} {
		one, err := sheets.ReadFile(name)
		if err != nil {
			return "", err
		}
		all.Write(one)
	}
	return all.String(), nil
}
