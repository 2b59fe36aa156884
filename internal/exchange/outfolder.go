package exchange

import "os"

// createIn creates the file name in the folder dir, or empties it. A link of that
// name that leads out of the folder is an error: names are made of what a run says,
// and the folder may hold what somebody else has placed there.
func createIn(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Create(name)
}

// makeIn makes the folder name in the folder dir, which it makes as well.
func makeIn(dir, name string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.MkdirAll(name, 0o755)
}
