package evallog

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"verbatim/internal/exchange"
)

// The sizes beyond which a log is refused: a small archive can unpack to terabytes.
const (
	maxSample  = 64 << 20 // of one sample unpacked, and of what is not a sample
	maxSamples = 2_000_000
)

// samples reads the samples of the log, those of an archive in the order of epochs
// and ids, in which Inspect lists them, or as they lie where this program wrote it.
// An error of a sample does not end them, one of the file does.
func (l *inspectLog) samples() iter.Seq2[placedSample, error] {
	return func(yield func(placedSample, error) bool) {
		f, err := os.Open(l.path)
		if err != nil {
			yield(placedSample{}, err)
			return
		}
		defer f.Close()
		var magic [4]byte
		n, _ := f.ReadAt(magic[:], 0)
		if string(magic[:n]) == "PK\x03\x04" {
			l.archived(f, yield)
			return
		}
		l.document(f, yield)
	}
}

// archived reads a .eval archive.
func (l *inspectLog) archived(f *os.File, yield func(placedSample, error) bool) {
	entries, err := l.open(f)
	if err != nil {
		yield(placedSample{}, err)
		return
	}
	for _, e := range entries {
		s := placedSample{new(inspectSample), entryName(e)}
		if err := l.unpack(e, s.inspectSample); err != nil {
			s.inspectSample = nil
			if !yield(s, err) {
				return
			}
			continue
		}
		if !yield(s, nil) {
			return
		}
	}
}

// open reads the head of an archive and finds its samples.
func (l *inspectLog) open(f *os.File) ([]*zip.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: not an archive that can be read: %w", l.path, err)
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxMemory(maxSample), zstd.WithDecoderConcurrency(1)))
	byName := make(map[string]*zip.File, len(z.File)) // of one name the last holds, as in Inspect
	var names []string
	for _, e := range z.File {
		if _, again := byName[e.Name]; !again && strings.HasPrefix(e.Name, "samples/") {
			names = append(names, e.Name)
		}
		byName[e.Name] = e
	}
	head := byName["header.json"]
	if head == nil {
		head = byName["_journal/start.json"] // of a log that was not finished
	}
	if head == nil {
		return nil, fmt.Errorf("%s: this is no log of Inspect: there is no header.json in the archive", l.path)
	}
	if len(names) > maxSamples {
		return nil, fmt.Errorf("%s: more than %d samples", l.path, maxSamples)
	}
	var h inspectHead
	if err := l.unpack(head, &h); err != nil {
		return nil, err
	}
	if err := l.begin(h); err != nil {
		return nil, err
	}
	var entries []*zip.File
	for _, name := range names {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		if strings.HasSuffix(name, "/sample.json") {
			return nil, fmt.Errorf("%s: %s: samples in pieces are not read; 'inspect log convert --to json' writes a log with whole ones", l.path, name)
		}
		entries = append(entries, byName[name])
	}
	if l.note == nil {
		slices.SortStableFunc(entries, func(a, b *zip.File) int { return compareSamples(a.Name, b.Name) })
	}
	return entries, nil
}

// compareSamples orders the names of samples, samples/ID_epoch_N.json, by epoch and
// id: ids that are numbers by their value.
func compareSamples(a, b string) int {
	idA, epochA := sampleKey(a)
	idB, epochB := sampleKey(b)
	if epochA != epochB {
		return epochA - epochB
	}
	return strings.Compare(idA, idB)
}

func sampleKey(name string) (id string, epoch int) {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "samples/"), ".json")
	i := strings.LastIndex(name, "_epoch_")
	if i < 0 {
		return name, 0
	}
	id = name[:i]
	epoch, _ = strconv.Atoi(name[i+len("_epoch_"):])
	if _, err := strconv.ParseUint(id, 10, 64); err == nil && len(id) < 20 {
		id = strings.Repeat("0", 20-len(id)) + id
	}
	return id, epoch
}

// entryName is the name of a member of an archive, for errors.
func entryName(e *zip.File) string { return fmt.Sprintf("%.120q", e.Name) }

