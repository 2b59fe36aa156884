package preflight

// judge returns what the replies so far show of a contract, without its number.
func (t *Test) judge(c Contract) Line {
	switch c {
	case Greedy:
		return t.judgeGreedy()
	case TokenLimit:
		return t.confirm("limit", "limit-again", t.judgeLimit)
	case Stop:
		return t.confirm("stop", "stop-again", t.judgeStop)
	case Temperature:
		return t.judgeTemperature()
	case Seed:
		return t.judgeSeed()
	case System:
		return t.judgeSystem()
	case Streaming:
		return t.judgeStreaming()
	case Finish:
		return t.judgeFinish()
	case Usage:
		return t.judgeUsage()
	case Unicode:
		return t.judgeUnicode()
	case Context:
		return t.judgeContext()
	case Logprobs:
		return t.judgeLogprobs()
	case ModelName:
		return t.judgeName()
	case Upstream:
		return t.judgeUpstream()
	}
	return t.judgeReasoning()
}
