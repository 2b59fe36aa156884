// Package jsonvalue grades replies that are to be one JSON value. Start at Grade.
//
// A reply is exact when it is the expected text, byte for byte. It is extracted when the
// value that it holds is the expected one, however it is written: other white space, another
// order of keys, other escapes, another form of the same number. What differs is named by
// its place in the value, as in $.rows[3].id.
package jsonvalue
