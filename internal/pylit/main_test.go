package pylit

import (
	"testing"

	"verbatim/internal/testheap"
)

func TestMain(m *testing.M) { testheap.Main(m) }
