package config

import (
	"os"
	"path/filepath"
)

// FindFile returns the path of the verbatim.toml for dir: the one there, or in the
// nearest folder above, up to the home folder or the root of the repository that dir
// is in. Where dir is in neither, only dir counts: a file in a folder above may be
// another user's. The path is "" without a file.
func FindFile(dir, home string) string {
	var above []string
	bounded := false
	for at := filepath.Clean(dir); !bounded; at = filepath.Dir(at) {
		above = append(above, at)
		_, err := os.Stat(filepath.Join(at, ".git"))
		bounded = err == nil || home != "" && at == filepath.Clean(home)
		if filepath.Dir(at) == at {
			break
		}
	}
	if !bounded {
		above = above[:1]
	}
	for _, at := range above {
		path := filepath.Join(at, FileName)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}
