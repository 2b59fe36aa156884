// Package earlier replaces the words of earlier versions in stored and exported data.
//
// Version 5 of the database and of the export format renamed outcomes, labels, flags,
// metrics and JSON keys; CHANGELOG.md lists them. Whatever reads data of an earlier
// version passes it through this package, and whatever writes data writes the new words.
package earlier
