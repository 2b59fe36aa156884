package figure

import "math"

// circle returns a polygon with enough corners to look round at the scale.
func circle(at point, r, scale float64) []point {
	n := min(max(8, int(4*math.Sqrt(r*scale))), 64)
	ring := make([]point, n)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		ring[i] = point{at.x + r*cos, at.y + r*sin}
	}
	return ring
}

// dashed returns the parts of a stroke that are drawn.
func dashed(m stroke) [][]point {
	line := m.points
	if m.closed && len(line) > 0 {
		line = append(append([]point{}, line...), line[0])
	}
	period := 0.0
	for _, d := range m.dash {
		period += d
	}
	if period <= 0 || len(line) < 2 {
		return [][]point{line}
	}
	var parts [][]point
	part, left, k := []point{line[0]}, m.dash[0], 0
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		for dist := math.Hypot(to.x-from.x, to.y-from.y); dist > left; dist = math.Hypot(to.x-from.x, to.y-from.y) {
			from = point{from.x + (to.x-from.x)*left/dist, from.y + (to.y-from.y)*left/dist}
			if k%2 == 0 {
				parts = append(parts, append(part, from))
			}
			k++
			part, left = []point{from}, m.dash[k%len(m.dash)]
		}
		left -= math.Hypot(to.x-from.x, to.y-from.y)
		part = append(part, to)
	}
	if k%2 == 0 {
		parts = append(parts, part)
	}
	return parts
}

// widened returns contours that together cover a polyline of a width, with flat ends and round
// corners. They have the same orientation.
func widened(line []point, width, scale float64) [][]point {
	var out [][]point
	half := width / 2
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		dist := math.Hypot(b.x-a.x, b.y-a.y)
		if dist == 0 {
			continue
		}
		nx, ny := -(b.y-a.y)/dist*half, (b.x-a.x)/dist*half
		out = append(out, []point{{a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}, {a.x + nx, a.y + ny}})
		if i > 1 || line[0] == line[len(line)-1] {
			out = append(out, circle(a, half, scale))
		}
	}
	return out
}
