module verbatim/dev

go 1.26.0

// The program under test, from this checkout. It never imports what is below.
replace verbatim => ../

require (
	github.com/klauspost/compress v1.20.3 // zstd for the word list
	golang.org/x/text v0.43.0 // CLDR for the names
	verbatim v0.0.0-00010101000000-000000000000 // see replace
)

require (
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/sync v0.24.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
