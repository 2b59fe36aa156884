module verbatim

go 1.26.0

// Each dependency has its reason beside it.

require (
	codeberg.org/go-pdf/fpdf v0.11.1 // figures as PDF, with the letters that they use
	github.com/klauspost/compress v1.20.3 // zstd for the embedded word list and fonts
	github.com/pelletier/go-toml/v2 v2.4.3 // verbatim.toml: strict, with the place of every error
	github.com/rivo/uniseg v0.4.7 // grapheme clusters and display width
	github.com/spf13/cobra v1.10.2 // commands, flags, completion
	github.com/spf13/pflag v1.0.9 // the flags of cobra's commands: to print those that were given again, and to find one that was meant
	golang.org/x/image v0.47.0 // widths and outlines of letters and filled shapes for figures, letters in drawn items, WebP
	golang.org/x/sync v0.24.0 // errgroup
	golang.org/x/term v0.47.0 // is this a terminal, and how wide
	golang.org/x/text v0.43.0 // Unicode normalisation and case folding
	gonum.org/v1/gonum v0.17.0 // special functions; its distributions in tests
	modernc.org/libc v1.77.1 // tests: the calling convention of SQLite without cgo, to cut its power
	modernc.org/sqlite v1.60.1 // the store: SQLite without cgo
)

// For tests and checks only.
require (
	codeberg.org/go-fonts/liberation v0.5.0 // the fonts that are compressed in internal/figure
	github.com/google/go-cmp v0.7.0 // readable differences
	github.com/itchyny/gojq v0.12.20 // the filters of docs/report.md give what the page shows
	github.com/rogpeppe/go-internal v1.16.0 // testscript: the command-line stories
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // the schemas of docs/schema hold
	honnef.co/go/tools v0.8.2 // indirect; staticcheck
	pgregory.net/rapid v1.3.0 // property tests
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/itchyny/timefmt-go v0.1.9 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

tool honnef.co/go/tools/cmd/staticcheck
