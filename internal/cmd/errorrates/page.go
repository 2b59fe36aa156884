package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// A section is one heading of the page.
type section struct {
	title  string
	text   string // what is stated
	tables []table
	stated []statedRate
}

// atMost adds a stated rate with a maximum.
func (s *section) atMost(name string, measured estimate, limit float64) {
	s.stated = append(s.stated, statedRate{name, measured, limit, false})
}

// atLeast adds a stated rate with a minimum.
func (s *section) atLeast(name string, measured estimate, limit float64) {
	s.stated = append(s.stated, statedRate{name, measured, limit, true})
}

// A table has a row for each setting and a column for each measurement.
type table struct {
	title string
	head  []string
	rows  [][]string
	note  string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// page writes all sections as Markdown.
func page(w io.Writer, l *simulator, sections []section) error {
	var b bytes.Buffer
	b.WriteString(introduction)
	if l.scores == nil {
		b.WriteString("\n*This page was made without the published scores: from built-in shapes only.*\n")
	}
	if l.short {
		b.WriteString("\n*This page is the short form, with a part of the settings and of the runs.*\n")
	}
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.title, strings.TrimSpace(s.text))
		for _, t := range s.tables {
			b.WriteString("\n")
			if t.title != "" {
				fmt.Fprintf(&b, "**%s**\n\n", t.title)
			}
			fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(t.head, " | "), strings.Repeat("---|", len(t.head)))
			for _, r := range t.rows {
				fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
			}
			if t.note != "" {
				fmt.Fprintf(&b, "\n%s\n", t.note)
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
