// Package figure draws charts for print: panels of lines with bands, boxes, bars, rows and
// heat maps, as SVG, PDF or PNG, without a browser. Package chart has the content of a
// panel; a Figure adds the arrangement of panels on a sheet.
//
// Start reading at Figure.
package figure

import "verbatim/internal/chart"

// A Figure is one drawing: panels in rows, under one legend. A figure without data says so.
type Figure struct {
	Panels  []chart.Panel
	Columns int // panels in a row; 0: chosen
	// Width and Height are in millimetres; 0: as the panels need.
	Width, Height float64
	// Legend puts the names of series above the panels; a name has the same colour, dash
	// and mark in all panels. A figure of one panel without a legend has the names at the
	// ends of its lines.
	Legend bool
	// Names are those of all series of the figures that are printed together, in one
	// order, so that a name looks the same in all of them; nil: in the order of the
	// panels.
	Names []string
	// Title and Text are the alternative text. They are not drawn; without a Title the
	// alternative text names the panels and series.
	Title, Text string
}
