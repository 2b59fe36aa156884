package finish

import (
	"strings"
	"testing"
)

// TestOddSpelling: a word means the same in any case, with separators, punctuation and
// characters that cannot be seen, as they come or as they are escaped when they are saved.
func TestOddSpelling(t *testing.T) {
	for word, want := range map[string]Meaning{
		"error\u200b": Failure, "\ufefferror": Failure, "er\u200dror": Failure, `er\u200bror`: Failure, `\x00error`: Failure,
		`"error"`: Failure, "'timeout'": Failure, "network\u00a0error": Failure, "FINISH_REASON_ERROR": Failure, "FinishReason.CANCELLED": Failure,
		"stop\u200b": Stop, `st\u00adop`: Stop, "FinishReason.STOP": Stop, "finish_reason: stop": Stop,
		"FINISH_REASON_LENGTH": Length, "FINISH_REASON_UNSPECIFIED": None, "finish_reason": Unknown,
		"": None, " ": None, "?": Unknown, "0": Unknown, `\u200b`: Unknown, `\`: Unknown, `\u20`: Unknown,
	} {
		if got := Of(word); got != want {
			t.Errorf("%q means %d, want %d", word, got, want)
		}
	}
}

// TestWordsOfErrors: a word that is in no table and says by itself that something failed
// is a failure; every other one is unknown.
func TestWordsOfErrors(t *testing.T) {
	for word, want := range map[string]Meaning{
		"internal_error": Failure, "server-error": Failure, "EngineError": Failure, "internal_server_error": Failure, "RuntimeException": Failure,
		"generation_failed": Failure, "request_timeout": Failure, "ERROR_OTHER": Failure, "error: out of memory": Failure,
		"error: " + strings.Repeat("x", 500): Failure,
		"ERROR_LIMIT":                        Length, "ERROR_TOXIC": Filter,
		"terror_free": Unknown, "no_errors_found": Unknown, "unknown": Unknown, "finished": Unknown, strings.Repeat("x", 500) + "error": Unknown,
	} {
		if got := Of(word); got != want {
			t.Errorf("%q means %d, want %d", word, got, want)
		}
	}
}
