// Package result holds the results of the commands other than `report`, with the notes and the
// advice that follow from them: comparisons, checks, verifications, retests, horizons, watches and
// lists of failed records. Most exported types are also the JSON forms; each names its format.
//
// A command fills in a result and calls its Complete method, if it has one. Package layout prints
// it.
package result
