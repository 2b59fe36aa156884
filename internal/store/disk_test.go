package store

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// A diskEvent is a call of SQLite to the disk, or a report to the caller.
type diskEvent struct {
	op   string // write, truncate, sync, delete, saved
	file string // without its directory
	off  int64  // of a write; the size after a truncate; the position of a saved record
	data []byte
}

// A disk is between SQLite and the system, for the files of one directory. It records
// what is written and synced, and makes one of these calls fail.
type disk struct {
	dir   string
	tears bool // SQLite is not promised that a write leaves its neighbours alone

	mu     sync.Mutex
	events []diskEvent
	calls  int   // writes, truncates and syncs
	failAt int   // which of them fails, from 1; 0: none
	code   int32 // how
	names  map[uintptr]string
}

// note records an event, and returns the code of a failure in its place.
func (d *disk) note(file uintptr, e diskEvent) int32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	name, ours := d.names[file]
	if !ours {
		return sqlite3.SQLITE_OK
	}
	if d.calls++; d.calls == d.failAt {
		if e.op == "sync" && d.code == sqlite3.SQLITE_IOERR_WRITE {
			return sqlite3.SQLITE_IOERR_FSYNC
		}
		return d.code
	}
	e.file = name
	d.events = append(d.events, e)
	return sqlite3.SQLITE_OK
}

func (d *disk) saved(position int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, diskEvent{op: "saved", off: position})
}

// The file system that is registered with SQLite. These are what C calls static: SQLite
// holds their addresses.
var (
	diskVFS     sqlite3.Tsqlite3_vfs
	diskMethods sqlite3.Tsqlite3_io_methods
	diskReal    uintptr // the system's own
	diskOnce    sync.Once
	diskMu      sync.Mutex
	diskNow     *disk
)

// head is how many bytes of a file are this one's: the address of its methods.
const head = 16

// at is the T at an address of SQLite's.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// pointer is a Go function as SQLite stores one; function is the reverse.
func pointer[F any](f F) uintptr  { return *(*uintptr)(unsafe.Pointer(&f)) }
func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }
func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }
func methods(file uintptr) *sqlite3.Tsqlite3_io_methods {
	return at[sqlite3.Tsqlite3_io_methods](at[sqlite3.Tsqlite3_file](file + head).FpMethods)
}

// currentDisk returns the disk that is recorded; nil: no disk.
func currentDisk() *disk {
	diskMu.Lock()
	defer diskMu.Unlock()
	return diskNow
}

// startDisk records what happens to files in dir until stop is called.
func startDisk(tb testing.TB, d *disk) (stop func()) {
	tb.Helper()
	d.names = map[uintptr]string{}
	diskOnce.Do(func() { registerDisk(tb) })
	diskMu.Lock()
	diskNow = d
	diskMu.Unlock()
	stop = func() {
		diskMu.Lock()
		diskNow = nil
		diskMu.Unlock()
	}
	tb.Cleanup(stop)
	return stop
}

type (
	fileCall    = func(*libc.TLS, uintptr) int32
	fileInt     = func(*libc.TLS, uintptr, int32) int32
	filePointer = func(*libc.TLS, uintptr, uintptr) int32
	fileBytes   = func(*libc.TLS, uintptr, uintptr, int32, int64) int32
)

