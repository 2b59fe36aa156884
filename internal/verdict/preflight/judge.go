package preflight

import "slices"

// A contractJudge judges the replies so far on one contract. It returns a Line without its number.
type contractJudge struct {
	contract Contract
	judge    func(*Test) Line
}

// judges lists the contracts in the order of their numbers.
func judges() []contractJudge {
	return []contractJudge{
		{Greedy, (*Test).judgeGreedy},
		{TokenLimit, func(t *Test) Line { return t.confirm("limit", "limit-again", t.judgeLimit) }},
		{Stop, func(t *Test) Line { return t.confirm("stop", "stop-again", t.judgeStop) }},
		{Temperature, (*Test).judgeTemperature},
		{Seed, (*Test).judgeSeed},
		{System, (*Test).judgeSystem},
		{Streaming, (*Test).judgeStreaming},
		{Finish, (*Test).judgeFinish},
		{Usage, (*Test).judgeUsage},
		{Unicode, (*Test).judgeUnicode},
		{Context, (*Test).judgeContext},
		{Logprobs, (*Test).judgeLogprobs},
		{modelName, (*Test).judgeName},
		{Upstream, (*Test).judgeUpstream},
		{Reasoning, (*Test).judgeReasoning},
	}
}

// contracts lists the contracts in the order of their numbers, from 1.
func contracts() (list []Contract) {
	for _, j := range judges() {
		list = append(list, j.contract)
	}
	return list
}

// judge judges the replies so far on a contract.
func (t *Test) judge(c Contract) Line {
	list := judges()
	return list[slices.IndexFunc(list, func(j contractJudge) bool { return j.contract == c })].judge(t)
}
