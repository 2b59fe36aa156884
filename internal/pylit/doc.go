// Package pylit reads and prints Python literals: the language in which
// SortBench writes its lists and in which models answer.
//
// Start at Parse. It reads a text that CPython's eval accepts and that
// consists of literals only (lists, tuples, sets, dicts, strings, bytes, numbers,
// True, False, None and the ellipsis), and runs nothing. It returns a Value. A Parser reads many texts with
// the same buffers. Format prints as Python's repr does, Cast converts as Python's
// constructors do, Equal compares as Python's == does, AppendKey makes keys in Python's order, and
// Strip trims what Python's str.strip() trims.
//
// Texts are Go strings of UTF-8. A lone surrogate, which a Python string may have
// and UTF-8 cannot, is its three bytes as in WTF-8. Two of them in a row
// stay two, as in Python, and byte order is code point order throughout.
//
// The grammar follows CPython 3.11. A test compares both.
// The comment of Parse says what differs.
package pylit
