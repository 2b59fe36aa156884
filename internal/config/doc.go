// Package config reads verbatim.toml, the file in which users name their models;
// docs/models.md describes it. FindFile looks for the file and Read reads it:
//
//	file, err := config.Read(path, data)
//	m, ok := file.Find("box") // the entry [models.box]
//
// Read checks the whole file and reports the first mistake with its line and column.
// No key is in the file, only names of environment variables. A file that came with
// somebody else's repository must not decide where keys are sent: Model.NeedsTrust
// says what an entry needs the user's trust for (trust.go).
package config
