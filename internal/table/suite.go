package table

// A Suite is a group of tests for CI systems.
type Suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`    // counted by the format
	Failures   int        `xml:"failures,attr"` // counted by the format
	Errors     int        `xml:"errors,attr"`   // counted by the format
	Time       string     `xml:"time,attr,omitempty"`
	Timestamp  string     `xml:"timestamp,attr,omitempty"`
	Properties []Property `xml:"properties>property"`
	Cases      []Case     `xml:"testcase"`
}

// A Property is a number or a text for programs.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A Case is one test. It failed, could not be decided (Error), was skipped, or passed.
type Case struct {
	Class      string     `xml:"classname,attr"`
	Name       string     `xml:"name,attr"`
	Time       string     `xml:"time,attr,omitempty"`
	Properties []Property `xml:"properties>property"`
	Failure    *Outcome   `xml:"failure"`
	Error      *Outcome   `xml:"error"`
	Skipped    *Outcome   `xml:"skipped"`
	Out        string     `xml:"system-out,omitempty"`
}

// An Outcome says why a test did not pass.
type Outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}
