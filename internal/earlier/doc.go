// Package earlier replaces the words of earlier versions in stored and exported data.
//
// Version 5 of the database and of the export format renamed outcomes, labels, flags, metrics and
// JSON keys; CHANGELOG.md lists them. All readers of data of an earlier version use this package.
// Writers use only the new words.
package earlier
