package paper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/figure"
)

// fileName is what a figure may be called, on every system.
var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// WriteFigures writes every figure as NAME.svg, NAME.pdf and NAME.png into a folder,
// which it makes where there is none, over files of the same names. Either all are
// written or, with the error, none: they are drawn beside their places and moved
// there at the end. It returns their paths in the order of the figures.
func WriteFigures(dir string, figs []Figure) (paths []string, err error) {
	if err := checkNames(figs); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("make the folder for figures: %w", err)
	}
	draft, err := os.MkdirTemp(dir, ".figures-")
	if err != nil {
		return nil, fmt.Errorf("write figures into %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(draft)) }()

	var group errgroup.Group
	group.SetLimit(2)
	var names []string
	for i := range figs {
		for _, format := range figure.Formats() {
			name := figs[i].Name + "." + format.Extension
			names = append(names, name)
			group.Go(func() error { return writeFigure(filepath.Join(draft, name), &figs[i], format) })
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.Rename(filepath.Join(draft, name), path); err != nil {
			return nil, fmt.Errorf("write the figure %s: %w", path, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func writeFigure(path string, f *Figure, format figure.Format) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	drawing := f.Figure
	if drawing.Title == "" {
		drawing.Title = f.Caption
	}
	if drawing.Text == "" {
		drawing.Text = f.Text
	}
	if err := errors.Join(format.Write(&drawing, file), file.Close()); err != nil {
		return fmt.Errorf("figure %s as %s: %w", f.Name, format.Extension, err)
	}
	return nil
}

func checkNames(figs []Figure) error {
	seen := make(map[string]bool)
	for i := range figs {
		switch name := figs[i].Name; {
		case !fileName.MatchString(name):
			return fmt.Errorf("a figure is named %.60q: name it in letters, digits, dots and hyphens", name)
		case seen[name]:
			return fmt.Errorf("two figures are named %q: each is a file of its own", name)
		default:
			seen[name] = true
		}
	}
	return nil
}
