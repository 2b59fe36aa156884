// Package figure draws charts for print: panels of lines with bands, boxes, bars, rows and
// heat maps, as SVG, PDF or PNG, without a browser. A panel has its content
// (chart.go); a Figure adds the arrangement of panels on a sheet.
//
// Start reading at Figure.
package figure

import (
	"io"
)

// A Figure is one drawing: panels in rows, under one legend. A figure without data says so.
type Figure struct {
	Panels  []Panel
	Columns int // panels in a row; 0: by the number of panels
	// Width and Height are in millimetres; 0: as the panels need.
	Width, Height float64
	// Legend puts the names of series above the panels; a name has the same colour, dash
	// and mark in all panels. A figure of one panel without a legend has the names at the
	// ends of its lines.
	Legend bool
	// Names lists the series of all figures that are printed together. With the same Names, a
	// series looks the same in all of them. nil: the series of this figure, in the order of the
	// panels.
	Names []string
	// Title and Text are the alternative text, which is not drawn. Without a Title it names the
	// panels and series.
	Title, Text string
}

// A Format is a way to write a Figure to a file.
type Format struct {
	Name      string
	Extension string // without a dot
	Write     func(f *Figure, w io.Writer) error
}

// Formats lists the formats: SVG for pages, PDF for LaTeX, and PNG for programs that take neither.
func Formats() []Format {
	return []Format{
		{"Scalable Vector Graphics", "svg", (*Figure).SVG},
		{"Portable Document Format", "pdf", (*Figure).PDF},
		{"Portable Network Graphics", "png", (*Figure).png},
	}
}
