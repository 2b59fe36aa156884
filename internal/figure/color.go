package figure

// A color is a color of sRGB with an opacity. The zero color is not drawn.
type color struct {
	r, g, b uint8
	a       float64
}

// fade returns the color with another opacity.
func (c color) fade(a float64) color { return color{c.r, c.g, c.b, a} }

// mix returns the color at a share of the way to another color.
func (c color) mix(to color, share float64) color {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*share + 0.5) }
	return color{part(c.r, to.r), part(c.g, to.g), part(c.b, to.b), c.a}
}

// luminance returns an approximate luminance: it takes squares for the transfer function of sRGB.
// That is enough to choose between dark and light letters.
func (c color) luminance() float64 {
	part := func(v uint8) float64 { f := float64(v) / 255; return f * f }
	return 0.2126*part(c.r) + 0.7152*part(c.g) + 0.0722*part(c.b)
}

// ink returns the color for letters on white: darker if it is too light to be read.
func (c color) ink() color {
	for c.luminance() > 0.2 {
		c = c.mix(black, 0.15)
	}
	return c
}

var (
	black     = color{0x1a, 0x1a, 0x1a, 1}
	grey      = color{0x59, 0x59, 0x59, 1}
	frame     = color{0x59, 0x59, 0x59, 1}
	gridColor = color{0xdd, 0xdd, 0xdd, 1}
	zoneColor = color{0x80, 0x80, 0x80, 0.16}
	white     = color{0xff, 0xff, 0xff, 1}
)

// shade returns the color of a value from 0 to 1.
func shade(v float64) color {
	v = min(max(v, 0), 1) * float64(len(shades)-1)
	i := min(int(v), len(shades)-2)
	return shades[i].mix(shades[i+1], v-float64(i))
}

// shades run from light to dark in even steps of lightness, so that a heat map can be read in grey
// too.
var shades = []color{
	{0xf3, 0xf7, 0xfb, 1}, {0xcf, 0xe1, 0xf0, 1}, {0x93, 0xc0, 0xdf, 1}, {0x4a, 0x90, 0xc4, 1}, {0x1f, 0x5f, 0xa3, 1}, {0x0a, 0x2f, 0x66, 1},
}
