package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"verbatim/internal/input"
	"verbatim/internal/redact"
	"verbatim/internal/wire/clean"
)

// A place is where something stands in a file.
type place struct{ line, column int }

// A document knows where the keys of a file stand.
type document struct {
	file      string
	positions map[string]place // by path: "models.box.base_url"
	keys      [][]string       // in the order in which they come first
	names     []string         // of the models, in order
	strings   []stringValue
}

// A stringValue is a string of the file with the path of its key.
type stringValue struct{ path, value string }

// parse notes the places. What cannot be parsed is left to the decoder to report.
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

// addKey keeps the places of a key's parts and returns its path.
func (t *document) addKey(p *unstable.Parser, path []string, key unstable.Iterator) []string {
	path = slices.Clone(path)
	for key.Next() {
		path = append(path, string(key.Node().Data))
		if len(path) == 2 && path[0] == "models" && !slices.Contains(t.names, path[1]) {
			t.names = append(t.names, path[1])
		}
		joined := strings.Join(path, ".")
		if _, known := t.positions[joined]; !known {
			start := p.Shape(key.Node().Raw).Start
			t.positions[joined] = place{start.Line, start.Column}
			t.keys = append(t.keys, slices.Clone(path))
		}
	}
	return path
}

func (t *document) addValue(p *unstable.Parser, path []string, v *unstable.Node) {
	switch v.Kind {
	case unstable.String:
		t.strings = append(t.strings, stringValue{strings.Join(path, "."), string(v.Data)})
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

// base returns the name of the file without its folder.
func (t *document) base() string { return filepath.Base(t.file) }

// errorAt makes an error of what stands at a path, or at the nearest above it.
func (t *document) errorAt(path, advice, format string, args ...any) error {
	e := &input.FileError{File: t.file, Reason: fmt.Sprintf(format, args...), Advice: advice}
	for p := path; p != ""; {
		if at, ok := t.positions[p]; ok {
			e.Line, e.Column = at.line, at.column
			break
		}
		p = p[:max(0, strings.LastIndex(p, "."))]
	}
	return e
}

// KeyAdvice says where keys belong.
const KeyAdvice = `keys stay in the environment: name the variable with key_env = "NAME", or a header's with "env:NAME"`

// checkSecrets refuses strings that look like keys, wherever they stand.
func (t *document) checkSecrets() error {
	for _, w := range t.strings {
		if redact.LooksLikeKey(w.value) {
			return t.errorAt(w.path, KeyAdvice, "%s holds what looks like a key, and a file is no place for one", clean.Line(w.path, 80))
		}
	}
	return nil
}
