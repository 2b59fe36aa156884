package sortbench

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// The numbers that the SortBench paper prints (Herbold 2025, arXiv:2504.08312):
// Table 1 and Tables 2 to 9. They are facts, copied digit by digit from its text.
//
//go:embed published/table-1.csv
var publishedTable1 string

//go:embed published/tables-2-9.csv
var publishedTables string

// publishedNotebook lists the cells in which the paper differs from the notebook of the published
// repository, which computes its tables.
//
//go:embed published/notebook.csv
var publishedNotebook string

// A cell is the place of a number in the tables.
type cell struct {
	table       int
	row, column string // paper.Row.Key and paper.Value.Column
}

// A publishedCell is a number as it is printed; text is empty if the paper has a dash.
type publishedCell struct {
	cell
	text string
}

// published returns the numbers of the paper, in its order.
func published() []publishedCell {
	var list []publishedCell
	for _, r := range records(publishedTable1) {
		for _, column := range []string{"model_score", "sorting", "faithfulness", "validity"} {
			list = append(list, publishedCell{cell{1, r["mode"] + "/" + r["model"], column}, r[column]})
		}
	}
	for i, r := range records(publishedTables) {
		first := i%paperModels == 0
		for _, column := range []string{"m", "sd", "ci_low", "ci_high", "d", "p_smaller_best", "p_smaller_above"} {
			if first && r[column] == "" {
				continue // the first row has no row above to compare with
			}
			list = append(list, publishedCell{cell{atoi(r["table"]), r["model"], column}, r[column]})
		}
	}
	return list
}

// notebook returns the numbers of the published notebook in the cells in which the paper differs.
func notebook() map[cell]string {
	cells := make(map[cell]string)
	for _, r := range records(publishedNotebook) {
		cells[cell{atoi(r["table"]), r["model"], r["column"]}] = r["notebook"]
	}
	return cells
}

// records returns the rows of an embedded file, by the names in its head. It panics on an error:
// the tests read all the files.
func records(data string) []map[string]string {
	rows, err := csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("sortbench: an embedded file: %v", err))
	}
	var list []map[string]string
	for _, row := range rows[1:] {
		r := make(map[string]string, len(row))
		for i, name := range rows[0] {
			r[name] = row[i]
		}
		list = append(list, r)
	}
	return list
}

// atoi reads the number of a table in an embedded file. Like records, it panics on an error.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Sprintf("sortbench: an embedded file: %v", err))
	}
	return n
}

// parse reads a number as it is printed.
func parse(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// paperLists is the number of lists in the paper.
const paperLists = 1440
