package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// migrate migrates a file from an earlier version. It first writes a copy of the file next to it,
// named path.v1 for version 1, or path.v1-2 and so on if that exists.
func (s *File) migrate(ctx context.Context, from int64) error {
	if s.mode != "rw" {
		return &Error{Kind: ReadOnly, Path: s.path,
			What: fmt.Sprintf("has schema version %d and may not be written, so it cannot be brought to version %d", from, s.layout.Version()),
			Hint: "copy the file to where it may be written"}
	}
	return s.Update(ctx, func(c *Conn) error {
		m, err := c.marks(ctx)
		if err != nil || m.version != from {
			return err // another process has migrated the file
		}
		// While this process has the write lock, the file cannot change between copy and steps.
		if err := s.backUp(from); err != nil {
			return err
		}
		for _, step := range s.layout.Steps[from-1:] {
			if err := step(ctx, c); err != nil {
				return err
			}
		}
		_, _, err = c.ExecOnce(fmt.Sprintf("PRAGMA user_version = %d", s.layout.Version()))
		return err
	})
}

// backUp writes a copy of the file to a free name.
func (s *File) backUp(version int64) error {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.v%d", s.abs, version)
		if n > 1 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(name); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return wrapError(s.path, err)
		}
		err := s.With(func(c *Conn) error {
			_, _, err := c.ExecOnce("VACUUM INTO ?", name)
			return err
		})
		if err != nil {
			os.Remove(name) // half a copy is worse than none
		}
		return err
	}
}
