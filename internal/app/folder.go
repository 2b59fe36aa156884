package app

import (
	"path/filepath"
	"runtime"
)

// A Folder is the user's configuration folder of this program. The zero value is no folder: it has no
// proofs and trusts no file.
type trustFolder struct{ path string }

// openTrust returns the folder "verbatim" in $XDG_CONFIG_HOME. If that is not set, it is in the usual place
// of the system: %AppData% on Windows, ~/Library/Application Support on macOS, ~/.config elsewhere.
// Nothing is created. A relative path is no folder: it could be a part of a cloned repository.
func openTrust(getenv func(string) string) trustFolder {
	base := getenv("XDG_CONFIG_HOME")
	if base == "" {
		switch home := getenv("HOME"); {
		case runtime.GOOS == "windows":
			base = getenv("AppData")
		case home == "":
		case runtime.GOOS == "darwin":
			base = filepath.Join(home, "Library", "Application Support")
		default:
			base = filepath.Join(home, ".config")
		}
	}
	if !filepath.IsAbs(base) {
		return trustFolder{}
	}
	return trustFolder{filepath.Join(base, "verbatim")}
}

// Path returns the path of a file in the folder, "" if there is no folder.
func (f trustFolder) Path(name string) string {
	if f.path == "" {
		return ""
	}
	return filepath.Join(f.path, name)
}
