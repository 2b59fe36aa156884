package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// scores are the published SortBench scores: for every model ten lists of each of 18 tasks
// at each of 8 lengths.
type scores struct {
	models  []string             // in alphabetical order
	tasks   []string             // in alphabetical order
	lengths []int                // in rising order
	byModel map[string][]float64 // model → score of list k of task t at length l, at index(t, l, k)
}

// lists is the number of lists of a task at a length.
const lists = 10

// readScores reads stats/cells.json below a folder:
//
//	{"cells": [["ASCII-Cased", 128], …], "v": {"GPT-4o": [[0.98, …ten scores], …a list for each cell], …}}
//
// Without the file the error is os.ErrNotExist.
func readScores(dir string) (*scores, error) {
	data, err := os.ReadFile(filepath.Join(dir, "stats", "cells.json"))
	if err != nil {
		return nil, err
	}
	var file struct {
		Cells [][2]any               `json:"cells"`
		V     map[string][][]float64 `json:"v"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("cells.json: %w", err)
	}
	s := &scores{byModel: map[string][]float64{}}
	for _, c := range file.Cells {
		task, isTask := c[0].(string)
		length, isLength := c[1].(float64)
		if !isTask || !isLength {
			return nil, fmt.Errorf("cells.json: a cell is %v, not a task and a length", c)
		}
		s.tasks, s.lengths = append(s.tasks, task), append(s.lengths, int(length))
	}
	slices.Sort(s.tasks)
	slices.Sort(s.lengths)
	s.tasks, s.lengths = slices.Compact(s.tasks), slices.Compact(s.lengths)
	if len(file.Cells) != len(s.tasks)*len(s.lengths) {
		return nil, fmt.Errorf("cells.json: %d cells of %d tasks and %d lengths", len(file.Cells), len(s.tasks), len(s.lengths))
	}
	for model, cells := range file.V {
		s.models = append(s.models, model)
		of := make([]float64, s.items())
		if len(cells) != len(file.Cells) {
			return nil, fmt.Errorf("cells.json: %s has %d cells of %d", model, len(cells), len(file.Cells))
		}
		for i, c := range file.Cells {
			if len(cells[i]) != lists {
				return nil, fmt.Errorf("cells.json: %s has %d lists of %v", model, len(cells[i]), c)
			}
			t, _ := slices.BinarySearch(s.tasks, c[0].(string))
			n, _ := slices.BinarySearch(s.lengths, int(c[1].(float64)))
			for k, score := range cells[i] {
				if !(score >= 0 && score <= 1) {
					return nil, fmt.Errorf("cells.json: %s has a score of %v in %v", model, score, c)
				}
				of[s.index(t, n, k)] = score
			}
		}
		s.byModel[model] = of
	}
	slices.Sort(s.models)
	return s, nil
}

// items returns the number of lists of a model.
func (s *scores) items() int { return len(s.tasks) * len(s.lengths) * lists }

// index returns the index of list k of task t at length n.
func (s *scores) index(t, n, k int) int { return (t*len(s.lengths)+n)*lists + k }

// differences returns the scores of b minus those of a, list by list.
func (s *scores) differences(a, b string) []float64 {
	d := slices.Clone(s.byModel[b])
	for i, v := range s.byModel[a] {
		d[i] -= v
	}
	return d
}

// atLength returns the differences at a length.
func (s *scores) atLength(d []float64, length int) (of []float64) {
	n, found := slices.BinarySearch(s.lengths, length)
	if !found {
		return nil
	}
	for t := range s.tasks {
		of = append(of, d[s.index(t, n, 0):s.index(t, n, lists)]...)
	}
	return of
}

// pairs returns all pairs of models, in order.
func (s *scores) pairs() (all [][2]string) {
	for i, a := range s.models {
		for _, b := range s.models[i+1:] {
			all = append(all, [2]string{a, b})
		}
	}
	return all
}
