// Package browser opens the pages that verbatim writes in Chromium, in the widths of a
// telephone, a tablet and a desktop, in light and dark colours. It checks what only a
// browser shows: the page requests nothing from a network, its policy forbids no part
// of it, no text of a model is executed, nothing is wider than the window, and axe-core
// finds no violation.
//
// It consists of tests only. They are skipped if Chromium or npm is missing, unless
// VERBATIM_BROWSER=require. Start reading at TestPages.
package browser
