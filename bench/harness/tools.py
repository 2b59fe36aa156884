"""The tools that are compared: how each is started, how it continues after a crash, and how its result is read.

All get the same items: a prompt that asks for a copy of 200 characters, and the copy. A tool is an entry of TOOLS.
"""

import glob
import json
import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from typing import Callable, Optional

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INSTALLED = os.path.join(HERE, ".tools")
CLIENTS = os.path.join(HERE, "clients")
PYTHON = os.path.join(INSTALLED, "venv", "bin", "python")
VERBATIM = os.path.join(INSTALLED, "verbatim")


@dataclass
class Job:
    """One run of a tool."""

    url: str  # of the server, with /v1
    n: int
    jobs: int  # requests in flight; 0: the tool's own choice
    stream: bool
    items: str  # a file of lines {"prompt", "want"}
    folder: str  # for everything that the tool writes


@dataclass
class Tool:
    name: str
    n: int  # requests of a run without latency
    streams: bool
    start: Callable  # Job -> argv
    right: Callable  # Job, output -> the number of answers that the tool found right; None if it has none
    resume: Optional[Callable] = None  # Job -> argvs that continue after a crash, one after the other; None: start again in the same folder
    result: Optional[Callable] = None  # Job, Took -> its final result as a text
    needs: str = ""  # a path below .tools


