package figure

// A Color is one of the palette, as #rrggbb: for white paper and a light screen, and for
// a dark one.
type Color struct{ Light, Dark string }

// Looks is the number of colours, of dashes and of marks.
const Looks = 8

// Palette returns the colours of series: those of Okabe and Ito (2008), which differ for
// people with any colour blindness, darkened for thin lines and letters on white.
func Palette() [Looks]Color {
	return [Looks]Color{
		{"#0072b2", "#4da6e0"}, // blue
		{"#c94f00", "#f0824a"}, // vermilion
		{"#00855f", "#2fbd8f"}, // bluish green
		{"#a86f00", "#e69f00"}, // orange
		{"#a8497f", "#d98fb8"}, // reddish purple
		{"#2a86bb", "#8fd0f5"}, // sky blue
		{"#16191d", "#e9ecef"}, // black
		{"#7d7500", "#f0e442"}, // yellow
	}
}

// A Look is the colour, dash and mark of a series, each a number below Looks. Of the first 64 series,
// any two differ in colour or dash; without colours, they differ in dash or mark.
type Look struct{ Color, Dash, Mark int }

// LookOf returns the look of a series by its index.
func LookOf(series int) Look {
	return Look{Color: series % Looks, Dash: (series + series/Looks) % Looks, Mark: series % Looks}
}
