package testmain

import (
	"os"

	"verbatim/internal/exhaustive"
)

// sharedMemory is the folder of a Linux system whose files are in memory. Room is the number of free
// bytes that tests need there. One package uses less than a tenth of them.
const (
	sharedMemory = "/dev/shm"
	room         = 2 << 30
)

// A Runner runs tests, as a *testing.M does.
type runner interface{ Run() int }

// InMemory returns a Runner whose tests have their temporary files in memory, if the system has a
// folder for that. To sync databases to a disk takes a twelfth of the time of all tests. The files
// are on the disk if TMPDIR is set, and for tests that take all cases or kill more often.
func InMemory(m runner) runner { return inMemory{m} }

type inMemory struct{ tests runner }

func (m inMemory) Run() int {
	if os.Getenv("TMPDIR") != "" || os.Getenv("VERBATIM_KILLS") != "" || exhaustive.All() || !holdsPrograms(sharedMemory, room) {
		return m.tests.Run()
	}
	dir, err := os.MkdirTemp(sharedMemory, "verbatim-test-")
	if err != nil {
		return m.tests.Run()
	}
	defer os.RemoveAll(dir)
	os.Setenv("TMPDIR", dir)
	return m.tests.Run()
}
