package table

import (
	"encoding/xml"
	"io"
	"strconv"

	"verbatim/internal/terminal"
)

// junit writes the tests of a document as JUnit XML. encoding/xml removes control characters and
// escapes all texts.
func junit(w io.Writer, d *Document, _ terminal.Style) error {
	all := struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Time     string   `xml:"time,attr,omitempty"`
		Suites   []Suite  `xml:"testsuite"`
	}{Name: "verbatim", Suites: d.Tests()}
	seconds := 0.0
	for i := range all.Suites {
		s := &all.Suites[i]
		s.Tests = len(s.Cases)
		for _, c := range s.Cases {
			if c.Failure != nil {
				s.Failures++
			}
			if c.Error != nil {
				s.Errors++
			}
		}
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
		if took, err := strconv.ParseFloat(s.Time, 64); err == nil { // "" is an unknown time
			seconds += took
			all.Time = strconv.FormatFloat(seconds, 'f', 3, 64)
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
