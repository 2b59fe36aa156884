// Package itemfile reads and writes files of items: JSON lines, which docs/format.md describes. A
// user writes such a file to send items of their own, with pictures in files next to it.
//
// Start at Read. Write writes a line that Read reads.
package itemfile
