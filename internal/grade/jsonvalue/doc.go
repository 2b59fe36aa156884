// Package jsonvalue grades replies that are to be one JSON value. Start at Grade.
//
// A reply is exact when it is the expected text, byte for byte. It is extracted when the
// value in it is the expected one, however it is written: other white space, another
// order of keys, other escapes, another form of the same number. A difference is named by
// its place in the value, as in $.rows[3].id.
//
// value.go reads values and finds them in a reply, and compare.go finds the first difference of two.
package jsonvalue
