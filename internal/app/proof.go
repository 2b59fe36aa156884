package app

import (
	"context"
	"encoding/json"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/model"
	"verbatim/internal/redact"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

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
