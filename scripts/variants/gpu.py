"""gpu.py MODEL.gguf PORT [KEY=VALUE...] serves a model with PyTorch on a GPU, as OpenAI's chat API, with batches.

Requests that arrive within a few milliseconds are decoded together, so that a request's arithmetic depends on
what else is in flight, as on servers in production. Keys:

  dtype=bfloat16          bfloat16, float16 or float32
  batch=32                the most requests of a batch
  weights=                int8 or int4: weights rounded to so many bits, in groups of 32, and back
  attention=sdpa          sdpa or eager

/sizes lists how many requests each batch had. Needs the packages torch, transformers and gguf.
"""
import json
import os
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def rounded(weight, bits, group=32):
    rows = weight.float().reshape(-1, group)
    top = 2 ** (bits - 1) - 1
    scale = (rows.abs().amax(dim=1, keepdim=True) / top).clamp(min=1e-12)
    return ((rows / scale).round().clamp(-top - 1, top) * scale).reshape(weight.shape).to(weight.dtype)


class Call:
    def __init__(self, ids, body):
        self.ids, self.done = ids, threading.Event()
        self.limit = body.get("max_completion_tokens") or body.get("max_tokens") or 256
        self.temperature = float(body.get("temperature") or 0) if body.get("temperature") is not None else 1.0
        self.top_p = float(body.get("top_p") or 1)
        self.top = int(body.get("top_logprobs") or 0) if body.get("logprobs") else None
        self.stop = body.get("stop") or []
        if isinstance(self.stop, str):
            self.stop = [self.stop]
        self.out, self.probs, self.finish, self.error = [], [], "length", None


