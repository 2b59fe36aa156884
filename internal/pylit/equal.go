package pylit

// Equal reports Python's a == b: numbers by their exact value whatever their type,
// so 1 == 1.0 == True; sets and dicts whatever their order.
func Equal(a, b Value) bool {
	if isReal(a) && isReal(b) {
		c, ok := compareReal(a, b)
		return ok && c == 0
	}
	if a.kind != b.kind {
		return (a.kind == Complex || b.kind == Complex) && key(a) == key(b)
	}
	switch a.kind {
	case Str, Bytes:
		return a.text == b.text
	case Complex:
		return a.complex() == b.complex()
	case Tuple, List:
		return equalItems(a.Items(), b.Items(), Equal)
	case Set:
		return equalSets(a.Items(), b.Items())
	case Dict:
		return equalDicts(a.Items(), b.Items())
	}
	return true // None, Ellipsis
}

// Same reports whether a and b are equal and of the same types throughout: 1 and
// 1.0 are equal but not the same. 0.0 and -0.0 are the same, for they are equal.
func Same(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Tuple, List:
		return equalItems(a.Items(), b.Items(), Same)
	case Str:
		return a.text == b.text
	}
	return Equal(a, b)
}

func equalItems(a, b []Value, equal func(a, b Value) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalSets(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	in := make(map[hashKey]bool, len(a))
	for _, v := range a {
		in[key(v)] = true
	}
	for _, v := range b {
		if !in[key(v)] {
			return false
		}
	}
	return true
}

func equalDicts(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	at := make(map[hashKey]Value, len(a)/2)
	for i := 0; i < len(a); i += 2 {
		at[key(a[i])] = a[i+1]
	}
	for i := 0; i < len(b); i += 2 {
		if v, ok := at[key(b[i])]; !ok || !Equal(v, b[i+1]) {
			return false
		}
	}
	return true
}
