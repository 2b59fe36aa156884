package rows

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"slices"

	"verbatim/internal/earlier"
	"verbatim/internal/store/sqlite"
)

// renameWords is the part of the step to version 5 that renames words in labels, details and
// flags of grades, and in the JSON of parameters and tests.
func renameWords(ctx context.Context, c *sqlite.Conn) error {
	if err := renameRuns(ctx, c); err != nil {
		return err
	}
	k := NewInserter(c)
	for after := (gradeKey{position: -1}); ; {
		list, err := oldGrades(ctx, c, after)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if err := list[i].rename(ctx, k); err != nil {
				return err
			}
		}
		after = list[len(list)-1].gradeKey
	}
}

func renameRuns(ctx context.Context, c *sqlite.Conn) error {
	type run struct {
		id           int64
		params, test []byte
	}
	var list []run
	err := c.QueryEach(ctx, func(r *sqlite.Rows) {
		list = append(list, run{r.Int(), slices.Clone(r.Bytes()), slices.Clone(r.Bytes())})
	}, `SELECT id, CAST(params AS BLOB), CAST(test AS BLOB) FROM run`)
	for _, r := range list {
		if err != nil {
			return err
		}
		if r.params, err = earlier.Params(r.params); err != nil {
			return sqlite.UnreadableError(c.Path, "the parameters of a run", err)
		}
		var test any
		if r.test != nil {
			if r.test, err = earlier.Test(r.test); err != nil {
				return sqlite.UnreadableError(c.Path, "the test of a run", err)
			}
			test = string(r.test)
		}
		_, _, err = c.Exec(`UPDATE run SET params = ?, test = ? WHERE id = ?`, string(r.params), test, r.id)
	}
	return err
}

type gradeKey struct{ position, grader int64 }

// An oldGrade is a row of the table grade with a text that version 5 renames.
type oldGrade struct {
	gradeKey
	label, detail, flags string
}

// oldGrades returns at most 10,000 grades after a key that may have a renamed word.
func oldGrades(ctx context.Context, c *sqlite.Conn, after gradeKey) (list []oldGrade, err error) {
	err = c.QueryEach(ctx, func(r *sqlite.Rows) {
		list = append(list, oldGrade{gradeKey{r.Int(), r.Int()}, r.Text(), string(r.Bytes()), r.Text()})
	}, `SELECT place, grader, label.text, detail, flags.text FROM grade JOIN word AS label ON label.id = label LEFT JOIN word AS flags ON flags.id = flags
		WHERE (place, grader) > (?, ?) AND (label.text IN ('truncated', 'wrapped', 'reasoning_leak') OR instr(flags.text, '"limit"'))
		ORDER BY place, grader LIMIT 10000`, after.position, after.grader)
	return list, err
}

// rename writes a grade in the words of version 5, in its row and in the brief of its
// reply.
func (g *oldGrade) rename(ctx context.Context, k *Inserter) error {
	var flags []string
	if g.flags != "" {
		if err := json.Unmarshal([]byte(g.flags), &flags); err != nil {
			return sqlite.UnreadableError(k.c.Path, "the flags of a grade", err)
		}
	}
	newLabel, detail, flags := earlier.Grade(g.label, g.detail, flags)
	label, word := k.Words.Id(newLabel), k.Words.maybe(encodeFlags(flags))
	if k.Words.Err != nil {
		return k.Words.Err
	}
	if _, _, err := k.c.Exec(`UPDATE grade SET label = ?, detail = ?, flags = ? WHERE place = ? AND grader = ?`, label, blobOf(detail), word, g.position, g.grader); err != nil {
		return err
	}
	var packed []byte
	if _, err := k.c.QueryOne(ctx, func(r *sqlite.Rows) { packed = slices.Clone(r.Bytes()) }, `SELECT brief FROM reply WHERE place = ?`, g.position); err != nil {
		return err
	}
	var b Brief
	if packed == nil || !b.Unpack(packed) || b.grader != g.grader {
		return nil
	}
	_, _, err := k.c.Exec(`UPDATE reply SET brief = ? WHERE place = ?`, relabel(packed, label, word), g.position)
	return err
}

// relabel returns a brief with another label, and with other flags if it has flags.
func relabel(packed []byte, label int64, flags any) []byte {
	in := uvarints{b: packed}
	at := func() int { return len(packed) - len(in.b) }
	for range 6 {
		in.next()
	}
	if tail := in.next(); tail&1 == 1 {
		in.take(tail >> 1)
	}
	in.next()
	grader := at()
	in.next()
	old := at()
	marks := in.take(1)[0]
	if marks&markBits != 0 {
		in.take(8)
	}
	score := at()
	b := append(binary.AppendUvarint(slices.Clone(packed[:grader]), uint64(label)), packed[old:score]...)
	if word, ok := flags.(int64); ok && marks&MarkFlags != 0 {
		in.next()
		b = binary.AppendUvarint(b, uint64(word))
	}
	return append(b, in.b...)
}
