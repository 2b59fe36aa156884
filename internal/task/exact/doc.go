// Package exact draws tasks that people rely on to be done to the last character: copying
// identifiers, code, JSON and long texts, editing, work on sets and rows, and questions about
// single characters. Families lists them.
//
// One file is one family. A family whose items differ in more than their length says how in a
// fact, such as "operation", which reports group by.
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
