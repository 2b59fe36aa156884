module verbatim/dev

go 1.26.0

// The program under test, from this checkout. It never imports what is below.
replace verbatim => ../
