package page

import (
	"embed"
	"html/template"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

//go:embed *.gohtml
var templateFiles embed.FS

// templates parses the templates of the page. A template with the name of a type shows a
// value of that type.
func templates() (*template.Template, error) {
	return template.New("page").Funcs(funcs()).ParseFS(templateFiles, "*.gohtml")
}

// funcs are the functions of templates. They print and name; none computes.
func funcs() template.FuncMap {
	return template.FuncMap{
		// visible is for texts of models, servers and files.
		"visible":  terminal.Visible,
		"explain":  recordview.Explain,
		"percent":  number.Percent,
		"interval": func(r report.Rate, decimals int) string { return number.PercentRange(r.Low, r.High, decimals) },
		"score":    func(m report.Mean) string { return number.Score(m.Value) },
		"seconds":  number.Seconds,
		"count":    number.Count,
		"short":    number.Short,
		"cost":     layout.CostText,
		"signed":   number.Signed,
		"chance":   number.Probability,
		"pvalue":   number.PValue,
	}
}
