package wire_test

import (
	"strings"
	"testing"

	"verbatim/internal/finish"
)

// TestOddSpelling: a word means the same in any case, with separators, punctuation and
// characters that cannot be seen, as they come or as they are escaped when they are saved.
func TestOddSpelling(t *testing.T) {
	for word, want := range map[string]finish.Meaning{
		"error\u200b": finish.Failure, "\ufefferror": finish.Failure, "er\u200dror": finish.Failure, `er\u200bror`: finish.Failure, `\x00error`: finish.Failure,
		`"error"`: finish.Failure, "'timeout'": finish.Failure, "network\u00a0error": finish.Failure, "FINISH_REASON_ERROR": finish.Failure, "FinishReason.CANCELLED": finish.Failure,
		"stop\u200b": finish.Stop, `st\u00adop`: finish.Stop, "FinishReason.STOP": finish.Stop, "finish_reason: stop": finish.Stop,
		"FINISH_REASON_LENGTH": finish.Length, "FINISH_REASON_UNSPECIFIED": finish.None, "finish_reason": finish.Unknown,
		"": finish.None, " ": finish.None, "?": finish.Unknown, "0": finish.Unknown, `\u200b`: finish.Unknown, `\`: finish.Unknown, `\u20`: finish.Unknown,
	} {
		if got := finish.Of(word); got != want {
			t.Errorf("%q means %d, want %d", word, got, want)
		}
	}
}

// TestWordsOfErrors: a word that is in no table and says by itself that something failed
// is a failure; every other one is unknown.
func TestWordsOfErrors(t *testing.T) {
	for word, want := range map[string]finish.Meaning{
		"internal_error": finish.Failure, "server-error": finish.Failure, "EngineError": finish.Failure, "internal_server_error": finish.Failure, "RuntimeException": finish.Failure,
		"generation_failed": finish.Failure, "request_timeout": finish.Failure, "ERROR_OTHER": finish.Failure, "error: out of memory": finish.Failure,
		"error: " + strings.Repeat("x", 500): finish.Failure,
		"ERROR_LIMIT":                        finish.Length, "ERROR_TOXIC": finish.Filter,
		"terror_free": finish.Unknown, "no_errors_found": finish.Unknown, "unknown": finish.Unknown, "finished": finish.Unknown, strings.Repeat("x", 500) + "error": finish.Unknown,
	} {
		if got := finish.Of(word); got != want {
			t.Errorf("%q means %d, want %d", word, got, want)
		}
	}
}
