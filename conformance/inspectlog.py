"""Reads logs with Inspect, or writes logs of a tiny task with its mock model.

    inspectlog.py read LOG...    prints a line of JSON for each log and for each of its samples
    inspectlog.py write FOLDER   writes FOLDER/*.json and FOLDER/*.eval, of the same task
"""

import json
import math
import sys

from inspect_ai.log import read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries
from inspect_ai.model import get_model


def number(v):
    return None if isinstance(v, float) and math.isnan(v) else v


def read(path):
    log = read_eval_log(path)
    scores = {s.name: {k: m.value for k, m in s.metrics.items()} for s in log.results.scores}
    summaries = {(str(s.id), s.epoch): s for s in read_eval_log_sample_summaries(path)}
    print(json.dumps({"log": path, "status": log.status, "model": log.eval.model, "scores": scores, "samples": len(log.samples), "summaries": len(summaries)}))
    get_model(log.eval.model)  # 'inspect score' opens it
    for s in log.samples:
        called = [m for e in s.events if e.event == "model" for m in e.input + [e.output.message]]  # what messages_df takes
        assert s.error or not s.output.choices or {m.id for m in s.messages} <= {m.id for m in called}, s.id
        assert all(m.id for m in s.messages) and len({m.id for m in s.messages}) == len(s.messages), s.id
        single = read_eval_log_sample(path, s.id, s.epoch)
        assert single.output == s.output and single.metadata == s.metadata, s.id
        summary = summaries[(str(s.id), s.epoch)]
        assert (summary.error is None) == (s.error is None), s.id
        usage = s.output.usage
        print(json.dumps({
            "id": str(s.id), "epoch": s.epoch, "target": s.target, "completion": s.output.completion,
            "stop": s.output.stop_reason if s.output.choices else None, "error": s.error.message if s.error else None,
            "scores": {k: number(v.value) for k, v in (s.scores or {}).items()},
            "input": usage.input_tokens if usage else None, "output": usage.output_tokens if usage else None,
            "cached": usage.input_tokens_cache_read if usage else None, "reasoning": usage.reasoning_tokens if usage else None,
            "time": s.output.time, "messages": [m.role for m in s.messages], "outcome": s.metadata.get("outcome"),
        }))


def write(folder):
    from inspect_ai import Epochs, Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, ContentReasoning, ContentText, ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, exact, includes, match, mean, scorer
    from inspect_ai.solver import generate, solver, system_message

    def outputs():
        texts = [("Paris", "stop"), ("The answer is Berlin.", "max_tokens"), (None, "stop"), ("no", "content_filter")]
        for text, stop in texts:
            if text is None:
                out = ModelOutput.from_message(ChatMessageAssistant(content=[ContentReasoning(reasoning="Reasons. " * 40), ContentText(text="x\u202e" * 120)]), stop)
            else:
                out = ModelOutput.from_content("mockllm/model", text, stop)
            out.usage = ModelUsage(input_tokens=10, output_tokens=2, total_tokens=17, input_tokens_cache_read=5)
            yield out

    samples = [
        Sample(id=1, input="Capital of France?", target="Paris", metadata={"family": "capital", "length": 5}),
        Sample(id="b/two", input=[ChatMessageUser(content="Capital of Germany?")], target="Berlin"),
        Sample(id=3, input="x" * 200, target="x\u202e" * 120),
        Sample(id=4, input="many", target=["one", "two"]),
    ]

    @solver
    def breaks():
        async def solve(state, generate):
            if state.sample_id == 3 and state.epoch == 2:
                raise ValueError("provider down \x1b[31m")
            return state

        return solve

    @scorer(metrics=[mean()])
    def half():
        async def score(state, target):
            return Score(value=float("nan") if state.sample_id == 1 else 0.5)

        return score

    task = Task(dataset=MemoryDataset(samples, name="capitals"), solver=[system_message("Be short."), generate(), breaks()],
                scorer=[match(), exact(), includes(), half()], epochs=Epochs(2), name="capitals")
    for form in ("json", "eval"):
        model = get_model("mockllm/model", custom_outputs=list(outputs()) + list(outputs()), memoize=False)
        eval(task, model=model, log_dir=folder, log_format=form, display="none", fail_on_error=False, max_tokens=50, temperature=0.5, max_samples=1)


if __name__ == "__main__":
    if sys.argv[1] == "read":
        for name in sys.argv[2:]:
            read(name)
    else:
        write(sys.argv[2])
