package page

import (
	"bytes"
	"encoding/base64"
	"html"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
)

// pictured returns a record whose prompt has a picture of 600 × 300 pixels, and one that is
// no picture but an attack. So are the other texts.
func pictured(t *testing.T) *recordview.View {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 600, 300))); err != nil {
		t.Fatal(err)
	}
	return recordview.New(verbatim.Run{N: 3, Name: "a run" + attack, Model: "m" + attack}, verbatim.Record{
		Item: &verbatim.Item{ID: "hard-image-size@1/len=2/seed=1/0" + attack, Want: verbatim.Answer{Text: "B"}, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{
			{Text: "Sort." + attack},
			{Image: &verbatim.Image{Media: "image/png", Bytes: file.Bytes()}},
			{Image: &verbatim.Image{Path: attack, Media: "image/svg+xml", Bytes: []byte(attack)}},
		}}}},
		Outcome: verbatim.Wrong, Grade: &verbatim.Grade{Label: "wrong"}, Reply: &verbatim.Reply{Text: attack},
	})
}

// wantPicture wants one picture on a page, of that size, and nothing that could harm.
func wantPicture(t *testing.T, page string, wide, high int) {
	t.Helper()
	harmless(t, page)
	pictures := regexp.MustCompile(`<img [^>]*src="data:image/png;base64,([^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(pictures) != 1 {
		t.Fatalf("the page has %d pictures", len(pictures))
	}
	data, err := base64.StdEncoding.DecodeString(html.UnescapeString(pictures[0][1]))
	if err != nil {
		t.Fatal(err)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || size.Width != wide || size.Height != high {
		t.Errorf("the picture is %d × %d, %v", size.Width, size.Height, err)
	}
}

func TestRecord(t *testing.T) {
	var page strings.Builder
	if err := Record(&page, pictured(t), ""); err != nil {
		t.Fatal(err)
	}
	wantPicture(t, page.String(), 600, 300)
	if !strings.Contains(page.String(), `<details class="vb-asked" open>`) {
		t.Error("the prompt is folded")
	}
}

// TestThumbnails wants a thumbnail of a sample in a report.
func TestThumbnails(t *testing.T) {
	r := *small()
	r.Samples = &report.Samples{Each: 1, Of: 1, List: []report.Sample{{View: pictured(t)}}}
	wantPicture(t, rendered(t, &r), 256, 128)
}
