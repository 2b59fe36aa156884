// Package browser opens the pages that verbatim writes in a browser: Chromium, as wide
// as a telephone, a tablet and a desk, in light and in dark, and checks what only a
// browser shows: that nothing is requested from a network, that the policy forbids
// nothing which the page brings, that no text of a model is executed, that nothing is
// wider than the window, and what axe-core says of it.
//
// It consists of tests only. They are skipped where Chromium or npm is missing, unless
// VERBATIM_BROWSER=require. Start reading at TestPages.
package browser
