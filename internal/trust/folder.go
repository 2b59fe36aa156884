package trust

import (
	"path/filepath"
	"runtime"
)

// A Folder is the user's own configuration folder of this program. The zero value
// is no folder: it proves nothing and trusts nothing.
type Folder struct{ path string }

// Open returns the folder "verbatim" in $XDG_CONFIG_HOME or, where that is not set,
// in the usual place of the system: %AppData% on Windows, ~/Library/Application
// Support on macOS, ~/.config elsewhere. Nothing is created. Without an absolute
// path there is no folder: one that depends on the working directory could come
// with a cloned repository.
func Open(getenv func(string) string) Folder {
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
		return Folder{}
	}
	return Folder{filepath.Join(base, "verbatim")}
}

// Path returns the path of a file in the folder, "" where there is no folder.
func (f Folder) Path(name string) string {
	if f.path == "" {
		return ""
	}
	return filepath.Join(f.path, name)
}
