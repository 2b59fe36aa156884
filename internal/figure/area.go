package figure

// An area is a rectangle of a sheet, from its top left corner.
type area struct{ x, y, w, h float64 }

func (a area) right() float64  { return a.x + a.w }
func (a area) bottom() float64 { return a.y + a.h }

func (a area) contains(p point) bool {
	return p.x >= a.x && p.x <= a.right() && p.y >= a.y && p.y <= a.bottom()
}

func (a area) overlaps(b area) bool {
	return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

// clipped returns the part of a segment that is in an area (Liang and Barsky 1984). ok is false
// if no part is.
func clipped(a, b point, in area) (from, to point, ok bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := b.x-a.x, b.y-a.y
	for _, edge := range [4][2]float64{{-dx, a.x - in.x}, {dx, in.right() - a.x}, {-dy, a.y - in.y}, {dy, in.bottom() - a.y}} {
		p, q := edge[0], edge[1]
		switch {
		case p == 0 && q < 0:
			return a, b, false
		case p < 0:
			t0 = max(t0, q/p)
		case p > 0:
			t1 = min(t1, q/p)
		}
	}
	if t0 > t1 {
		return a, b, false
	}
	return point{a.x + t0*dx, a.y + t0*dy}, point{a.x + t1*dx, a.y + t1*dy}, true
}

// clippedLine returns the parts of a polyline that are in an area.
func clippedLine(line []point, in area) [][]point {
	var parts [][]point
	var part []point
	for i := 1; i < len(line); i++ {
		a, b, ok := clipped(line[i-1], line[i], in)
		if !ok {
			continue
		}
		if len(part) == 0 || part[len(part)-1] != a {
			if len(part) > 1 {
				parts = append(parts, part)
			}
			part = []point{a}
		}
		part = append(part, b)
	}
	if len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}

// clippedPolygon returns the part of a polygon that is in an area (Sutherland and Hodgman 1974).
func clippedPolygon(polygon []point, in area) []point {
	depths := []func(point) float64{ // from each edge of the area; negative outside
		func(p point) float64 { return p.x - in.x },
		func(p point) float64 { return in.right() - p.x },
		func(p point) float64 { return p.y - in.y },
		func(p point) float64 { return in.bottom() - p.y },
	}
	for _, depth := range depths {
		var out []point
		for i, p := range polygon {
			q := polygon[(i+1)%len(polygon)]
			dp, dq := depth(p), depth(q)
			if dp >= 0 {
				out = append(out, p)
			}
			if dp*dq < 0 {
				t := dp / (dp - dq)
				out = append(out, point{p.x + t*(q.x-p.x), p.y + t*(q.y-p.y)})
			}
		}
		polygon = out
	}
	return polygon
}
