package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/model"
	"verbatim/internal/redact"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// A Claim is what a proof confirms: that a command of this user made the run with this model.
type trustClaim struct {
	Run    string // its uid
	Plan   string // the hash of its plan
	Params string // its parameters, as JSON
	Model  string // the name in the run
	// Destination is all that decides what is executed and where requests and keys
	// are sent.
	Destination string
}

// version is the beginning of every proof. A proof of another version confirms nothing.
const version = "1:"

// Prove returns the proof of a claim: an HMAC-SHA-256 with the user's key, which is made on first use.
// It is "" if no key can be read or made.
func (f trustFolder) prove(c trustClaim) string {
	key := f.key()
	if key == nil {
		key = f.makeKey()
	}
	if key == nil {
		return ""
	}
	return version + hex.EncodeToString(c.sum(key))
}

// Confirms reports whether proof is this user's proof of the claim. It makes no key.
func (f trustFolder) confirms(proof string, c trustClaim) bool {
	digits, ok := strings.CutPrefix(proof, version)
	sum, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return false
	}
	key := f.key()
	return key != nil && hmac.Equal(sum, c.sum(key))
}

// sum returns the HMAC of the fields. Each comes after its length, so that no two claims have the same
// bytes.
func (c trustClaim) sum(key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, field := range []string{"verbatim/run", c.Run, c.Plan, c.Params, c.Model, c.Destination} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(field)))
		mac.Write(size[:])
		mac.Write([]byte(field))
	}
	return mac.Sum(nil)
}

// claim returns the claim that a proof of a run confirms: a command of this user on this machine
// opened its model.
func claim(uid string, r *verbatim.Run, o model.Options) trustClaim {
	params, _ := json.Marshal(r.Params) // they come from JSON
	return trustClaim{Run: uid, Plan: r.Plan.Hash, Params: string(params), Model: r.Model, Destination: model.Destination(r.Model, o)}
}

// prove saves with a run that this command opened its model. Without a key for proofs nothing is
// saved: a command that repeats the run must then name the model.
func (a *App) prove(ctx context.Context, s *store.Store, r verbatim.Run, o model.Options) error {
	if model.IsBuiltIn(r.Model, o) {
		return nil
	}
	uid, old, err := s.Proof(ctx, r.N)
	if err != nil {
		return err
	}
	proof := openTrust(a.Getenv).prove(claim(uid, &r, o))
	if proof == "" || proof == old {
		return nil
	}
	return s.SetProof(ctx, r.N, proof)
}

// isProved reports whether an earlier command of this user opened the model of the run, at the
// address at which it would be opened now.
func (a *App) isProved(ctx context.Context, r library.SavedRun, o model.Options) (bool, error) {
	uid, proof, err := r.Store.Proof(ctx, r.N)
	return err == nil && openTrust(a.Getenv).confirms(proof, claim(uid, &r.Run, o)), err
}

// Repeatable returns the name by which the model of a saved run is opened again. A file or a
// database decides neither what is executed nor where a key is sent. So the model must be inside
// this program, or an earlier command of this user must have opened it for this run. Otherwise it
// is an error, and the command line must name the model. Found reports that the server was found
// and not named: it gets no key this time either.
func (a *App) Repeatable(ctx context.Context, r library.SavedRun, o model.Options) (name string, found bool, err error) {
	if r.Origin != "" {
		return "", false, errkind.Usagef("name a model with --model", "run %s was imported from %s: its model %s cannot be run by that name here",
			r.Name, terminal.Visible(r.Origin), terminal.Visible(redact.ModelName(r.Model)))
	}
	if model.IsBuiltIn(r.Model, o) {
		return r.Model, false, nil
	}
	for _, o.Discovered = range []bool{false, true} {
		if proved, err := a.isProved(ctx, r, o); proved || err != nil {
			return r.Model, o.Discovered, err
		}
	}
	return "", false, errkind.Usagef(a.nameModelHint(r.Model), "run %s names the model %s, and no earlier command of yours has run it here for this run: a file or a database does not decide what is executed or where a key is sent",
		r.Name, terminal.Visible(redact.ModelName(r.Model)))
}

// nameModelHint returns the hint for a model that must be named. It has the command only if the
// name can be shown as it is: a changed name must not be pasted.
func (a *App) nameModelHint(name string) string {
	if name != redact.ModelName(name) || name != terminal.Visible(name) || strings.HasPrefix(name, "-") {
		return "name the model with --model NAME"
	}
	return "to run it all the same, name it: " + a.commandLine(setFlag(a.Args, name, "--model", "-m"))
}

// A Folder is the user's configuration folder of this program. The zero value is no folder: it has no
// proofs and trusts no file.
type trustFolder struct{ path string }

// openTrust returns the folder "verbatim" in $XDG_CONFIG_HOME. If that is not set, it is in the usual place
// of the system: %AppData% on Windows, ~/Library/Application Support on macOS, ~/.config elsewhere.
// Nothing is created. A relative path is no folder: it could be a part of a cloned repository.
func openTrust(getenv func(string) string) trustFolder {
	base := getenv("XDG_CONFIG_HOME")
	if base == "" {
		switch home := getenv("HOME"); {
		case runtime.GOOS == "windows":
			base = getenv("AppData")
		case home == "":
		case runtime.GOOS == "darwin":
			base = filepath.Join(home, "Library", "Application Support")
		default:
			base = filepath.Join(home, ".config")
		}
	}
	if !filepath.IsAbs(base) {
		return trustFolder{}
	}
	return trustFolder{filepath.Join(base, "verbatim")}
}

// Path returns the path of a file in the folder, "" if there is no folder.
func (f trustFolder) Path(name string) string {
	if f.path == "" {
		return ""
	}
	return filepath.Join(f.path, name)
}
