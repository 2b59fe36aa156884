package horizonsearch

import (
	"testing"

	"verbatim/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Main(m) }
