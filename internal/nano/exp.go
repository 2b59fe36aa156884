package nano

import "math"

// exp returns e to the power of x, for x of at most 0, to the precision of float32. For NaN it
// returns 0.
//
// The last bit of math.Exp differs between architectures, since it is assembly on some. This function
// consists of additions, multiplications and a shift, each rounded by itself.
func exp(x float32) float32 {
	// Below -87 the power is subnormal, and some machines replace such numbers by 0.
	if !(x > -87) {
		return 0
	}
	// x is k·ln 2 + r, and r is at most half of ln 2. ln 2 is the sum of two constants; the first
	// has few bits, so that its product with k is exact.
	k := float32(int32(float32(x*math.Log2E) - 0.5))
	r := x - float32(k*0.693359375)
	r += float32(k * 2.12194440e-4)
	// The polynomial of Moshier's Cephes library, whose error is half a unit in the last place.
	p := float32(1.9875691500e-4)
	p = float32(p*r) + 1.3981999507e-3
	p = float32(p*r) + 8.3334519073e-3
	p = float32(p*r) + 4.1665795894e-2
	p = float32(p*r) + 1.6666665459e-1
	p = float32(p*r) + 5.0000001201e-1
	p = float32(float32(p*r)*r) + r + 1
	return float32(p * math.Float32frombits(uint32(int32(k)+127)<<23))
}
