package evallog

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/internal/exchange"
)

// WriteInspect writes a run as a log of Inspect, version 2: if zipped is set, as the archive that
// Inspect calls .eval, otherwise as a JSON document. inspect_ai's read_eval_log reads both, and so
// does ReadInspect, which returns the same records: metadata.verbatim of the log and of every
// sample has what the format lacks.
//
// A trial is an epoch. A request without an answer is a sample with an error and without scores, so
// that Inspect leaves it out of its metrics as this program does. The scores are "exact" (C or I),
// "extracted" (C or I) and, if the grade has one, "score". WriteInspect reads the records up to
// three times.
func WriteInspect(w io.Writer, run *exchange.Run, zipped bool) error {
	head, err := inspectHeadOf(run)
	if err != nil {
		return fmt.Errorf("run %s: %w", run.Name, err)
	}
	if zipped {
		err = writeInspectZip(w, run, head)
	} else {
		err = writeInspectJSON(w, run, head)
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", run.Name, err)
	}
	return nil
}

func writeInspectJSON(w io.Writer, run *exchange.Run, head *inspectHead) error {
	out := bufio.NewWriter(w)
	data, err := marshal(head)
	if err != nil {
		return err
	}
	out.Write(data[:len(data)-1])
	out.WriteString(`,"samples":[`)
	separator := "\n"
	err = eachSample(run, func(s *inspectSample, _ *verbatim.Record) error {
		data, err := marshal(s)
		out.WriteString(separator)
		out.Write(data)
		separator = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

// eachSample calls do for each record of a run and its sample.
func eachSample(run *exchange.Run, do func(*inspectSample, *verbatim.Record) error) error {
	for rec, err := range run.Records {
		if err != nil {
			return err
		}
		s, err := inspectSampleOf(&run.Run, &rec)
		if err == nil {
			err = do(s, &rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func writeInspectZip(w io.Writer, run *exchange.Run, head *inspectHead) error {
	z := zip.NewWriter(w)
	entry := func(name string, v any) error {
		f, err := z.Create(name)
		if err != nil {
			return err
		}
		data, err := marshal(v)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	start := struct {
		Version int         `json:"version"`
		Eval    inspectEval `json:"eval"`
		Plan    inspectPlan `json:"plan"`
	}{head.Version, head.Eval, head.Plan}
	if err := entry("_journal/start.json", start); err != nil {
		return err
	}
	err := eachSample(run, func(s *inspectSample, rec *verbatim.Record) error {
		return entry(fmt.Sprintf("samples/%s_epoch_%d.json", sampleID(rec.Item.ID), s.Epoch), s)
	})
	if err != nil {
		return err
	}
	if err := writeSummaries(z, run); err != nil {
		return err
	}
	if err := entry("header.json", head); err != nil {
		return err
	}
	return z.Close()
}

// writeSummaries writes the list that Inspect's viewer shows. It reads the records again, so that
// the list is never in memory.
func writeSummaries(z *zip.Writer, run *exchange.Run) error {
	f, err := z.Create("summaries.json")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	separator := ""
	out.WriteString("[")
	err = eachSample(run, func(s *inspectSample, rec *verbatim.Record) error {
		data, err := marshal(s.summary(rec))
		out.WriteString(separator)
		out.Write(data)
		separator = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	out.WriteString("]")
	return out.Flush()
}

// summary returns the sample without long values.
func (s *inspectSample) summary(rec *verbatim.Record) inspectSummary {
	sum := inspectSummary{
		ID: s.ID, Epoch: s.Epoch, Target: s.Target, Metadata: map[string]json.RawMessage{}, Scores: map[string]inspectScore{},
		Usage: s.Usage, Started: s.Started, Completed: s.Completed, Total: s.Total, Working: s.Working,
		Whole: true, Count: len(s.Messages),
	}
	if sum.Usage == nil {
		sum.Usage = map[string]inspectUsage{} // Inspect refuses null
	}
	const most = 1000 // bytes, about as many as Inspect writes
	if len(s.Target) > most {
		sum.Target = json.RawMessage(`"…"`)
	}
	prompt := shownPrompt(rec)
	for i := len(prompt) - 1; i >= 0 && sum.Input == ""; i-- {
		for _, p := range prompt[i].Content {
			sum.Input += p.Text
		}
	}
	sum.Input = strings.ToValidUTF8(sum.Input[:min(len(sum.Input), most)], "")
	for key, value := range s.Metadata {
		if key != noteKey && len(value) <= most {
			sum.Metadata[key] = value
		}
	}
	for name, score := range s.Scores {
		sum.Scores[name] = inspectScore{Value: score.Value, Answer: score.Answer, Explanation: score.Explanation}
	}
	if s.Error != nil {
		sum.Error = s.Error.Message
	}
	return sum
}
