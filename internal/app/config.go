package app

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/model"
	"verbatim/internal/terminal"
)

// A configFile is a file that names models.
type configFile struct {
	path    string // "": there is no such file
	from    string // the flag or the variable that names it; "": it was found in a folder
	trusted bool
}

// Config reads the file that names models. The flag names it, or else VERBATIM_CONFIG ("off": no
// file), or else it is the nearest verbatim.toml, or else the one in the user's configuration
// folder. The nearest verbatim.toml is trusted only with trustIt, which is remembered until the
// file changes. The other files are always trusted.
func (a *App) Config(flag string, trustIt bool) (model.ConfigFile, error) {
	file := a.findConfig(flag)
	if trustIt && (file.path == "" || file.trusted) {
		return model.ConfigFile{}, errkind.Usagef("leave it out", "--trust-config: no verbatim.toml was found here that needs it")
	}
	if file.path == "" {
		return model.ConfigFile{}, nil
	}
	data, err := input.ReadFile(file.path, input.MaxText)
	switch {
	case errors.Is(err, fs.ErrNotExist) && file.from != "":
		return model.ConfigFile{}, errkind.Usagef("docs/models.md describes the file", "%s: there is no file %s", file.from, file.path)
	case err != nil && file.from != "":
		return model.ConfigFile{}, errkind.Usagef("docs/models.md describes the file", "%s: %w", file.from, err)
	case err != nil:
		return model.ConfigFile{}, errkind.Runtimef("", "the file that names models cannot be read: %w", err)
	}
	c, err := model.ReadConfig(file.path, data)
	if err != nil {
		return c, err
	}
	user := openTrust(a.Getenv)
	if c.Trusted = file.trusted || trustIt || user.trusts(file.path, data); trustIt {
		if err := user.trust(file.path, data); err != nil {
			a.note("%s is trusted for this command only: %s", terminal.Visible(file.path), terminal.Visible(err.Error()))
		}
	}
	return c, nil
}

// findConfig finds the file that names models, without reading it.
func (a *App) findConfig(flag string) configFile {
	switch path := a.Getenv("VERBATIM_CONFIG"); {
	case flag != "":
		return configFile{flag, "--config", true}
	case path == "off":
		return configFile{}
	case path != "":
		return configFile{path, "VERBATIM_CONFIG", true}
	}
	if dir, err := os.Getwd(); err == nil { // the folder may be removed
		if path := model.FindConfig(dir, cmp.Or(a.Getenv("HOME"), a.Getenv("USERPROFILE"))); path != "" {
			if near, err := filepath.Rel(dir, path); err == nil {
				path = near
			}
			return configFile{path: path}
		}
	}
	own := openTrust(a.Getenv).Path(model.ConfigFileName)
	if info, err := os.Stat(own); err == nil && info.Mode().IsRegular() {
		return configFile{path: own, trusted: true}
	}
	return configFile{}
}

// keySize is the length of the key in bytes.
const keySize = 32

// key returns the user's key, nil if there is none. The error says what is wrong with the file:
// another length, or other users of the machine may read it, who could make the same proofs.
func (f trustFolder) key() ([]byte, error) {
	path := f.Path("key")
	if path == "" {
		return nil, nil
	}
	const advice = "delete it and the next run makes a new one"
	info, err := os.Stat(path)
	switch {
	case err != nil: // there is none, or no folder of this user
		return nil, nil
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("your key %s is not a file; %s", path, advice)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("other users may read or change your key %s; %s", path, advice)
	}
	key, err := os.ReadFile(path)
	if err == nil && len(key) != keySize {
		return nil, fmt.Errorf("your key %s is damaged, it has %d bytes instead of %d; %s", path, len(key), keySize, advice)
	}
	return key, err
}

// makeKey makes the key and returns it, or the one that another process has made at the same time. It
// is nil if that is not possible: a run must not fail for that reason.
func (f trustFolder) makeKey() ([]byte, error) {
	if f.path == "" || os.MkdirAll(f.path, 0o700) != nil {
		return nil, nil
	}
	key := make([]byte, keySize)
	rand.Read(key) // never fails
	temp, err := os.CreateTemp(f.path, ".key-*")
	if err != nil {
		return nil, nil
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(key)
	if errors.Join(err, temp.Sync(), temp.Close()) != nil {
		return nil, nil
	}
	// A link never replaces a file. So if several processes make a key, all get the same one.
	path := filepath.Join(f.path, "key")
	err = os.Link(temp.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// The file system has no links. If two processes make a key at the same moment, that
		// of the second one remains, and proofs of the first one confirm nothing.
		if _, exists := os.Lstat(path); errors.Is(exists, fs.ErrNotExist) {
			os.Rename(temp.Name(), path)
		}
	}
	return f.key()
}

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
