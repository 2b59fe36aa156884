package report

import "strings"

// byName holds a value for each name. Names come from servers and files, which may give every
// record another one. So a limited number of names have a value of their own: the first ones of
// the alphabet, which do not depend on the order of the records. The others share rest. The
// zero value is ready.
type byName[V any, P merger[V]] struct {
	values map[string]P
	last   string // the last name of values, once there are as many as the limit
	rest   P      // nil: no names share it
}

// A merger adds another value to its own.
type merger[V any] interface {
	*V
	merge(*V)
}

// of returns the value of a name, of which at most limit have one of their own.
func (b *byName[V, P]) of(name string, limit int) P {
	if value := b.values[name]; value != nil {
		return value
	}
	if len(b.values) == limit {
		if name > b.last {
			return b.shared()
		}
		b.shared().merge(b.values[b.last])
		delete(b.values, b.last)
	}
	if b.values == nil {
		b.values = make(map[string]P)
	}
	value := P(new(V))
	b.values[strings.Clone(name)] = value // the memory of the record is not retained
	if len(b.values) == limit {
		b.last = ""
		for other := range b.values {
			b.last = max(b.last, other)
		}
	}
	return value
}

// shared returns rest.
func (b *byName[V, P]) shared() P {
	if b.rest == nil {
		b.rest = new(V)
	}
	return b.rest
}

// merge adds the values of o.
func (b *byName[V, P]) merge(o *byName[V, P], limit int) {
	for name, value := range o.values {
		b.of(name, limit).merge(value)
	}
	if o.rest != nil {
		b.shared().merge(o.rest)
	}
}
