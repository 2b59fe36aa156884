package cli

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/exchange"
	"verbatim/internal/library"

	"verbatim/internal/page"
	"verbatim/internal/paper"

	"verbatim/internal/store"
	"verbatim/internal/study"

	"verbatim/internal/study/simpe"
	"verbatim/internal/study/sortbench"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// presetOptions are the flags of `report` that go with --preset.
type presetOptions struct {
	Name    string
	Format  string // the format of the document; "": a folder, unless Figures is given
	Out     string // the folder, or the file of a Format
	Figures string // the folder for figures alone; "": the other files too
	Raw     bool   // CSV cells unchanged
}

// studies lists the studies that --preset can name, a line for each.
func studies() []study.Study {
	return []study.Study{
		sortbench.Study(),
		simpe.Study(),
	}
}

// presets lists the names of the studies.
func presets() []string {
	var names []string
	for _, s := range studies() {
		names = append(names, s.Name)
	}
	return names
}

// presetReport makes the tables and figures of a published study.
func presetReport(cmd *cobra.Command, env *Env, args []string, o presetOptions) error {
	at := slices.Index(presets(), o.Name)
	if at < 0 {
		return errkind.Usagef("the studies are "+strings.Join(presets(), ", "), "there is no study %q", o.Name)
	}
	s := studies()[at]
	if flag := firstGiven(cmd, "metric", "every-length", "at-least"); flag != "" {
		return errkind.Usagef("leave it out: a study has scores and tables of its own", "--%s does not go with --preset", flag)
	}
	if o.Format != "" && o.Figures != "" {
		return errkind.Usagef("--figures writes drawings, and --format one text", "--figures does not go with --format")
	}
	write, err := o.writer(cmd.Context(), env)
	if err != nil {
		return err
	}
	lib := env.app(cmd).Library()
	defer lib.Close()
	runs, left, err := studyRuns(cmd.Context(), lib, &s, args)
	if err != nil {
		return err
	}
	if s.Ranks {
		runs, left = withoutNano(runs, left)
	}
	sides, err := studySides(cmd.Context(), runs)
	if err != nil {
		return err
	}
	env.Note("verbatim: reading %s and computing the tables", runsOf(len(sides)))
	d, err := s.Document(sides, o.command(env, sides))
	if err != nil {
		return usageOfRefusal(err)
	}
	d.Lead = append(d.Lead, left...)
	if err := write(d); err != nil || s.Files == nil || o.Format != "" || o.Figures != "" {
		return err
	}
	return o.files(cmd.Context(), env, &s, runs)
}

// runsOf returns a number of runs in words.
func runsOf(n int) string {
	if n == 1 {
		return "one run"
	}
	return strconv.Itoa(n) + " runs"
}

// command returns the command that makes the document again.
func (o presetOptions) command(env *Env, sides []verdict.Side) string {
	words := []string{"verbatim"}
	if db := env.app(nil).NamedDatabase(); db != "" {
		words = append(words, "--db", db)
	}
	words = append(words, "report", "--preset", o.Name)
	for _, s := range sides {
		words = append(words, s.Ref)
	}
	return terminal.ShellWords(words...)
}

// files writes the result files of the study, into a folder next to its tables and figures.
func (o presetOptions) files(ctx context.Context, env *Env, s *study.Study, runs []library.NamedRun) error {
	var list []exchange.Run
	for _, r := range runs {
		list = append(list, exchange.Run{Run: r.Run, Records: r.Store.Records(ctx, r.N, store.Read{Texts: true, Attempts: true})})
	}
	dir := filepath.Join(o.folderName(), "results")
	written, err := s.Files(exchange.Folder{Path: dir, AtExit: env.Unfinished.Add}, list)
	if err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	env.Note("verbatim: %s in %s", written, dir)
	return nil
}

// folderName returns the folder of the study.
func (o presetOptions) folderName() string { return cmp.Or(o.Out, o.Name+"-report") }

// paperFormats lists the formats of a study, for --format.
func paperFormats() []paper.Format {
	return append(paper.Formats(), paper.Format{
		Name: "html", Doc: "one page for a browser, which needs no network and no other file",
		Write: func(w io.Writer, d *paper.Document, _ terminal.Style) error { return page.Paper(w, d, "") },
	})
}

func findPaperFormat(name string) (paper.Format, error) {
	var names []string
	for _, f := range paperFormats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return paper.Format{}, unknownFormat(name, names)
}

// writer returns the function that writes the document as the flags say. Errors of the flags
// are found now, before the work.
func (o presetOptions) writer(ctx context.Context, env *Env) (func(*paper.Document) error, error) {
	switch {
	case o.Format != "":
		layout, err := findPaperFormat(o.Format)
		return func(d *paper.Document) error {
			return env.writeResult(o.Out, contentOf(o.Format), func(w *File, s terminal.Style) error {
				d.Raw = o.Raw
				return layout.Write(w, d, s)
			})
		}, err
	case o.Figures != "":
		return func(d *paper.Document) error {
			env.Note("verbatim: drawing %d figures", len(d.Figures))
			n, err := studyFolder(env, o.Figures).Figures(ctx, d)
			if err == nil {
				env.Note("verbatim: %d files in %s", n, o.Figures)
			}
			return err
		}, nil
	}
	f := studyFolder(env, o.folderName())
	if err := f.Check(); err != nil {
		return nil, err
	}
	return func(d *paper.Document) error {
		env.Note("verbatim: drawing %d figures", len(d.Figures))
		if err := f.Write(ctx, d, o.Raw); err != nil {
			return err
		}
		return writeStudySummary(env, d, f)
	}, nil
}

// studyFolder returns the folder of a study at this path.
func studyFolder(env *Env, path string) study.Folder {
	return study.Folder{Path: path, AtExit: env.Unfinished.Add}
}

// writeStudySummary prints the first table of a study, and what is in its folder.
func writeStudySummary(env *Env, d *paper.Document, f study.Folder) error {
	return env.writeResult("", textContent, func(w *File, s terminal.Style) error {
		short := &paper.Document{Title: d.Title, Lead: d.Lead, Tables: d.Tables[:1]}
		if err := paper.Formats()[0].Write(w, short, s); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n"+f.Contents(d)+"\n")
		return err
	})
}
