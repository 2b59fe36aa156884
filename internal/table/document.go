package table

import "verbatim/internal/terminal"

// A Document is the result of one command.
type Document struct {
	Title string // for formats that need one
	Value any    // the JSON form
	// Data returns the unrounded rows for programs; nil without rows.
	Data func() *Table
	// Body returns the document for people, for so many columns of a terminal; 0: any width.
	Body func(columns int) []Block
	// Tests returns the tests for CI systems; nil if nothing can fail.
	Tests func() []Suite
	// Raw says that cells which a spreadsheet may take for formulas are not changed.
	Raw bool
}

// A Block is a part of a Body: a Heading, Paragraph, Facts, List, Command, *Table, Blank
// or Divider. All texts are safe to print; see terminal.Visible.
type Block interface{ block() }

// A Heading begins a section.
type Heading struct {
	Text string
	// Wrap breaks a long heading on a terminal; otherwise it is truncated.
	Wrap bool
}

// A Paragraph is running text. With the paint Alert it is a note on the whole section.
type Paragraph struct {
	Text  string
	Paint terminal.Paint
	// Line says that the text is one line in a file or a pipe, for logs.
	Line bool
}

// Facts are lines with names.
type Facts []Fact

// A Fact is one such line. It is broken between its parts.
type Fact struct {
	Name  string
	Parts []string
}

// A List has items of one kind.
type List struct {
	Kind  ListKind
	Items []Item
}

// A ListKind says what the items of a List are.
type ListKind int

// The kinds of lists.
const (
	Notes    ListKind = iota // remarks on the numbers
	Warnings                 // doubts about them
	Examples                 // items with the command that shows them
)

// An Item is a text, and the command that belongs to it if there is one.
type Item struct{ Text, Command string }

// A Command is a line to copy into a shell.
type Command string

// Blank is an empty line on a terminal. Other formats separate blocks by themselves.
type Blank struct{}

// A Divider is a line across a terminal.
type Divider struct{}

func (Heading) block()   {}
func (Paragraph) block() {}
func (Facts) block()     {}
func (List) block()      {}
func (Command) block()   {}
func (*Table) block()    {}
func (Blank) block()     {}
func (Divider) block()   {}

// Texts makes Items without commands.
func Texts(texts ...string) []Item {
	items := make([]Item, len(texts))
	for i, text := range texts {
		items[i].Text = text
	}
	return items
}
