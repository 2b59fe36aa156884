package figure

// kind is the content of a panel.
type kind int

const (
	empty kind = iota
	lines
	boxes
	bars
	heat
	rows
)
