// Package metamorphic tests the program as a whole: one plan, asked in any way that must not matter, has
// the same records, tables and verdicts as asked plainly. It holds tests only.
package metamorphic
