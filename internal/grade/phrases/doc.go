// Package phrases finds the words by which replies offer, deny and take back answers. The words are
// tables by what they do, in the languages of chat models (words.go); each place where they are
// looked for has a table that finds all of them in one pass (table.go). A Stretch reads what is around
// the values of a reply once (stretch.go).
package phrases
