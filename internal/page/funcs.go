package page

import (
	"embed"
	"html/template"

	"verbatim/internal/report"
)

//go:embed *.gohtml
var templateFiles embed.FS

// templates parses the templates of the page. One of the same name as a type lays a
// value of that type out.
func templates() (*template.Template, error) {
	return template.New("page").Funcs(funcs()).ParseFS(templateFiles, "*.gohtml")
}

// funcs are what templates may call. They print and name; none computes.
func funcs() template.FuncMap {
	return template.FuncMap{
		// visible is for everything that a model, a server or a file wrote.
		"visible":  report.Visible,
		"explain":  report.Explain,
		"percent":  report.PercentText,
		"interval": report.IntervalText,
		"score":    report.ScoreText,
		"seconds":  report.SecondsText,
		"count":    report.CountText,
		"short":    report.ShortCountText,
		"cost":     report.CostText,
		"signed":   report.DifferenceText,
		"chance":   report.ChanceText,
		"pvalue":   report.PValueText,
	}
}
