"""serve.py MODEL.gguf [KEY=VALUE...] serves a model with llama.cpp's server, or stands between a client and one.

Prints "serving http://127.0.0.1:PORT/v1" and serves on a free port of this machine until SIGTERM or SIGINT. Keys:

  slots=2 context=4096 threads=1   size of the server
  cache=q8_0                       type of the cache of keys and values
  flash=disabled                   flash attention
  rope=1.01                        factor of the RoPE base
  template=FILE                    chat template
  penalty=1.1                      repeat penalty of requests that name none
  set={"temperature":0.1}          members that replace those of each request: an endpoint that ignores parameters
"""
import http.client
import http.server
import json
import os
import signal
import socket
import sys
import threading

import xllamacpp


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(model, options):
    p = xllamacpp.CommonParams()
    p.model.path = model
    p.model_alias = "model" if isinstance(p.model_alias, str) else {"model"}
    p.hostnames, p.port = ["127.0.0.1"], free_port()
    p.n_gpu_layers, p.n_ctx, p.n_parallel = 0, int(options.get("context", 4096)), int(options.get("slots", 2))
    p.cpuparams.n_threads = p.cpuparams_batch.n_threads = int(options.get("threads", 1))
    if "cache" in options:
        p.cache_type_k = p.cache_type_v = getattr(xllamacpp.ggml_type, "GGML_TYPE_" + options["cache"].upper())
    if "flash" in options:
        p.flash_attn_type = getattr(xllamacpp.llama_flash_attn_type, "LLAMA_FLASH_ATTN_TYPE_" + options["flash"].upper())
    if "rope" in options:
        import gguf

        p.rope_freq_base = float(options["rope"]) * gguf.GGUFReader(model).fields["llama.rope.freq_base"].contents()
    if "template" in options:
        with open(options["template"], encoding="utf-8") as f:
            p.chat_template, p.use_jinja = f.read(), True
    if "penalty" in options:
        p.sampling.penalty_repeat = float(options["penalty"])
    return xllamacpp.Server(p), p.port


def gateway(upstream, members):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self, body=None):
            connection = http.client.HTTPConnection("127.0.0.1", upstream, timeout=300)
            connection.request(self.command, self.path, body, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.getheader("Content-Type", "application/json"))
            self.send_header("Connection", "close")
            self.end_headers()
            while part := reply.read1(1 << 16):
                self.wfile.write(part)
                self.wfile.flush()
            connection.close()
            self.close_connection = True

        def do_GET(self):
            self.forward()

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body.update(members)
            self.forward(json.dumps(body))

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def main():
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    options = dict(o.split("=", 1) for o in sys.argv[2:])
    server, port = start(sys.argv[1], options)
    if "set" in options:
        port = gateway(port, json.loads(options["set"]))
    print(f"serving http://127.0.0.1:{port}/v1", flush=True)
    parent = os.getppid()
    while not stop.wait(0.5) and os.getppid() == parent:  # ends with the process that started it
        pass
    del server
    os._exit(0)  # the server's threads would keep the process


main()
