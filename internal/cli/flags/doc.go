// Package flags holds the flags that several commands share: what they are called, their help
// and completion, and how their values are read. Each group is a type with a method Register.
package flags
