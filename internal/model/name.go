package model

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"verbatim/internal/input"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// forms are the ways to name a model, for hints.
const forms = "name it as provider:model, http://host:port/v1#model, exec:command, nano, sim:careful, or by its name in verbatim.toml"

// unknownName returns the error of a name that no model has. It proposes the nearest known one.
func unknownName(name string, o Options) error {
	e := &input.NameError{Name: redact.ModelName(name), Reason: "there is no model of this name", Advice: forms}
	if name == "" {
		e.Reason = "the name is empty"
		return e
	}
	scheme, _, found := strings.Cut(name, ":")
	if isAddress(name) {
		e.Advice = "an address starts with http://: write http://" + redact.ModelName(name)
		return e
	}
	if p, ok := FindProvider(scheme); ok && !found {
		e.Reason = "it names a provider and no model"
		e.Advice = "write " + p.Name + ":MODEL"
		return e
	}
	if advice := nearestName(name, o); advice != "" {
		e.Advice = advice
	}
	return e
}

var (
	// hostName matches a host with a top-level domain, which gpt-4.1 does not end with.
	hostName = regexp.MustCompile(`^(?i)(localhost|([a-z0-9-]+\.)+[a-z]{2,})$`)
	portPath = regexp.MustCompile(`^[0-9]{1,5}([/#?].*)?$`)
	// ollamaTag matches what follows the colon in Ollama's names, as in llama3.2:1b.
	ollamaTag = regexp.MustCompile(`^([0-9]|latest$)`)
)

// isAddress reports whether the name is an address without its http://.
func isAddress(name string) bool {
	if host, rest, found := strings.Cut(name, ":"); found && portPath.MatchString(rest) && host != "" && !strings.Contains(host, "/") {
		return true
	}
	host, _, _ := strings.Cut(name, "/")
	host, _, _ = strings.Cut(host, "#")
	return hostName.MatchString(host) || net.ParseIP(host) != nil
}

// nearestName returns advice on what to write instead of an unknown name; "" if nothing is near.
func nearestName(name string, o Options) string {
	scheme, rest, found := strings.Cut(name, ":")
	if !found {
		return nearestModel(name, o)
	}
	if ollamaTag.MatchString(rest) {
		return "a model of Ollama is written ollama:" + redact.ModelName(name)
	}
	if protocol, transport, found := strings.Cut(scheme, "+"); found && strings.HasPrefix(rest, "//") {
		return nearestProtocol(protocol, transport+":"+rest)
	}
	known := []string{"http", "https", "exec", "sim"}
	for _, p := range Providers() {
		known = append(known, p.Name)
	}
	if near := input.Nearest(strings.ToLower(scheme), known); near != "" {
		return fmt.Sprintf("did you mean %s:%s? Otherwise %s", near, wire.CleanLine(rest, 80), forms)
	}
	return ""
}

// nearestProtocol is nearestName for an address with an unknown protocol before the plus sign.
func nearestProtocol(name, address string) string {
	var known []string
	for _, p := range wire.Protocols() {
		known = append(known, p.Name)
	}
	near := input.Nearest(strings.ToLower(name), known)
	for _, k := range known {
		if near == "" && strings.Contains(strings.ToLower(name), k) { // openai-responses
			near = k
		}
	}
	list := "the protocols are " + strings.Join(known, ", ")
	if near == "" {
		return list + ", as in " + known[0] + "+" + wire.CleanLine(address, 80)
	}
	return "did you mean " + near + "+" + wire.CleanLine(address, 80) + "? " + strings.ToUpper(list[:1]) + list[1:]
}

// nearestModel is nearestName for a name without a colon.
func nearestModel(name string, o Options) string {
	var own []string
	for _, m := range o.Config.Models() {
		own = append(own, m.Name)
	}
	if near := input.Nearest(name, own); near != "" {
		return fmt.Sprintf("did you mean %s, of %s?", near, o.Config.Path)
	}
	if near := input.Nearest(strings.ToLower(name), []string{NanoName}); near != "" {
		return fmt.Sprintf("did you mean %s, the model inside this program? Otherwise %s", near, forms)
	}
	shown := redact.ModelName(name)
	if vendor, model, ok := strings.Cut(name, "/"); ok && vendor != "" && model != "" {
		if p, ok := FindProvider(vendor); ok {
			return fmt.Sprintf("did you mean %s:%s, or openrouter:%s?", p.Name, redact.ModelName(model), shown)
		}
		return fmt.Sprintf("did you mean openrouter:%s? On a server of your own it is vllm:%s, sglang:… or http://host:port/v1#…", shown, shown)
	}
	if p, ok := seller(name); ok {
		return fmt.Sprintf("did you mean %s:%s?", p.Name, shown)
	}
	return ""
}

