package model

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"verbatim/internal/input"
	"verbatim/internal/wire"
)

var wrongType = regexp.MustCompile(`^toml: cannot decode TOML (.+?) into (?:.* of type )?(.+)$`)

// decodeError makes a *FileError of an error of the decoder.
func (t *document) decodeError(err error) error {
	decode, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return &input.FileError{File: t.file, Reason: "it cannot be read as TOML"}
	}
	line, column := decode.Position()
	reason := strings.TrimPrefix(decode.Error(), "toml: ")
	if m := wrongType.FindStringSubmatch(decode.Error()); m != nil {
		reason = fmt.Sprintf("expected %s, got %s", typeName(m[2]), typeName("TOML "+m[1]))
	}
	return &input.FileError{File: t.file, Line: line, Column: column, Reason: wire.CleanLine(reason, 200), Advice: "docs/models.md has an example of the whole file"}
}

// typeName describes a type of TOML or Go.
func typeName(s string) string {
	switch s {
	case "TOML string", "string":
		return "a string"
	case "TOML integer", "TOML float", "int", "int64", "float64":
		return "a number"
	case "TOML boolean", "bool":
		return "true or false"
	case "TOML array", "[]string":
		return "a list of strings"
	}
	return "a table"
}

// checkKeys refuses unknown keys. The decoder refuses them too, but does not give the whole path of a
// key in an inline table.
func (t *document) checkKeys() error {
	for _, path := range t.keys {
		name, table := path[len(path)-1], path[:len(path)-1]
		known, open := knownKeys(reflect.TypeFor[fileEntries](), table)
		if open || slices.Contains(known, name) {
			continue
		}
		advice := "known here: " + strings.Join(known, ", ")
		if near := input.Nearest(strings.ToLower(name), known); near != "" {
			advice = "did you mean " + near + "?"
		}
		if slices.Contains([]string{"key", "api_key", "apikey", "token", "secret", "password"}, strings.ToLower(name)) {
			advice = keyAdvice
		}
		return t.errorAt(strings.Join(path, "."), advice, "there is no key %q", wire.CleanLine(name, 60))
	}
	return nil
}

// knownKeys returns the keys of the table at a path. Open reports that any key is allowed: the keys
// are names, or the value is no table, which the decoder refuses.
func knownKeys(t reflect.Type, path []string) (known []string, open bool) {
	for _, step := range append(slices.Clone(path), "") {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			if t.Kind() != reflect.Map || step == "" {
				return nil, true
			}
			t = t.Elem()
			continue
		}
		known = nil
		for f := range t.Fields() {
			name := f.Tag.Get("toml")
			known = append(known, name)
			if name == step {
				t = f.Type
			}
		}
	}
	return known, false
}
