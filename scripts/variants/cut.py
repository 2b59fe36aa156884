"""cut.py BASE.gguf PATH writes a small model from a larger one: its first and its last block, and its first 4,096 tokens.

It talks nonsense, but a server treats it as any other model, at a tenth of the time. Repetitions that need hundreds of servers
use it. Needs the packages gguf and numpy.
"""
import os
import sys

import gguf
import numpy

TOKENS = 4096
GENERATED = ("general.architecture", "general.file_type", "general.quantization_version")


def vocabulary(reader):
    """Returns the first tokens, their types, and the merges that need no other token."""
    tokens, types, merges = (reader.fields["tokenizer.ggml." + k].contents() for k in ("tokens", "token_type", "merges"))
    first = set(tokens[:TOKENS])
    inside = [m for m in merges if set(m.split(" ")) <= first and m.replace(" ", "") in first]
    return {"tokens": tokens[:TOKENS], "token_type": types[:TOKENS], "merges": inside}


def add_fields(reader, writer, blocks):
    smaller = {"tokenizer.ggml." + k: v for k, v in vocabulary(reader).items()}
    smaller |= {"llama.block_count": blocks, "llama.vocab_size": TOKENS}
    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key in GENERATED:
            continue
        kind, value = field.types[0], smaller.get(key, field.contents())
        if kind == gguf.GGUFValueType.ARRAY:
            writer.add_key_value(key, value, kind, sub_type=field.types[-1])
        else:
            writer.add_key_value(key, value, kind)
    writer.add_quantization_version(2)
    writer.add_file_type(reader.fields["general.file_type"].contents())


def write(reader, path):
    last = reader.fields["llama.block_count"].contents() - 1
    blocks = {0: 0, last: 1}  # number in the larger model, number in the smaller one
    writer = gguf.GGUFWriter(path, "llama")
    add_fields(reader, writer, len(blocks))
    for tensor in reader.tensors:
        name, data = tensor.name, numpy.asarray(tensor.data)
        if name.startswith("blk."):
            _, number, rest = name.split(".", 2)
            if int(number) not in blocks:
                continue
            name = f"blk.{blocks[int(number)]}.{rest}"
        elif name == "token_embd.weight":
            data = data[:TOKENS]
        writer.add_tensor(name, data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    base, path = sys.argv[1:]
    if not os.path.exists(path):
        write(gguf.GGUFReader(base), path + ".part")
        os.rename(path + ".part", path)  # an interrupted build leaves no file of that name


main()
