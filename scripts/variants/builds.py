"""builds.py BASE.gguf FOLDER NAME... writes builds of one model with other weights.

A name is a type of weights of GGUF: f16, q8_0, q5_1, q5_0, q4_0. Needs the packages gguf and numpy. Each build is made from the
weights of BASE: types of fewer bits are rounded twice, so they are larger changes than a conversion of the original weights.
"""
import os
import sys

import gguf
import numpy
from gguf.quants import dequantize, quantize

FILE_TYPES = {"f16": 1, "q4_0": 2, "q8_0": 7, "q5_0": 8, "q5_1": 9}
GENERATED = ("general.architecture", "general.file_type", "general.quantization_version")


def write(reader, name, path):
    writer = gguf.GGUFWriter(path, "llama")
    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key in GENERATED:
            continue
        kind = field.types[0]
        if kind == gguf.GGUFValueType.ARRAY:
            writer.add_key_value(key, field.contents(), kind, sub_type=field.types[-1])
        else:
            writer.add_key_value(key, field.contents(), kind)
    writer.add_quantization_version(2)
    writer.add_file_type(FILE_TYPES[name])
    for tensor in reader.tensors:
        weights = numpy.asarray(dequantize(numpy.asarray(tensor.data), tensor.tensor_type), dtype=numpy.float32)
        if weights.ndim == 1:  # norms stay 32-bit
            writer.add_tensor(tensor.name, weights)
        elif name == "f16":
            writer.add_tensor(tensor.name, weights.astype(numpy.float16))
        else:
            kind = gguf.GGMLQuantizationType["Q8_0" if tensor.name == "token_embd.weight" else name.upper()]
            writer.add_tensor(tensor.name, quantize(weights, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    base, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    for name in names:
        path = os.path.join(folder, name + ".gguf")
        if os.path.exists(path):
            continue
        write(gguf.GGUFReader(base), name, path + ".part")
        os.rename(path + ".part", path)  # an interrupted build leaves no file of that name
        print("wrote", path, flush=True)


main()
