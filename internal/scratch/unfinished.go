package scratch

import "sync"

// Unfinished has functions that remove unfinished and temporary files, for the end of the process by
// a signal. It is safe for concurrent use.
type Unfinished struct {
	mu     sync.Mutex
	last   int
	remove map[int]func()
}

// Add adds a function that removes a file; forget takes it out again.
func (u *Unfinished) Add(remove func()) (forget func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.remove == nil {
		u.remove = map[int]func(){}
	}
	u.last++
	key := u.last
	u.remove[key] = remove
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.remove, key)
	}
}

// RemoveAll calls the functions. It is for the end of the process: functions that are added later
// are not called.
func (u *Unfinished) RemoveAll() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, remove := range u.remove {
		remove()
	}
	u.remove = nil
}
