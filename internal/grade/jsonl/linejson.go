package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"strconv"

	"verbatim"
	"verbatim/internal/rawjson"
)

// maxDepth is how deep the values of a line may be nested.
const maxDepth = 1000

// eachMember calls f for each member of a JSON object until f returns an error.
func eachMember(object []byte, f func(name string, value []byte) error) (err error) {
	isObject := rawjson.Members(object, func(name, value []byte) {
		if err == nil {
			err = f(string(name), value)
		}
	})
	if !isObject {
		return fmt.Errorf("want an object, found %s", rawjson.Kind(bytes.TrimSpace(object)))
	}
	return err
}

func isNull(value []byte) bool { return string(value) == "null" }

// text reads a string.
func text(value []byte) (string, error) {
	s, ok := rawjson.Text(value)
	if !ok {
		return "", fmt.Errorf("want text, found %s", rawjson.Kind(value))
	}
	return s, nil
}

// answer reads a string or a list.
func answer(value []byte) (verbatim.Answer, error) {
	if value[0] == '[' {
		list, err := readList(value)
		return verbatim.ListAnswer(list), err
	}
	s, err := text(value)
	return verbatim.TextAnswer(s), err
}

// readList reads what the list of an Answer may hold: see verbatim.Answer.
func readList(array []byte) (list []any, err error) {
	// Only the start is counted: a list of lists would make room for the commas of all its lists.
	const counted = 1 << 10
	if n := bytes.Count(array[:min(len(array), counted)], []byte(",")); n > 0 {
		list = make([]any, 0, n+1)
	}
	rawjson.Elements(array, func(value []byte) {
		if err == nil {
			var v any
			v, err = element(value)
			list = append(list, v)
		}
	})
	return list, err
}

// element reads an item of a list.
func element(value []byte) (any, error) {
	switch value[0] {
	case '{':
		return nil, errors.New("a list cannot hold an object")
	case '[':
		inner, err := readList(value)
		return verbatim.ListAnswer(inner).List, err
	case '"':
		return text(value)
	case 't', 'f':
		return value[0] == 't', nil
	case 'n':
		return nil, nil
	}
	word := string(value)
	if bytes.ContainsAny(value, ".eE") {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%.40s is not a float64", word)
		}
		return f, nil
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return n, nil
	}
	n, _ := new(big.Int).SetString(word, 10)
	return n, nil
}
