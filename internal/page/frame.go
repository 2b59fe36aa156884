package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
)

//go:embed page.css
var pageStyle string

//go:embed chart.css
var chartStyle string

//go:embed page.js
var script string

// A frame is the head of every page.
type frame struct {
	Title  safeText
	Policy template.HTMLAttr
	Style  template.CSS
	Script template.JS
}

// newFrame makes the head of a page with this title.
func newFrame(title safeText) frame {
	style := pageStyle + chartStyle
	return frame{title, policy(style, script), template.CSS(style), template.JS(script)}
}

// policy returns the Content-Security-Policy of a page. It allows this style and this script,
// by their hashes, and pictures whose bytes are in the page. Without a script it allows none.
// It allows nothing else: no address, no style attribute and no event handler.
func policy(style, script string) template.HTMLAttr {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	scripts := ""
	if script != "" {
		scripts = "; script-src " + hash(script)
	}
	return template.HTMLAttr(`content="default-src 'none'; img-src data:; style-src ` + hash(style) + scripts + `; base-uri 'none'; form-action 'none'"`)
}
