package figure

import "io"

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