class Decoder:
    def __init__(self, path, options):
        folder, name = os.path.split(os.path.abspath(path))
        self.tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
        dtype = getattr(torch, options.get("dtype", "bfloat16"))
        model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.float32, attn_implementation=options.get("attention", "sdpa"))
        if "weights" in options:
            bits = int(options["weights"].removeprefix("int"))
            with torch.no_grad():
                for name, p in model.named_parameters():
                    if p.ndim == 2 and "embed" not in name and "lm_head" not in name:
                        p.copy_(rounded(p, bits))
        self.model = model.to("cuda", dtype).eval()
        self.most, self.calls = int(options.get("batch", 32)), queue.Queue()
        self.end = {self.tokenizer.eos_token_id} | {self.tokenizer.convert_tokens_to_ids(t) for t in ("<|im_end|>", "<|endoftext|>")}
        self.sizes = []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            batch = [self.calls.get()]
            end = time.monotonic() + 0.008
            while len(batch) < self.most:
                try:
                    batch.append(self.calls.get(timeout=max(0, end - time.monotonic())))
                except queue.Empty:
                    break
            self.sizes.append(len(batch))
            try:
                self.decode(batch)
            except Exception as e:  # the caller gets it as an HTTP error
                for c in batch:
                    c.error = repr(e)
            for c in batch:
                c.done.set()

    @torch.no_grad()
    def decode(self, batch):
        width = max(len(c.ids) for c in batch)
        ids = torch.full((len(batch), width), self.tokenizer.eos_token_id)
        mask = torch.zeros((len(batch), width), dtype=torch.long)
        for i, c in enumerate(batch):
            ids[i, width - len(c.ids):] = torch.tensor(c.ids)
            mask[i, width - len(c.ids):] = 1
        ids, mask = ids.cuda(), mask.cuda()
        position = (mask.cumsum(1) - 1).clamp(min=0)
        open_, cache = [True] * len(batch), None
        for step in range(max(c.limit for c in batch)):
            out = self.model(input_ids=ids, attention_mask=mask, position_ids=position, past_key_values=cache, use_cache=True)
            cache = out.past_key_values
            logits = out.logits[:, -1].float()
            logs = torch.log_softmax(logits, dim=-1)
            greedy = logits.argmax(dim=-1)
            temperatures = torch.tensor([max(c.temperature, 1e-6) for c in batch], device=logits.device)
            probs = torch.softmax(logits / temperatures[:, None], dim=-1)
            ordered, order = probs.sort(dim=-1, descending=True)
            top_p = torch.tensor([c.top_p for c in batch], device=logits.device)
            ordered[(ordered.cumsum(dim=-1) - ordered) > top_p[:, None]] = 0
            drawn = order.gather(1, torch.multinomial(ordered, 1))[:, 0]
            chosen = torch.where(torch.tensor([c.temperature == 0 for c in batch], device=logits.device), greedy, drawn)
            best = logs.topk(20, dim=-1)
            picked = logs.gather(1, chosen[:, None])[:, 0].tolist()
            tokens, values, indices = chosen.tolist(), best.values.tolist(), best.indices.tolist()
            for i, c in enumerate(batch):
                if not open_[i]:
                    continue
                if tokens[i] in self.end:
                    c.finish, open_[i] = "stop", False
                    continue
                c.out.append(tokens[i])
                if c.top is not None:
                    c.probs.append((tokens[i], picked[i], list(zip(indices[i], values[i]))[:c.top]))
                if len(c.out) >= c.limit:
                    open_[i] = False
                elif c.stop and any(s in self.tokenizer.decode(c.out) for s in c.stop):
                    c.finish, open_[i] = "stop", False
            if not any(open_):
                break
            ids = chosen[:, None]
            mask = torch.cat([mask, mask.new_ones((len(batch), 1))], dim=1)
            position = position[:, -1:] + 1


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, document):
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.endswith("/models"):
            self.answer(200, {"object": "list", "data": [{"id": "model", "object": "model", "owned_by": "local"}]})
        elif self.path == "/sizes":
            self.answer(200, decoder.sizes)
        else:
            self.answer(404, {"error": {"message": "no such address", "type": "invalid_request_error"}})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/chat/completions"):
            self.answer(404, {"error": {"message": "no such address", "type": "invalid_request_error"}})
            return
        messages = [{"role": m["role"], "content": m["content"] if isinstance(m["content"], str) else "".join(p.get("text", "") for p in m["content"])} for m in body["messages"]]
        ids = decoder.tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=True, return_dict=False)
        c = Call(list(ids), body)
        decoder.calls.put(c)
        c.done.wait()
        if c.error:
            self.answer(500, {"error": {"message": c.error, "type": "server_error"}})
            return
        text = decoder.tokenizer.decode(c.out, skip_special_tokens=False)
        for s in c.stop:
            text = text.split(s)[0]
        one = decoder.tokenizer.decode
        logprobs = None
        if c.top is not None:
            logprobs = {"content": [{"token": one([t]), "logprob": p, "bytes": list(one([t]).encode()), "top_logprobs": [{"token": one([o]), "logprob": q, "bytes": list(one([o]).encode())} for o, q in best]} for t, p, best in c.probs]}
        usage = {"prompt_tokens": len(c.ids), "completion_tokens": len(c.out), "total_tokens": len(c.ids) + len(c.out)}
        head = {"id": "chatcmpl-%d" % time.time_ns(), "created": int(time.time()), "model": "model"}
        if not body.get("stream"):
            self.answer(200, head | {"object": "chat.completion", "usage": usage, "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "logprobs": logprobs, "finish_reason": c.finish}]})
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        chunk = head | {"object": "chat.completion.chunk"}
        parts = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "logprobs": logprobs, "finish_reason": None}]},
                 {"choices": [{"index": 0, "delta": {}, "finish_reason": c.finish}]}, {"choices": [], "usage": usage}]
        for p in parts:
            self.wfile.write(b"data: " + json.dumps(chunk | p).encode() + b"\n\n")
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


if __name__ == "__main__":
    options = dict(a.split("=", 1) for a in sys.argv[3:])
    decoder = Decoder(sys.argv[1], options)
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler)
    print(f"serving http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()