func registerDisk(tb testing.TB) {
	tls := libc.NewTLS() // as long as the process: SQLite calls back with those of its own
	diskReal = sqlite3.Xsqlite3_vfs_find(tls, 0)
	real := at[sqlite3.Tsqlite3_vfs](diskReal)
	diskVFS = *real
	name, err := libc.CString("recording disk")
	must(tb, err)
	diskVFS.FzName, diskVFS.FpNext = name, 0
	diskVFS.FszOsFile = real.FszOsFile + head
	diskVFS.FxOpen = pointer(diskOpen)
	diskVFS.FxDelete = pointer(diskDelete)

	diskMethods = sqlite3.Tsqlite3_io_methods{
		FiVersion: 3,
		FxClose: pointer(func(tls *libc.TLS, f uintptr) int32 {
			if d := currentDisk(); d != nil {
				d.mu.Lock()
				delete(d.names, f)
				d.mu.Unlock()
			}
			return function[fileCall](methods(f).FxClose)(tls, f+head)
		}),
		FxRead: pointer(func(tls *libc.TLS, f, buf uintptr, n int32, off int64) int32 {
			return function[fileBytes](methods(f).FxRead)(tls, f+head, buf, n, off)
		}),
		FxWrite: pointer(func(tls *libc.TLS, f, buf uintptr, n int32, off int64) int32 {
			if d := currentDisk(); d != nil {
				data := append([]byte(nil), unsafe.Slice(at[byte](buf), int(n))...)
				if rc := d.note(f, diskEvent{op: "write", off: off, data: data}); rc != sqlite3.SQLITE_OK {
					return rc
				}
			}
			return function[fileBytes](methods(f).FxWrite)(tls, f+head, buf, n, off)
		}),
		FxTruncate: pointer(func(tls *libc.TLS, f uintptr, size int64) int32 {
			if d := currentDisk(); d != nil {
				if rc := d.note(f, diskEvent{op: "truncate", off: size}); rc != sqlite3.SQLITE_OK {
					return rc
				}
			}
			return function[func(*libc.TLS, uintptr, int64) int32](methods(f).FxTruncate)(tls, f+head, size)
		}),
		FxSync: pointer(func(tls *libc.TLS, f uintptr, flags int32) int32 {
			if d := currentDisk(); d != nil {
				if rc := d.note(f, diskEvent{op: "sync"}); rc != sqlite3.SQLITE_OK {
					return rc
				}
			}
			return function[fileInt](methods(f).FxSync)(tls, f+head, flags)
		}),
		FxFileSize: pointer(func(tls *libc.TLS, f, p uintptr) int32 {
			return function[filePointer](methods(f).FxFileSize)(tls, f+head, p)
		}),
		FxLock: pointer(func(tls *libc.TLS, f uintptr, n int32) int32 {
			return function[fileInt](methods(f).FxLock)(tls, f+head, n)
		}),
		FxUnlock: pointer(func(tls *libc.TLS, f uintptr, n int32) int32 {
			return function[fileInt](methods(f).FxUnlock)(tls, f+head, n)
		}),
		FxCheckReservedLock: pointer(func(tls *libc.TLS, f, p uintptr) int32 {
			return function[filePointer](methods(f).FxCheckReservedLock)(tls, f+head, p)
		}),
		FxFileControl: pointer(func(tls *libc.TLS, f uintptr, op int32, p uintptr) int32 {
			return function[func(*libc.TLS, uintptr, int32, uintptr) int32](methods(f).FxFileControl)(tls, f+head, op, p)
		}),
		FxSectorSize: pointer(func(tls *libc.TLS, f uintptr) int32 {
			return function[fileCall](methods(f).FxSectorSize)(tls, f+head)
		}),
		FxDeviceCharacteristics: pointer(func(tls *libc.TLS, f uintptr) int32 {
			if d := currentDisk(); d != nil && d.tears {
				return 0
			}
			return function[fileCall](methods(f).FxDeviceCharacteristics)(tls, f+head)
		}),
		FxShmMap: pointer(func(tls *libc.TLS, f uintptr, i, n, extend int32, p uintptr) int32 {
			return function[func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32](methods(f).FxShmMap)(tls, f+head, i, n, extend, p)
		}),
		FxShmLock: pointer(func(tls *libc.TLS, f uintptr, off, n, flags int32) int32 {
			return function[func(*libc.TLS, uintptr, int32, int32, int32) int32](methods(f).FxShmLock)(tls, f+head, off, n, flags)
		}),
		FxShmBarrier: pointer(func(tls *libc.TLS, f uintptr) {
			function[func(*libc.TLS, uintptr)](methods(f).FxShmBarrier)(tls, f+head)
		}),
		FxShmUnmap: pointer(func(tls *libc.TLS, f uintptr, remove int32) int32 {
			return function[fileInt](methods(f).FxShmUnmap)(tls, f+head, remove)
		}),
		FxFetch: pointer(func(tls *libc.TLS, f uintptr, off int64, n int32, p uintptr) int32 {
			return function[func(*libc.TLS, uintptr, int64, int32, uintptr) int32](methods(f).FxFetch)(tls, f+head, off, n, p)
		}),
		FxUnfetch: pointer(func(tls *libc.TLS, f uintptr, off int64, p uintptr) int32 {
			return function[func(*libc.TLS, uintptr, int64, uintptr) int32](methods(f).FxUnfetch)(tls, f+head, off, p)
		}),
	}
	if rc := sqlite3.Xsqlite3_vfs_register(tls, address(&diskVFS), 1); rc != sqlite3.SQLITE_OK {
		tb.Fatalf("the recording disk cannot be registered: %d", rc)
	}
}

func diskOpen(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	at[sqlite3.Tsqlite3_file](file).FpMethods = 0
	real := at[sqlite3.Tsqlite3_vfs](diskReal)
	rc := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](real.FxOpen)(tls, diskReal, name, file+head, flags, out)
	if at[sqlite3.Tsqlite3_file](file+head).FpMethods != 0 {
		at[sqlite3.Tsqlite3_file](file).FpMethods = address(&diskMethods)
	}
	if d := currentDisk(); d != nil && rc == sqlite3.SQLITE_OK && name != 0 {
		if path := libc.GoString(name); filepath.Dir(path) == d.dir {
			d.mu.Lock()
			d.names[file] = filepath.Base(path)
			d.mu.Unlock()
		}
	}
	return rc
}

func diskDelete(tls *libc.TLS, _, name uintptr, sync int32) int32 {
	if d := currentDisk(); d != nil {
		if path := libc.GoString(name); filepath.Dir(path) == d.dir {
			if _, err := os.Lstat(path); err == nil {
				d.mu.Lock()
				d.events = append(d.events, diskEvent{op: "delete", file: filepath.Base(path)})
				d.mu.Unlock()
			}
		}
	}
	real := at[sqlite3.Tsqlite3_vfs](diskReal)
	return function[func(*libc.TLS, uintptr, uintptr, int32) int32](real.FxDelete)(tls, diskReal, name, sync)
}

// A diskFile is what a disk holds of a file: what was synced, and the calls since, of
// which any part may be there after a power cut.
type diskFile struct {
	synced  []byte
	pending []diskEvent
}

// apply does an event to the contents of a file.
func apply(b []byte, e diskEvent) []byte {
	end := int(e.off) + len(e.data)
	if e.op == "truncate" && len(b) > end {
		return b[:end]
	}
	if len(b) < end {
		b = append(b, make([]byte, end-len(b))...)
	}
	copy(b[e.off:], e.data)
	return b
}

// isIndex reports whether a file is the index of the log, which a restart makes again.
func isIndex(name string) bool { return strings.HasSuffix(name, "-shm") }
