package evallog

import (
	"archive/zip"
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"verbatim/internal/exchange"
)

// The limits of a log: a small archive can unpack to terabytes.
const (
	maxSample  = 64 << 20 // bytes of a sample after unpacking, and of any other part
	maxSamples = 2_000_000
)

// samples reads the head and the samples of the log. Those of an archive are in the order of epochs
// and ids, as Inspect shows them, or, if this program has written it, in the order of the archive.
// After the error of a sample, the next one follows; an error of the file is the last value.
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

// archived reads an .eval archive.
func (l *inspectLog) archived(f *os.File, yield func(placedSample, error) bool) {
	entries, err := l.open(f)
	if err != nil {
		yield(placedSample{}, err)
		return
	}
	for _, e := range entries {
		s := placedSample{new(inspectSample), entryName(e)}
		if err := l.unpack(e, s.inspectSample); !yield(s, err) {
			return
		}
	}
}

// open reads the head of an archive and returns the entries of its samples.
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
	byName := make(map[string]*zip.File, len(z.File)) // the last entry of a name counts, as in Inspect
	var names []string
	for _, e := range z.File {
		if _, again := byName[e.Name]; !again && strings.HasPrefix(e.Name, "samples/") {
			names = append(names, e.Name)
		}
		byName[e.Name] = e
	}
	head := cmp.Or(byName["header.json"], byName["_journal/start.json"]) // an unfinished log has only the second
	if head == nil {
		return nil, fmt.Errorf("%s: this is no log of Inspect: the archive has no header.json", l.path)
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
			return nil, fmt.Errorf("%s: %s: the samples are in several files, which are not read: 'inspect log convert --to json' writes whole ones", l.path, name)
		}
		entries = append(entries, byName[name])
	}
	if l.note == nil {
		slices.SortStableFunc(entries, func(a, b *zip.File) int { return compareSamples(a.Name, b.Name) })
	}
	return entries, nil
}

// compareSamples compares the names of samples, samples/ID_epoch_N.json, by epoch and then by id.
func compareSamples(a, b string) int {
	idA, epochA := sampleKey(a)
	idB, epochB := sampleKey(b)
	return cmp.Or(cmp.Compare(epochA, epochB), strings.Compare(idA, idB))
}

// sampleKey returns the id and the epoch in the name of a sample. A number as id gets leading zeros,
// so that numbers compare by their values.
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

// entryName returns the name of an entry of an archive, for errors.
func entryName(e *zip.File) string { return fmt.Sprintf("%.120q", e.Name) }

// unpack decodes the JSON of an entry of an archive into v.
func (l *inspectLog) unpack(e *zip.File, v any) error {
	path := l.path + ": " + entryName(e)
	tooLarge := fmt.Errorf("%s: more than %d MB after unpacking", path, maxSample>>20)
	if e.UncompressedSize64 > maxSample { // it may be wrong: the bytes that are read count too
		return tooLarge
	}
	r, err := e.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	data, err := io.ReadAll(io.LimitReader(exchange.PythonJSON(bufio.NewReader(r)), maxSample+1))
	if err := errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(data) > maxSample {
		return tooLarge
	}
	return exchange.DecodeJSON(path, data, v)
}

// document reads a log that is a JSON document, one sample at a time.
func (l *inspectLog) document(f *os.File, yield func(placedSample, error) bool) {
	fail := func(err error) { yield(placedSample{}, fmt.Errorf("%s: %w", l.path, err)) }
	in := &meter{r: exchange.PythonJSON(bufio.NewReaderSize(f, 1<<16)), left: maxSample}
	dec := json.NewDecoder(in)
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		if _, unreadable := errors.AsType[*fs.PathError](err); unreadable {
			fail(err)
			return
		}
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

// heads sets the head of the log, which consists of the parts before the samples.
func (l *inspectLog) heads(parts map[string]json.RawMessage) error {
	if parts["eval"] == nil {
		return fmt.Errorf("%s: this is no log of Inspect: it has no \"eval\" before its samples", l.path)
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

// list reads the samples of a document. It returns false after an error of the file, and if yield
// does.
func (l *inspectLog) list(dec *json.Decoder, in *meter, yield func(placedSample, error) bool) bool {
	t, err := dec.Token()
	if err == nil && t == nil {
		return true // null
	}
	if err != nil || t != json.Delim('[') {
		return yield(placedSample{}, fmt.Errorf("%s: samples: want a list", l.path)) && false
	}
	for i := 0; dec.More(); i++ {
		in.left = maxSample
		s := placedSample{new(inspectSample), fmt.Sprintf("samples[%d]", i)}
		err := dec.Decode(s.inspectSample)
		if i >= maxSamples {
			return yield(placedSample{}, fmt.Errorf("%s: more than %d samples", l.path, maxSamples)) && false
		}
		_, mistyped := errors.AsType[*json.UnmarshalTypeError](err)
		if err != nil {
			err = fmt.Errorf("%s: %s: %w", l.path, s.where, exchange.KindError(err))
		}
		if !yield(s, err) || err != nil && !mistyped {
			return false
		}
	}
	if _, err = dec.Token(); err != nil {
		return yield(placedSample{}, fmt.Errorf("%s: samples: %w", l.path, err)) && false
	}
	return true
}

// A meter is a reader whose error after left bytes is that a part of the document is too long.
type meter struct {
	r    io.Reader
	left int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if m.left -= int64(n); m.left < 0 {
		return 0, fmt.Errorf("a part of the document has more than %d MB", maxSample>>20)
	}
	return n, err
}
