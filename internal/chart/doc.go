// Package chart holds what charts show, and not how it is drawn: series with their
// intervals, labels, order and colours. Package page draws it as HTML with inline SVG,
// and package figure on a sheet for print.
//
// Start reading at Panel.
package chart
