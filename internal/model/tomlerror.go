package model

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"verbatim/internal/wire"
)

var wrongType = regexp.MustCompile(`^toml: cannot decode TOML (.+?) into .* of type (.+)$`)

// unreadable makes an error of the decoder's: a key that is not known, with the
// nearest that is, or what cannot be read.
func (t *tomlText) unreadable(err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		first := strict.Errors[0]
		line, column := first.Position()
		return &FileError{File: t.file, Line: line, Column: column, Reason: fmt.Sprintf("there is no key %q", wire.Clean(last(first.Key()), 60)), Advice: unknownKey(first.Key())}
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, column := decode.Position()
		reason := strings.TrimPrefix(decode.Error(), "toml: ")
		if m := wrongType.FindStringSubmatch(decode.Error()); m != nil {
			reason = fmt.Sprintf("%s stands where %s belongs", typeWords("TOML "+m[1]), typeWords(m[2]))
		}
		return &FileError{File: t.file, Line: line, Column: column, Reason: wire.Clean(reason, 200), Advice: "docs/models.md has an example of the whole file"}
	}
	return &FileError{File: t.file, Reason: "it cannot be read as TOML"}
}

func last(key []string) string {
	if len(key) == 0 {
		return ""
	}
	return key[len(key)-1]
}

// typeWords puts a type into words.
func typeWords(s string) string {
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

// unknownKey is the hint for a key that there is none of.
func unknownKey(path []string) string {
	name := last(path)
	if slices.Contains([]string{"key", "api_key", "apikey", "token", "secret", "password"}, strings.ToLower(name)) {
		return keyAdvice
	}
	known := knownKeys(reflect.TypeFor[configShape](), path[:max(0, len(path)-1)])
	if near := nearest(strings.ToLower(name), known); near != "" {
		return "did you mean " + near + "?"
	}
	return "known here: " + list(known)
}

// knownKeys returns the keys of the table at path.
func knownKeys(t reflect.Type, path []string) []string {
	for _, step := range path {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Map:
			t = t.Elem()
		case reflect.Struct:
			for f := range t.Fields() {
				if f.Tag.Get("toml") == step {
					t = f.Type
					break
				}
			}
		}
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var names []string
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			names = append(names, f.Tag.Get("toml"))
		}
	}
	return names
}
