package report

func (f *fold) head() Head {
	run := &f.input.Run
	h := Head{
		N:       run.N,
		Name:    run.Name,
		Model:   run.Model,
		Served:  f.served.ranked(),
		Note:    f.input.Note,
		Origin:  run.Origin,
		Suite:   run.Plan.Suite,
		Edition: run.Plan.Edition,
		Seed:    run.Plan.Seed,
		Trials:  run.Plan.Trials,
		Plan:    run.Plan.Hash,
		Tool:    run.Tool,
		Params:  run.Params,
		Load:    run.Load,
		Graders: f.graders.ranked(),
		Metric:  f.metric,
		Variant: run.Plan.Variant,
		Asks:    asks(&run.Plan),
	}
	if run.Plan.Items != nil {
		h.Items = run.Plan.Items.Name
	}
	if !run.Started.IsZero() {
		h.Started = &run.Started
	}
	if !run.Ended.IsZero() {
		h.Ended = &run.Ended
		if took := run.Ended.Sub(run.Started).Seconds(); h.Started != nil && took > 0 {
			h.Took = &took
		}
	}
	return h
}
