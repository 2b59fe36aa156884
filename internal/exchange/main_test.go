package exchange_test

import (
	"testing"

	"verbatim/internal/testheap"
)

func TestMain(m *testing.M) { testheap.Main(m) }
