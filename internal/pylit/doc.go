// Package pylit reads and prints Python literals: the language in which
// SortBench writes its lists and in which models answer.
//
// Start at Parse, which reads what CPython's eval would accept of a text that
// consists of literals only (lists, tuples, sets, dicts, strings, bytes, numbers,
// True, False, None and the ellipsis) and runs nothing; then at Value, which is
// what it returns. Format prints as Python's repr does, Cast converts as Python's
// constructors do, Compare and Equal order and match as Python's operators do, and
// Strip trims what Python's str.strip() trims.
//
// Texts are Go strings of UTF-8. A lone surrogate, which a Python string may hold
// and UTF-8 cannot, is its three bytes in the manner of WTF-8; two of them in a row
// stay two, as in Python, and byte order is code point order throughout.
//
// The grammar follows CPython 3.11 and is held against it by a test that runs it.
// What differs is said at Parse.
package pylit
