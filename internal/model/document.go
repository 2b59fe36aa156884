package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"verbatim/internal/input"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// A place is a place in a file, both counted from 1.
type place struct{ line, column int }

// A document has the keys and strings of a file, with the places of the keys.
type document struct {
	file   string
	places map[string]place // by path: "models.box.base_url"
	keys   [][]string       // the paths, in the order of their first places
	names  []string         // of the models, in order
	values []stringValue
}

// A stringValue is a string of the file with the path of its key.
type stringValue struct{ path, value string }

// parse reads the keys and strings up to the first syntax error, which the decoder reports.
func (t *document) parse(data []byte) {
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = t.addKey(&p, nil, e.Key())
		case unstable.KeyValue:
			t.addValue(&p, t.addKey(&p, table, e.Key()), e.Value())
		}
	}
}

// addKey adds a key below the path, and returns its own path.
func (t *document) addKey(p *unstable.Parser, path []string, key unstable.Iterator) []string {
	path = slices.Clone(path)
	for key.Next() {
		path = append(path, string(key.Node().Data))
		if len(path) == 2 && path[0] == "models" && !slices.Contains(t.names, path[1]) {
			t.names = append(t.names, path[1])
		}
		joined := strings.Join(path, ".")
		if _, known := t.places[joined]; !known {
			start := p.Shape(key.Node().Raw).Start
			t.places[joined] = place{start.Line, start.Column}
			t.keys = append(t.keys, slices.Clone(path))
		}
	}
	return path
}

// addValue adds the strings and keys of a value.
func (t *document) addValue(p *unstable.Parser, path []string, v *unstable.Node) {
	switch v.Kind {
	case unstable.String:
		t.values = append(t.values, stringValue{strings.Join(path, "."), string(v.Data)})
	case unstable.InlineTable, unstable.Array:
		for c := v.Children(); c.Next(); {
			if n := c.Node(); n.Kind == unstable.KeyValue {
				t.addValue(p, t.addKey(p, path, n.Key()), n.Value())
			} else {
				t.addValue(p, path, n)
			}
		}
	}
}

// errorAt returns an error at the place of a path, or of the nearest path above that has one.
func (t *document) errorAt(path, advice, format string, args ...any) error {
	e := &input.FileError{File: t.file, Reason: fmt.Sprintf(format, args...), Advice: advice}
	for p := path; p != ""; {
		if at, ok := t.places[p]; ok {
			e.Line, e.Column = at.line, at.column
			break
		}
		p = p[:max(0, strings.LastIndex(p, "."))]
	}
	return e
}

// keyAdvice is the advice for a key in a file or an address.
const keyAdvice = `keys stay in the environment: name the variable with key_env = "NAME", or a header's with "env:NAME"`

// checkSecrets refuses all strings that look like keys.
func (t *document) checkSecrets() error {
	for _, w := range t.values {
		if redact.LooksLikeKey(w.value) {
			return t.errorAt(w.path, keyAdvice, "%s holds what looks like a key, and a file is no place for one", wire.CleanLine(w.path, 80))
		}
	}
	return nil
}
