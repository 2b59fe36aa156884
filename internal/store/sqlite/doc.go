// Package sqlite opens SQLite files that several processes write at the same time.
//
// Open opens a File, or makes it from a Layout, which is a schema. It refuses a file with another one.
// View and Update lend a connection within a transaction.
//
//   - A Conn (conn.go) is a connection that keeps its statements prepared. Query returns Rows, and
//     InsertMany inserts many rows with one statement.
//   - Locks (lock.go): a statement that another process blocks is repeated. The function of OnLock
//     gets a line for a person if that takes long.
//   - A moved file (watchedfiles.go): CheckMoved notices that the file was deleted, replaced or
//     overwritten while it was open, which SQLite does not.
//   - Errors (error.go): every error is an Error about a file, with a Kind and a hint.
package sqlite
