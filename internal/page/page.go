// Package page lays a report out as one HTML file that needs nothing beside it: no
// network, no other file. Everything that a model, a server or a file wrote is
// escaped, and a Content-Security-Policy forbids all that the page does not bring.
//
// Start reading at Report.
package page
