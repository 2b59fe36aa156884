"""The task for inspect-ai: one generation, compared with the expected copy."""

import json
import os

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import match
from inspect_ai.solver import generate


@task
def copy():
    with open(os.environ["BENCH_ITEMS"]) as f:
        items = [json.loads(line) for line in f]
    samples = [Sample(id=i + 1, input=item["prompt"], target=item["want"]) for i, item in enumerate(items)]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=match(location="exact", ignore_case=False), config=GenerateConfig(max_tokens=264))