// unpack reads a member of an archive into v.
func (l *inspectLog) unpack(e *zip.File, v any) error {
	if e.UncompressedSize64 > maxSample { // which need not be true: what is read is counted too
		return fmt.Errorf("%s: %s: larger than %d MB unpacked", l.path, entryName(e), maxSample>>20)
	}
	r, err := e.Open()
	if err != nil {
		return fmt.Errorf("%s: %s: %w", l.path, entryName(e), err)
	}
	data, err := io.ReadAll(io.LimitReader(exchange.PythonJSON(bufio.NewReader(r)), maxSample+1))
	if err := errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("%s: %s: %w", l.path, entryName(e), err)
	}
	if len(data) > maxSample {
		return fmt.Errorf("%s: %s: larger than %d MB unpacked", l.path, entryName(e), maxSample>>20)
	}
	return exchange.DecodeJSON(l.path+": "+entryName(e), data, v)
}

// document reads a log that is one JSON document, piece by piece.
func (l *inspectLog) document(f *os.File, yield func(placedSample, error) bool) {
	fail := func(err error) { yield(placedSample{}, fmt.Errorf("%s: %w", l.path, err)) }
	in := &meter{r: exchange.PythonJSON(bufio.NewReaderSize(f, 1<<16)), left: maxSample}
	dec := json.NewDecoder(in)
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		fail(fmt.Errorf("this is no log of Inspect: it is neither an archive nor a JSON object"))
		return
	}
	parts := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			fail(err)
			return
		}
		in.left = maxSample
		if key != "samples" {
			var raw json.RawMessage
			if err := dec.Decode(&raw); err != nil {
				fail(fmt.Errorf("%v: %w", key, err))
				return
			}
			if name, ok := key.(string); ok && slices.Contains([]string{"version", "status", "eval", "plan", "stats"}, name) {
				parts[name] = raw
			}
			continue
		}
		if err := l.heads(parts); err != nil {
			yield(placedSample{}, err)
			return
		}
		if !l.list(dec, in, yield) {
			return
		}
	}
	if _, err := dec.Token(); err != nil {
		fail(fmt.Errorf("the document ends in the middle: %w", err))
		return
	}
	if l.head.Version == 0 {
		if err := l.heads(parts); err != nil {
			yield(placedSample{}, err)
		}
	}
}

// heads puts the head together from the parts that came before the samples.
func (l *inspectLog) heads(parts map[string]json.RawMessage) error {
	if parts["eval"] == nil {
		return fmt.Errorf("%s: this is no log of Inspect: there is no \"eval\" in it, before its samples", l.path)
	}
	whole, err := json.Marshal(parts)
	if err != nil {
		return fmt.Errorf("%s: %w", l.path, err)
	}
	var h inspectHead
	if err := exchange.DecodeJSON(l.path, whole, &h); err != nil {
		return err
	}
	return l.begin(h)
}

// list reads the samples of a document; false ends the reading.
func (l *inspectLog) list(dec *json.Decoder, in *meter, yield func(placedSample, error) bool) bool {
	t, err := dec.Token()
	if err == nil && t == nil {
		return true // null: none
	}
	if err != nil || t != json.Delim('[') {
		return yield(placedSample{}, fmt.Errorf("%s: samples: want a list", l.path)) && false
	}
	for i := 0; dec.More(); i++ {
		in.left = maxSample
		s := placedSample{new(inspectSample), fmt.Sprintf("samples[%d]", i)}
		err := dec.Decode(s.inspectSample)
		var kind *json.UnmarshalTypeError
		switch {
		case i >= maxSamples:
			err = fmt.Errorf("%s: more than %d samples", l.path, maxSamples)
			return yield(placedSample{}, err) && false
		case errors.As(err, &kind):
			err = fmt.Errorf("%s: %s: %s: want %s, found a JSON %s", l.path, s.where, exchange.FieldName(kind.Field), exchange.KindName(kind), kind.Value)
			if !yield(placedSample{where: s.where}, err) {
				return false
			}
			continue
		case err != nil:
			return yield(placedSample{}, fmt.Errorf("%s: %s: %w", l.path, s.where, err)) && false
		}
		if !yield(s, nil) {
			return false
		}
	}
	if _, err = dec.Token(); err != nil {
		return yield(placedSample{}, fmt.Errorf("%s: samples: %w", l.path, err)) && false
	}
	return true
}

// A meter ends in an error where a piece of a document is too long.
type meter struct {
	r    io.Reader
	left int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if m.left -= int64(n); m.left < 0 {
		return 0, fmt.Errorf("a piece of the document is larger than %d MB", maxSample>>20)
	}
	return n, err
}
