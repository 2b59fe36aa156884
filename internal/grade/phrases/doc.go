// Package phrases finds the words by which replies offer, deny and take back answers. The words are
// sets by what they do, in the languages of chat models (words.go). Tables find all of them in one pass: Inside
// anywhere in a text, Beginnings at its start and Endings at its end (table.go). In, AtStart and AtEnd return the
// sets that are found, and Has, Starts and Ends test for some. All need texts as Normal returns them. A Stretch reads
// the surroundings of the values of a reply once (stretch.go).
package phrases
