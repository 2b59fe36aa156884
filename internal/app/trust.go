package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
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
	// are sent, except for Code.
	Destination string
	Code        string // what model.Code returned; "" if it could not tell
}

// version is the beginning of every proof. A proof of another version confirms nothing.
const version = "1:"

// Prove returns the proof of a claim: its code, and an HMAC-SHA-256 with the user's key, which is made
// on first use. It is "" if no key can be made. The error is that of a damaged key.
func (f trustFolder) prove(c trustClaim) (string, error) {
	key, err := f.key()
	if key == nil && err == nil {
		key, err = f.makeKey()
	}
	if key == nil || err != nil {
		return "", err
	}
	return version + c.Code + ":" + hex.EncodeToString(c.sum(key)), nil
}

// Confirms reports whether proof is this user's proof of the claim with some code, and returns that
// code. It makes no key. The error is that of a damaged key.
func (f trustFolder) confirms(proof string, c trustClaim) (code string, is bool, err error) {
	rest, isVersion := strings.CutPrefix(proof, version)
	code, digits, isPair := strings.Cut(rest, ":")
	sum, err := hex.DecodeString(digits)
	if !isVersion || !isPair || err != nil {
		return "", false, nil
	}
	key, err := f.key()
	c.Code = code
	return code, key != nil && hmac.Equal(sum, c.sum(key)), err
}

// sum returns the HMAC of the fields. Each comes after its length, so that no two claims have the same
// bytes.
func (c trustClaim) sum(key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, field := range []string{"verbatim/run", c.Run, c.Plan, c.Params, c.Model, c.Destination, c.Code} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(field)))
		mac.Write(size[:])
		mac.Write([]byte(field))
	}
	return mac.Sum(nil)
}

// claim returns the claim that a proof of a run confirms, without its code: a command of this user on
// this machine opened its model.
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
	c := claim(uid, &r, o)
	c.Code, _ = model.Code(r.Model) // isProved has the error again
	proof, err := openTrust(a.Getenv).prove(c)
	if err != nil {
		a.note("Run %s gets no proof that it is yours: %v. Commands that repeat it must name its model.", r.Name, err)
	}
	if proof == "" || proof == old {
		return nil
	}
	return s.SetProof(ctx, r.N, proof)
}

// isProved reports whether an earlier command of this user opened the model of the run, at the
// address at which it would be opened now. Doubt says why it may not be the same model: the files of
// a command changed, or cannot be compared. It also says that the key for proofs is damaged. The
// files are looked at only after the proof, because another database could name any.
func (a *App) isProved(ctx context.Context, r library.SavedRun, o model.Options) (proved bool, doubt, err error) {
	uid, proof, err := r.Store.Proof(ctx, r.N)
	if err != nil {
		return false, nil, err
	}
	code, proved, doubt := openTrust(a.Getenv).confirms(proof, claim(uid, &r.Run, o))
	if !proved {
		return false, doubt, nil
	}
	now, doubt := model.Code(r.Model)
	if doubt == nil && now != code {
		doubt = errors.New("its program, or a file among its words, has changed since a command of yours ran it")
	}
	return true, doubt, nil
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
	why := "no earlier command of yours has run it here for this run"
	for _, o.Discovered = range []bool{false, true} {
		proved, doubt, err := a.isProved(ctx, r, o)
		if err != nil || proved && doubt == nil {
			return r.Model, o.Discovered, err
		}
		if doubt != nil {
			why = terminal.Visible(doubt.Error())
		}
	}
	return "", false, errkind.Usagef(a.nameModelHint(r.Model), "run %s names the model %s, and %s: a file or a database does not decide what is executed or where a key is sent",
		r.Name, terminal.Visible(redact.ModelName(r.Model)), why)
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
