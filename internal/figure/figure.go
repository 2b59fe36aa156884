// Package figure draws charts for print: panels of lines with bands, boxes, bars, rows and
// heat maps, as SVG, PDF or PNG, without a browser. Package chart has the content of a
// panel; a Figure adds the arrangement of panels on a sheet.
//
// Start reading at Figure.
package figure

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
