package task

import "verbatim"

// exactFamilies lists the families in the order in which they are shown.
func exactFamilies() []verbatim.Family {
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
