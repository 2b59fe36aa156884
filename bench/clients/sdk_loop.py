"""Requests copies with OpenAI's own Python client, as its documentation shows.

usage: sdk_loop.py URL JOBS plain|stream ITEMS
"""

import asyncio
import json
import sys

import httpx
from openai import AsyncOpenAI, DefaultAsyncHttpxClient


async def main(url, jobs, stream, path):
    with open(path) as f:
        items = iter([json.loads(line) for line in f])
    limits = httpx.Limits(max_connections=jobs, max_keepalive_connections=jobs)
    client = AsyncOpenAI(base_url=url, api_key="none", http_client=DefaultAsyncHttpxClient(limits=limits))
    asked = right = 0

    async def worker():
        nonlocal asked, right
        for item in items:
            question = {"model": "m", "messages": [{"role": "user", "content": item["prompt"]}], "max_completion_tokens": 264}
            if stream:
                text = ""
                async for chunk in await client.chat.completions.create(**question, stream=True):
                    if chunk.choices:
                        text += chunk.choices[0].delta.content or ""
            else:
                text = (await client.chat.completions.create(**question)).choices[0].message.content
            asked += 1
            right += text == item["want"]

    await asyncio.gather(*(worker() for _ in range(jobs)))
    print(json.dumps({"asked": asked, "right": right}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "stream", sys.argv[4]))
