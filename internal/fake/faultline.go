package fake

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseFaults reads faults from a command line or a file, separated by white space. The rest of a line
// after # is ignored. A fault is
//
//	KIND[@PLACE][:SHARE][,NAME=VALUE...]
//
// KIND is one of Kinds or an HTTP status. PLACE is the position of a request in the order of
// arrival, from 1, or a range of positions ("3-5"). SHARE is the probability that the fault happens;
// the default is 1. The names are tries, for Attempts, and after, form, param, word, at, end, every
// and for, for the fields of the same names. Times are written as in Go ("1.5s") or as a number of
// seconds.
//
//	429:0.05,after=2 cut:0.01,end=reset 500@1-3 stall@4,at=0.5
func ParseFaults(text string) ([]Fault, error) {
	var out []Fault
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			f, err := parseFault(word)
			if err != nil {
				return nil, &FaultError{word, err}
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// An Error is the error of a fault in the text that Parse reads.
type FaultError struct {
	Fault string
	Err   error
}

func (e *FaultError) Error() string { return fmt.Sprintf("the fault %q: %v", e.Fault, e.Err) }

// Unwrap returns the reason.
func (e *FaultError) Unwrap() error { return e.Err }

// Hint returns how a fault is written.
func (e *FaultError) Hint() string {
	return "write KIND[@PLACE][:SHARE][,NAME=VALUE...], as in 429:0.05,after=2; 'verbatim fake --help' lists the kinds"
}

// Misuse marks the error as one of usage.
func (e *FaultError) Misuse() bool { return true }

func parseFault(word string) (Fault, error) {
	head, rest, more := strings.Cut(word, ",")
	head, share, shared := strings.Cut(head, ":")
	kind, place, placed := strings.Cut(head, "@")
	f := Fault{Kind: kind, Share: 1}
	var err error
	if shared {
		if f.Share, err = strconv.ParseFloat(share, 64); err != nil {
			return f, fmt.Errorf("the share must be a number, got %q", share)
		}
	}
	if placed {
		if err := f.parsePosition(place); err != nil {
			return f, err
		}
	}
	for more {
		var pair string
		pair, rest, more = strings.Cut(rest, ",")
		name, value, _ := strings.Cut(pair, "=")
		if err := f.set(name, value); err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
	}
	return f, f.Check()
}

func (f *Fault) parsePosition(place string) error {
	from, to, ranged := strings.Cut(place, "-")
	var err1, err2 error
	f.From, err1 = strconv.ParseInt(from, 10, 64)
	f.To = f.From
	if ranged {
		f.To, err2 = strconv.ParseInt(to, 10, 64)
	}
	if err1 != nil || err2 != nil || f.From < 1 || f.To < f.From {
		return fmt.Errorf("the place must be a number from 1 or a range such as 3-5, got %q", place)
	}
	return nil
}

// set sets a field by its name in the text.
func (f *Fault) set(name, value string) (err error) {
	switch name {
	case "tries":
		f.Attempts, err = strconv.Atoi(value)
		if err == nil && f.Attempts < 1 {
			err = fmt.Errorf("it must be at least 1, got %d", f.Attempts)
		}
	case "after":
		f.After, err = parseTime(value)
	case "every":
		f.Every, err = parseTime(value)
	case "for":
		f.For, err = parseTime(value)
	case "form":
		f.Form = value
	case "param":
		f.Param = value
	case "word":
		f.Word = value
	case "end":
		f.End = value
	case "at":
		f.At, err = strconv.ParseFloat(value, 64)
	default:
		err = errors.New("there is no such setting")
	}
	return err
}

// parseTime reads a duration in Go's form, or a number of seconds.
func parseTime(s string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 0 && n < 1e9 {
		return time.Duration(n * float64(time.Second)), nil
	}
	return time.ParseDuration(s)
}

// String returns the text of the fault that Parse reads.
func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.Kind)
	if f.From > 0 {
		fmt.Fprintf(&b, "@%d", f.From)
		if f.To > f.From {
			fmt.Fprintf(&b, "-%d", f.To)
		}
	}
	if f.Share != 1 {
		fmt.Fprintf(&b, ":%v", f.Share)
	}
	if f.Attempts > 0 {
		fmt.Fprintf(&b, ",tries=%d", f.Attempts)
	}
	for _, d := range []struct {
		name string
		v    time.Duration
	}{{"after", f.After}, {"every", f.Every}, {"for", f.For}} {
		if d.v > 0 {
			fmt.Fprintf(&b, ",%s=%v", d.name, d.v)
		}
	}
	for _, s := range []struct{ name, v string }{{"form", f.Form}, {"param", f.Param}, {"word", f.Word}, {"end", f.End}} {
		if s.v != "" {
			fmt.Fprintf(&b, ",%s=%s", s.name, s.v)
		}
	}
	if f.At > 0 {
		fmt.Fprintf(&b, ",at=%v", f.At)
	}
	return b.String()
}
