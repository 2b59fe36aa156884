// Package chart prepares the content of charts: series with their intervals, labels, order
// and colours. It draws nothing: package page draws charts as HTML with inline SVG, and
// package figure draws them for print.
//
// Start reading at Panel.
package chart