// seller returns the provider whose prices list the model, or another one whose name
// begins with the same word, such as gpt-.
func seller(model string) (provider, bool) {
	prices := KnownPrices()
	for _, p := range Providers() {
		if _, ok := prices.Find(p.Name, model, time.Now()); ok {
			return p, true
		}
	}
	word, _, found := strings.Cut(strings.ToLower(model), "-")
	for _, p := range Providers() {
		for _, t := range prices.All() {
			if found && t.Provider == p.Name && strings.HasPrefix(strings.ToLower(t.Model), word+"-") {
				return p, true
			}
		}
	}
	return provider{}, false
}

// IsBuiltIn reports whether the model of that name is part of this program: nano or a simulated one.
// Such a model executes nothing and uses no network.
func IsBuiltIn(name string, o Options) bool {
	if _, own := o.Config.Find(strings.TrimSpace(name)); own {
		return false
	}
	scheme, _, found := strings.Cut(strings.TrimSpace(name), ":")
	scheme = strings.ToLower(scheme)
	return found && scheme == "sim" || !found && scheme == NanoName
}

// Destination returns all that decides what is executed, or where requests and keys are sent, when
// the model of that name is opened here and now. For a command that is its words, the program that
// they find and the working folder; Code has what these files contain. For a model of a configuration file it is what its entry says of
// address, key, headers, proxy and certificates. The text is to be compared, not to be shown. Nothing
// is opened.
func Destination(name string, o Options) string {
	name = strings.TrimSpace(name)
	if own, ok := o.Config.Find(name); ok {
		return own.destination()
	}
	scheme, rest, _ := strings.Cut(name, ":")
	switch p, provider := FindProvider(scheme); {
	case strings.EqualFold(scheme, "exec"):
		return execDestination(rest)
	case provider:
		return fmt.Sprintf("provider %q %q", p.BaseURL, name)
	}
	if o.Discovered {
		return fmt.Sprintf("address %q without a key", name)
	}
	return fmt.Sprintf("address %q", name)
}

// execDestination is Destination for a command. It finds the program as newCommand does.
func execDestination(line string) string {
	args, err := SplitCommand(line)
	folder, _ := os.Getwd()
	if err != nil || len(args) == 0 {
		return fmt.Sprintf("exec %q %q", folder, line)
	}
	program, _ := exec.LookPath(args[0])
	if abs, err := filepath.Abs(program); err == nil && program != "" {
		program = abs
	}
	return fmt.Sprintf("exec %q %q %q", folder, program, args)
}

// codeOption matches an option that runs a module or a text, as interpreters have them: -m, -um, -Mfoo,
// -c, -e. Other programs may mean other things by it.
var codeOption = regexp.MustCompile(`^-([bBdEiIOPqsSuvx]*m|M|[ce]$)`)

// isShell reports whether a program runs the text after its option -c, whose words are compared.
func isShell(program string) bool {
	return slices.Contains([]string{"sh", "ash", "bash", "dash", "ksh", "zsh"}, filepath.Base(program))
}

// Code returns a hash of what a command executes: of the program, and of the files that its words
// name. It is "" for a model that is no command. The error says why these may not be all. It opens
// files: call it only for names that the user gave.
func Code(name string) (string, error) {
	scheme, line, _ := strings.Cut(strings.TrimSpace(name), ":")
	if !strings.EqualFold(scheme, "exec") {
		return "", nil
	}
	args, err := SplitCommand(line)
	if err != nil || len(args) == 0 {
		return "", errors.New("it names no program")
	}
	program, err := exec.LookPath(args[0])
	all := sha256.New()
	if err = errors.Join(err, addFile(all, program)); err != nil {
		return "", err
	}
	for _, word := range args[1:] {
		// A word may be --option=file, or a command for a shell.
		pieces := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\r\n'\"`=,:;&|<>(){}", r) })
		if strings.ContainsAny(word, " \t\n") && strings.ContainsAny(word, "$*?[~`") {
			return "", fmt.Errorf("its word %q may be expanded to names of files, which are not compared", word)
		}
		for _, file := range append(pieces, word) {
			if codeOption.MatchString(file) && !(file == "-c" && isShell(args[0])) {
				return "", fmt.Errorf("its word %q may name a module or hold a program, whose files are not compared", file)
			}
			info, err := os.Stat(file)
			switch {
			case err != nil:
				continue
			case !info.Mode().IsRegular() && (file == word || info.IsDir() && strings.ContainsAny(word, " \t\n")):
				return "", fmt.Errorf("its word %q is a folder or a device, whose contents are not compared", file)
			case !info.Mode().IsRegular():
				continue
			}
			if err := addFile(all, file); err != nil {
				return "", err
			}
		}
	}
	return fmt.Sprintf("%x", all.Sum(nil)), nil
}

// addFile adds the hash of a file to all.
func addFile(all hash.Hash, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	all.Write(h.Sum(nil))
	return err
}
