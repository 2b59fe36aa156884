// Package config reads verbatim.toml, the file in which users name their models;
// docs/models.md describes it. FindFile looks for the file and Read reads it:
//
//	file, err := config.Read(path, data)
//	m, ok := file.Find("box") // the entry [models.box]
//
// Read checks the whole file and reports the first mistake with its line and column.
// No key is in the file, only names of environment variables. A file from another user's
// repository must not decide where keys are sent: Model.NeedsTrust returns why an entry
// needs the user's trust (trust.go).
package config
