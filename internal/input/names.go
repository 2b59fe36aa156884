package input

import "strings"

// ReadNames reads a file with a name on each line. It ignores empty lines and lines that begin with #.
func ReadNames(path string) (names []string, err error) {
	data, err := ReadFile(path, MaxText)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			names = append(names, line)
		}
	}
	return names, nil
}
