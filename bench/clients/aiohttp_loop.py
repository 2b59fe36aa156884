"""Requests copies with aiohttp, as a Python programmer does for speed.

usage: aiohttp_loop.py URL JOBS plain|stream ITEMS
"""

import asyncio
import json
import sys

import aiohttp


async def main(url, jobs, stream, path):
    with open(path) as f:
        items = iter([json.loads(line) for line in f])
    asked = right = 0

    async def worker():
        nonlocal asked, right
        for item in items:
            body = {"model": "m", "messages": [{"role": "user", "content": item["prompt"]}], "max_completion_tokens": 264}
            if stream:
                body["stream"] = True
            async with client.post(url + "/chat/completions", json=body) as response:
                response.raise_for_status()
                if stream:
                    text = ""
                    async for line in response.content:
                        if line.startswith(b"data: {"):
                            choices = json.loads(line[6:])["choices"]
                            if choices:
                                text += choices[0]["delta"].get("content", "")
                else:
                    text = json.loads(await response.read())["choices"][0]["message"]["content"]
            asked += 1
            right += text == item["want"]

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=600)) as client:
        await asyncio.gather(*(worker() for _ in range(jobs)))
    print(json.dumps({"asked": asked, "right": right}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "stream", sys.argv[4]))
