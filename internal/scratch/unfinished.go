package scratch

import "sync"

// Unfinished holds what has to be removed if the process is ended from outside: files
// without their names, unpacked files. It is safe for concurrent use.
type Unfinished struct {
	mu     sync.Mutex
	last   int
	remove map[int]func()
}

// Add adds a function that removes something, until forget is called.
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

// RemoveAll removes everything. What is added later stays: the process ends now.
func (u *Unfinished) RemoveAll() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, remove := range u.remove {
		remove()
	}
	u.remove = nil
}