def environment(job):
    """The environment of all tools: without the settings of the user, and without network access of their own."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": job.folder,
        "LANG": "C.UTF-8",
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": job.url,
        "BENCH_API_KEY": "none",
        "BENCH_BASE_URL": job.url,
        "BENCH_ITEMS": job.items,
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "DO_NOT_TRACK": "1",
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        "PROMPTFOO_CONFIG_DIR": os.path.join(job.folder, "promptfoo"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }


def last_json(text):
    """The last line that is a JSON object."""
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    return {}


# Bare loops.


def bare(job):
    return [os.path.join(INSTALLED, "bare"), "-url", job.url, "-jobs", str(job.jobs), *(["-stream"] if job.stream else []), job.items]


def script(name):
    def start(job):
        return [PYTHON, os.path.join(CLIENTS, name), job.url, str(job.jobs), "stream" if job.stream else "plain", job.items]

    return start


def printed(job, out):
    return last_json(out).get("right")


def exception(job, took):
    """The result of a loop without error handling: the last line of its output."""
    lines = [line for line in took.out.splitlines() if line.strip()]
    return f"exit {took.code}: {lines[-1][:120] if lines else ''}"


# verbatim.


def verbatim(job):
    jobs = ["--concurrency", str(job.jobs)] if job.jobs else []
    plain = [] if job.stream else ["--no-stream"]
    items = ["--task", "copy", "--length", "200", "--items", str(job.n)]
    return [VERBATIM, "run", "--quiet", *items, "--model", job.url + "#m", "--db", os.path.join(job.folder, "runs.db"), *jobs, *plain]


def verbatim_total(job):
    done = subprocess.run([VERBATIM, "report", "last", "--json", "--db", os.path.join(job.folder, "runs.db")], capture_output=True, text=True)
    if done.returncode != 0:
        return {}
    report = json.loads(done.stdout)
    return report["runs"][0]["families"][0]["total"]


def verbatim_right(job, out):
    return verbatim_total(job).get("exact", {}).get("n")


def verbatim_result_text(job, took):
    t = verbatim_total(job)
    return f"exit {took.code}; exact {t['exact']['n']} of {t['exact']['of']} answered, {t['unanswered']} of {t['planned']} not answered"


# lm-eval.


def lm_eval(job):
    task = os.path.join(job.folder, "task")
    os.makedirs(task, exist_ok=True)
    with open(os.path.join(CLIENTS, "lm_eval_copy.yaml")) as f, open(os.path.join(task, "copy.yaml"), "w") as g:
        g.write(f.read().replace("ITEMS", job.items))
    model = f"model=m,base_url={job.url}/chat/completions,num_concurrent={job.jobs},tokenized_requests=False,max_retries=3,tokenizer_backend=None"
    return [PYTHON, "-m", "lm_eval", "run", "--model", "local-chat-completions", "--model_args", model, "--tasks", "bench_copy", "--include_path", task,
            "--apply_chat_template", "--output_path", os.path.join(job.folder, "results"), "--use_cache", os.path.join(job.folder, "cache")]


def lm_eval_result(job):
    files = sorted(glob.glob(os.path.join(job.folder, "results", "**", "results_*.json"), recursive=True), key=os.path.getmtime)
    if not files:
        return None
    with open(files[-1]) as f:
        return json.load(f)["results"]["bench_copy"]["exact_match,none"]


def lm_eval_right(job, out):
    share = lm_eval_result(job)
    return None if share is None else round(share * job.n)


def lm_eval_result_text(job, took):
    share = lm_eval_result(job)
    return exception(job, took) + "; no result file" if share is None else f"exit {took.code}; exact_match {share:.3f}"


# promptfoo.


def promptfoo(job):
    config = os.path.join(job.folder, "promptfooconfig.json")
    with open(job.items) as f, open(config, "w") as g:
        items = [json.loads(line) for line in f]
        json.dump({
            "prompts": ["{{prompt}}"],
            "providers": [{"id": "openai:chat:m", "config": {"apiBaseUrl": job.url, "apiKey": "none", "max_tokens": 264, "temperature": 0}}],
            "defaultTest": {"assert": [{"type": "equals", "value": "{{want}}"}]},
            "tests": [{"vars": i} for i in items],
        }, g)
    return promptfoo_eval(job) + ["--config", config]


def promptfoo_eval(job):
    return ["node", os.path.join(INSTALLED, "npm", "node_modules", "promptfoo", "dist", "src", "entrypoint.js"), "eval", "--max-concurrency", str(job.jobs),
            "--no-cache", "--no-table", "--no-progress-bar", "--output", os.path.join(job.folder, "result.json")]


def promptfoo_resume(job):
    return [promptfoo_eval(job) + ["--resume"]]


def promptfoo_stats(job):
    path = os.path.join(job.folder, "result.json")
    if not os.path.exists(path):
        return None
    with open(path) as f:
        return json.load(f)["results"]["stats"]


def promptfoo_right(job, out):
    """Counts the rows of the result file: the statistics in it are incomplete after a continued run."""
    path = os.path.join(job.folder, "result.json")
    if not os.path.exists(path):
        return None
    with open(path) as f:
        return sum(row["success"] for row in json.load(f)["results"]["results"])


def promptfoo_result_text(job, took):
    stats = promptfoo_stats(job)
    if stats is None:
        return exception(job, took)
    return f"exit {took.code}; {stats['successes']} passed, {stats['failures']} failed, {stats['errors']} errors"


# inspect-ai.


def inspect_options(job):
    return ["--max-connections", str(job.jobs), "--max-samples", str(job.jobs), "--display", "none", "--log-dir", os.path.join(job.folder, "logs"), "--max-retries", "2"]


def inspect(job):
    shutil.copy(os.path.join(CLIENTS, "inspect_copy.py"), job.folder)  # it accepts no absolute path
    return [PYTHON, "-m", "inspect_ai", "eval", "inspect_copy.py", "--model", "openai-api/bench/m", *(["-M", "stream=true"] if job.stream else []), *inspect_options(job)]


def inspect_resume(job):
    yield [PYTHON, "-m", "inspect_ai", "log", "recover", newest(job)]
    yield [PYTHON, "-m", "inspect_ai", "eval-retry", newest(job), *inspect_options(job)]


def newest(job):
    return max(glob.glob(os.path.join(job.folder, "logs", "*.eval")), key=os.path.getmtime)


def inspect_log(job):
    files = sorted(glob.glob(os.path.join(job.folder, "logs", "*.eval")), key=os.path.getmtime)
    if not files:
        return None
    done = subprocess.run([PYTHON, "-m", "inspect_ai", "log", "dump", "--header-only", files[-1]], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def inspect_right(job, out):
    log = inspect_log(job)
    if not log or not log.get("results"):
        return None
    return round(log["results"]["scores"][0]["metrics"]["accuracy"]["value"] * log["results"]["completed_samples"])


def inspect_result_text(job, took):
    log = inspect_log(job)
    if not log:
        return exception(job, took)
    results = log.get("results") or {}
    scores = results.get("scores") or []
    accuracy = f"accuracy {scores[0]['metrics']['accuracy']['value']:.3f}" if scores else "no score"
    return f"exit {took.code}; status {log['status']}, {accuracy}, {results.get('completed_samples', 0)} of {results.get('total_samples', job.n)} samples done"


TOOLS = [
    Tool("bare Go loop", 20000, True, bare, printed, result=exception, needs="bare"),
    Tool("verbatim", 20000, True, verbatim, verbatim_right, result=verbatim_result_text, needs="verbatim"),
    Tool("aiohttp loop", 10000, True, script("aiohttp_loop.py"), printed, result=exception, needs="venv"),
    Tool("openai SDK loop", 3000, True, script("sdk_loop.py"), printed, result=exception, needs="venv"),
    Tool("lm-eval", 2000, False, lm_eval, lm_eval_right, result=lm_eval_result_text, needs="venv"),
    Tool("promptfoo", 1000, False, promptfoo, promptfoo_right, promptfoo_resume, promptfoo_result_text, needs="npm"),
    Tool("inspect-ai", 500, True, inspect, inspect_right, inspect_resume, inspect_result_text, needs="venv"),
]

# verbatim with automatic concurrency.
AUTO = Tool("verbatim, no --concurrency", 20000, True, lambda job: verbatim(replace(job, jobs=0)), verbatim_right, result=verbatim_result_text, needs="verbatim")
