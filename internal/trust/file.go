package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// trustedName is the file with the list of trusted files. Each line is the SHA-256 and the path of one.
const trustedName = "trusted"

// Trusts reports whether the user trusts the file at path with exactly this content.
func (f Folder) Trusts(path string, data []byte) bool {
	line, err := trustLine(path, data)
	if err != nil || f.path == "" {
		return false
	}
	list, err := os.ReadFile(f.Path(trustedName))
	return err == nil && slices.Contains(strings.Split(string(list), "\n"), line)
}

// Trust records that the user trusts the file at path as long as its content is data. An earlier
// content of the same path is no longer trusted.
func (f Folder) Trust(path string, data []byte) error {
	line, err := trustLine(path, data)
	if err != nil {
		return err
	}
	if f.path == "" {
		return errors.New("there is no configuration folder: set HOME or XDG_CONFIG_HOME")
	}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return err
	}
	list, err := os.ReadFile(f.Path(trustedName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, ours, _ := strings.Cut(line, " ")
	var out bytes.Buffer
	for old := range strings.SplitSeq(string(list), "\n") {
		if _, other, ok := strings.Cut(old, " "); ok && other != ours {
			fmt.Fprintln(&out, old)
		}
	}
	fmt.Fprintln(&out, line)
	return f.replace(trustedName, out.Bytes())
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

// replace writes a file of the folder. The file appears complete, or stays as it was.
func (f Folder) replace(name string, data []byte) error {
	temp, err := os.CreateTemp(f.path, "."+name+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), f.Path(name))
}
