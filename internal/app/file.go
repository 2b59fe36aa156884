package app

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// trustedName is the file with the list of trusted files. Each line is the SHA-256 and the path of
// one. Of several lines with the same path the last one counts.
const trustedName = "trusted"

// Trusts reports whether the user trusts the file at path with exactly this content.
func (f trustFolder) trusts(path string, data []byte) bool {
	line, err := trustLine(path, data)
	if err != nil || f.path == "" {
		return false
	}
	list, err := os.ReadFile(f.Path(trustedName))
	if err != nil {
		return false
	}
	_, ours, _ := strings.Cut(line, " ")
	last := ""
	for other := range strings.SplitSeq(string(list), "\n") {
		if _, theirs, _ := strings.Cut(other, " "); theirs == ours {
			last = other
		}
	}
	return last == line
}

// Trust records that the user trusts the file at path as long as its content is data. An earlier
// content of the same path is no longer trusted.
//
// It only adds to the list, so that several processes can do it at once.
func (f trustFolder) trust(path string, data []byte) error {
	line, err := trustLine(path, data)
	if err != nil {
		return err
	}
	if f.path == "" {
		return errors.New("there is no configuration folder: set HOME or XDG_CONFIG_HOME")
	}
	if f.trusts(path, data) {
		return nil
	}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return err
	}
	list, err := os.OpenFile(f.Path(trustedName), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	// The line break before it ends a line that an interrupted command left unfinished.
	_, err = list.WriteString("\n" + line + "\n")
	return errors.Join(err, list.Close())
}

// trustLine returns the line of a file in the list.
func trustLine(path string, data []byte) (string, error) {
	abs, err := filepath.Abs(path)
	if err == nil && strings.ContainsAny(abs, "\r\n") {
		err = errors.New("the path of the file has a line break")
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) + " " + abs, err
}
