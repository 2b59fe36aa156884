package model

import (
	"os"
	"path/filepath"
)

// FindConfig returns the path of the verbatim.toml in dir or in the nearest folder above; "" without
// one. The search ends at the home folder or at the root of the repository that dir is in. If dir is
// in neither, only dir is searched: a file in a folder above may be another user's.
func FindConfig(dir, home string) string {
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
		path := filepath.Join(at, ConfigFileName)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}
