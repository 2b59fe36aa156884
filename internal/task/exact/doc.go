// Package exact draws tasks whose answers must be right to the last character: copying
// identifiers, code, JSON and long texts, editing, work on sets and rows, and questions about
// single characters. Families lists them.
//
// One file is one family. If the items of a family differ in more than their length, facts such as
// "operation" describe how. Reports group items by facts.
package exact

import "verbatim"

// Families lists the families in the order in which they are shown.
func Families() []verbatim.Family {
	return []verbatim.Family{
		copyIDs(),
		pickTwin(),
		copyLong(),
		copyCode(),
		copyJSON(),
		copyUnicode(),
		copyRepeat(),
		emitN(),
		editApply(),
		setOps(),
		stableSort(),
		charOps(),
		root(),
	}
}
