"""Write the rules for the page: ``python -m tools.engine_modules``.

The kernels of each game become a WebAssembly module, ``web/src/engine/<game>.wasm``, and what TypeScript has
to know of them, the records and constants, ``records.ts`` and ``boardRecords.ts``. numba lowers
the kernels, LLVM optimises them for WebAssembly. No linker is needed: LLVM's object file of a whole program
is a valid module that imports its memory and its stack, and lacks nothing but the names of its exports.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import binding as llvm
from numba.core import types
from numba.core.types.containers import Tuple

from ekoes.games.ekko.bots import levels as ekko_levels
from ekoes.games.ekko.bots import memory
from ekoes.games.ekko.bots import search as ekko_search
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.position import HIGHEST_TARGET
from ekoes.games.ekko.position.refusal import meaning as ekko_meaning
from ekoes.games.ekko.rules import decisions
from ekoes.games.ekko.rules import record as ekko
from ekoes.games.ekko.rules import refusal as ekko_refusal
from ekoes.games.eko.bots import levels, one_turn, search, tree, verdicts
from ekoes.games.eko.bots.evaluation import NETWORK, Feature
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.layout import standard_centres
from ekoes.games.eko.position.refusal import meaning
from ekoes.games.eko.position.setup import BOARDS
from ekoes.games.eko.position.state import IDENTITY, REASON_RULES, SOURCES
from ekoes.games.eko.position.tiles import VARIANTS, default_tileset
from ekoes.games.eko.puzzles import VERDICTS
from ekoes.games.eko.review import JUDGE
from ekoes.games.eko.rules import (
    board,
    code,
    drawing,
    ending,
    entry_points,
    export,
    layout,
    prospects,
    reading,
    refusal,
    signs,
)
from ekoes.games.eko.rules import record as eko
from ekoes.games.kernels import kernels_hash
from ekoes.games.kernels.jit import link_plain

FOLDER = Path(__file__).parents[1] / "web" / "src" / "engine"

_TRIPLE = "wasm32-unknown-unknown"
_FEATURES = "+bulk-memory,+nontrapping-fptoint,+sign-ext,+simd128"
_INT = types.int64


class Argument(NamedTuple):
    """An array that a kernel takes. dtype: a record or the type of its items."""

    dtype: Any
    dimensions: int = 1

    @property
    def numba_type(self) -> object:
        """The type of the array as numba has it."""
        return types.Array(numba.from_dtype(np.dtype(self.dtype)), self.dimensions, "C")


_BOARD, _EKO = Argument(eko.BOARD), Argument(eko.STATE)
_WORK, _NODE, _NETWORK = Argument(eko.WORK), Argument(tree.NODE), Argument(NETWORK)
_EKKO = Argument(ekko.STATE)
_I8, _I64, _U8, _U64 = (Argument(dtype) for dtype in (np.int8, np.int64, np.uint8, np.uint64))
_F64, _F64_2, _I16_2, _I32_2, _I64_2, _I64_3, _U64_2, _F64_3 = (
    Argument(np.float64),
    Argument(np.float64, 2),
    Argument(np.int16, 2),
    Argument(np.int32, 2),
    Argument(np.int64, 2),
    Argument(np.int64, 3),
    Argument(np.uint64, 2),
    Argument(np.float64, 3),
)
_SCRATCH = (_EKO, _I64_2, _I64_2, _I64, _INT)
_HIDDEN = (_U8, _U64_2, _I64, _I64)

Kernel = tuple[Callable[..., Any], tuple[Any, ...]]

KERNELS: dict[str, dict[str, Kernel]] = {
    "eko": {
        "lay_tiles": (
            layout.lay_tiles,
            (_INT, _I64_2, _I64_3, _I64_2, _I64_2, _BOARD, _I16_2, _I64_2, _I64_2, _I64),
        ),
        "read_position": (
            reading.read_position,
            (_BOARD, _I64_2, _I64_2, _I64_2, _I64, _I64, _I64, _EKO, _EKO, _I64),
        ),
        "list_decisions": (entry_points.list_decisions, (_BOARD, _EKO, _WORK)),
        "perform_decision": (entry_points.perform_decision, (_BOARD, _EKO, _EKO, _WORK, _INT)),
        "is_legal": (entry_points.is_legal, (_BOARD, _EKO, _WORK, _INT)),
        "find_refusal": (refusal.find_refusal, (_BOARD, _EKO, _I64, _INT, _INT, _I64)),
        "export_state": (entry_points.export_state, (_BOARD, _EKO)),
        "find_effect": (entry_points.find_effect, (_EKO, _INT)),
        "trace_paths": (entry_points.trace_paths, (_BOARD, _EKO, _INT, _INT, _U64_2)),
        "find_prospects": (prospects.find_prospects, (_BOARD, _EKO, _WORK, _EKO, _INT, _INT, _U64_2)),
        "perft_leaves": (entry_points.perft_leaves, (_BOARD, _EKO, _WORK, _INT)),
        "judge_puzzle": (verdicts.judge_puzzle, (_BOARD, _EKO, _EKO, _WORK, _INT, _SCRATCH)),
    },
    "search": {
        "play_out": (entry_points.play_out, (_BOARD, _EKO, _EKO, _WORK, _U64, _INT, _I64)),
        "turn_decision": (one_turn.best_decision, (_BOARD, _EKO, _WORK, _EKO, _U64)),
        "grow": (search.grow, (_BOARD, _EKO, _WORK, _EKO, _NETWORK, _F64, _I64, _F64_3, _NODE, _I64)),
        "find_node": (tree.find_node, (_BOARD, _WORK, _EKO, _U64_2, _NODE, _I64)),
        "move_root": (tree.move_root, (_NODE, _I64, _I64, _INT)),
        "rank_children": (tree.rank_children, (_NODE, _INT)),
        "choose_decision": (
            levels.choose_decision,
            (_BOARD, _EKO, _WORK, _NODE, _INT, _INT, _INT, _U64, _SCRATCH),
        ),
    },
    "boards": {
        "draw_standard": (drawing.draw_standard, (_I64_3, _I64_2, _I64_2, _I32_2, _I64_2, _U64, _I64_2)),
        "draw_free": (
            drawing.draw_free,
            (_I64_3, _I64_2, _INT, _INT, _I32_2, _I64_2, _I64_2, _U64, _I64_2),
        ),
    },
    "ekko": {
        "list_decisions": (decisions.list_decisions, (_EKKO, _I64)),
        "perform_decision": (decisions.perform_decision, (_EKKO, _EKKO, _INT, _INT)),
        "deal_round": (decisions.deal_round, (_EKKO, _EKKO, _U8)),
        "count_draws": (decisions.count_draws, (_EKKO, _EKKO, _INT, _INT, _I64)),
        "find_refusal": (ekko_refusal.find_refusal, (_EKKO, _INT, _INT, _INT, _INT, _INT, _INT)),
        "play_out": (decisions.play_out, (_EKKO, _EKKO, _U64, _I64)),
        "barred_cards": (memory.barred_cards, (_EKKO, _INT, _I64, _U64_2)),
        "noticed_decision": (ekko_search.noticed_decision, (_EKKO, _U64, _INT)),
        "best_decision": (ekko_search.best_decision, (_EKKO, _EKKO, _HIDDEN, _INT, _INT, _U64)),
        "decision_values": (
            ekko_search.decision_values,
            (_EKKO, _EKKO, _HIDDEN, _INT, _U64, _I64, _F64_2),
        ),
        "win_shares": (
            ekko_search.win_shares,
            (_EKKO, _EKKO, _HIDDEN, _INT, _INT, _INT, _U8, _U64, _F64, _F64),
        ),
    },
}
"""By module, the kernels that it exports, with what they take. A table loads the rules of its game alone."""

FAST = {
    "grow",
    "play_out",
    "turn_decision",
    "choose_decision",
    "best_decision",
    "decision_values",
    "win_shares",
    "draw_standard",
    "draw_free",
}
"""The kernels that search, play or draw; a page calls the others once for a tap, and they are small."""

RECORDS = {
    "eko": {"BOARD": eko.BOARD, "STATE": eko.STATE, "WORK": eko.WORK},
    "search": {"NODE": tree.NODE, "NETWORK": NETWORK},
    "boards": {},
    "ekko": {"STATE": ekko.STATE},
}
ENUMS: dict[str, tuple[type[IntEnum], ...]] = {
    "eko": (
        eko.Area,
        eko.Phase,
        eko.Whereabouts,
        board.Terrain,
        signs.Sign,
        board.Cell,
        drawing.Drawn,
        layout.Kind,
        layout.List,
        layout.Broken,
        layout.Report,
        layout.Entry,
        reading.Stood,
        reading.Built,
        reading.Held,
        reading.Turn,
        reading.Wrong,
        ending.Reason,
        refusal.Asked,
        code.ActionType,
        export.Effect,
        tree.Control,
        search.SearchParams,
        Feature,
        verdicts.Theme,
        verdicts.Verdict,
    ),
    "search": (),
    "boards": (drawing.Made, drawing.Drawn, drawing.Grid, drawing.List),
    "ekko": (ekko.Phase, ekko.Why, ekko.Ending, decisions.ActionType),
}
CONSTANTS = {
    "eko": (one_turn, search, levels, tree, export, prospects, code, layout, eko),
    "search": (),
    "boards": (drawing,),
    "ekko": (ekko_levels, ekko_search, decisions, ekko, ekko_refusal),
}
"""By game, the modules whose public numbers the page knows too."""
TABLES: dict[str, dict[str, Any]] = {
    "eko": {
        "DIRECTIONS": board.DIRECTIONS,
        "LETTERS": board.LETTERS,
        "SUPPLY": eko.SUPPLY,
        "BOX": default_tileset().to_json(),
        "VARIANTS": VARIANTS,
        "SOURCES": SOURCES,
        "PARAMS": search.PARAMS.tolist(),
        "BOTS": {
            one.name: {
                "iterations": one.iterations,
                "error": one.error,
                "careful": one.careful,
                "spares": one.spares,
                "keeps": one.keeps_tree,
            }
            for one in vars(levels).values()
            if isinstance(one, levels.Level)
        },
        "JUDGE": JUDGE.name,
        "REFUSALS": [meaning(refused) for refused in refusal.Refused],
        "WRONG_RULES": [reading.WRONG_RULES.get(wrong, "") for wrong in reading.Wrong],
        "REASON_RULES": [REASON_RULES[reason] for reason in ending.Reason],
        "RULES": EKO.rules_version,
        "TABLE_ENDS": EKO.table_ends.rules(),
        "REPETITIONS": EKO.table_ends.repetitions,
        "IDENTITY": IDENTITY,
        "VERDICTS": VERDICTS,
    },
    "search": {},
    "boards": {
        "BOARDS": BOARDS,
        "CENTRES": {players: standard_centres(players) for players in EKO.players},
    },
    "ekko": {
        "REFUSALS": [ekko_meaning(refused) for refused in ekko_refusal.Refused],
        "HIGHEST_TARGET": HIGHEST_TARGET,
        "BOTS": {
            name: {
                "misses": level.misses,
                "sees": level.sees,
                "deals": level.deals,
                "remembers": level.remembers,
            }
            for name, level in ekko_levels.LEVELS.items()
        },
        "RULES": EKKO.rules_version,
        "TABLE_ENDS": EKKO.table_ends.rules(),
    },
}
"""By game, what else the page has to know: lists, and the box with its tiles."""

# What numba's runtime does in Python: memory for the arrays of kernels, in blocks of a power of two, which go
# back into a list for each size. An array has a head of 64 bytes: the count of its references, the next free
# block, the size class, and the address of its items.
_RUNTIME = """
@heap = internal global i32 0
@free = internal global [32 x ptr] zeroinitializer
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare double @llvm.sqrt.f64(double)

define void @begin_heap(i32 %address) {
  store i32 %address, ptr @heap
  ret void
}

define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %small = trunc i64 %size to i32
  %whole = add i32 %small, 127
  %zeros = call i32 @llvm.ctlz.i32(i32 %whole, i1 false)
  %class = sub i32 32, %zeros
  %slot = getelementptr [32 x ptr], ptr @free, i32 0, i32 %class
  %old = load ptr, ptr %slot
  %none = icmp eq ptr %old, null
  br i1 %none, label %fresh, label %again
again:
  %link = getelementptr i8, ptr %old, i32 8
  %next = load ptr, ptr %link
  store ptr %next, ptr %slot
  br label %done
fresh:
  %begin = load i32, ptr @heap
  %bytes = shl i32 1, %class
  %end = add i32 %begin, %bytes
  store i32 %end, ptr @heap
  %new = inttoptr i32 %begin to ptr
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %page = lshr i32 %end, 16
  %missing = icmp uge i32 %page, %pages
  br i1 %missing, label %grow, label %done
grow:
  %few = sub i32 %page, %pages
  %more = add i32 %few, 16
  %grown = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %more)
  %full = icmp eq i32 %grown, -1
  br i1 %full, label %fail, label %done
fail:
  call void @llvm.trap()
  unreachable
done:
  %info = phi ptr [ %old, %again ], [ %new, %fresh ], [ %new, %grow ]
  store i64 1, ptr %info
  %kept = getelementptr i8, ptr %info, i32 24
  store i32 %class, ptr %kept
  %place = getelementptr { i64, ptr, ptr, ptr, i64 }, ptr %info, i32 0, i32 3
  %items = getelementptr i8, ptr %info, i32 64
  store ptr %items, ptr %place
  ret ptr %info
}
declare void @llvm.trap()

define void @NRT_MemInfo_call_dtor(ptr %info) {
  %kept = getelementptr i8, ptr %info, i32 24
  %class = load i32, ptr %kept
  %slot = getelementptr [32 x ptr], ptr @free, i32 0, i32 %class
  %first = load ptr, ptr %slot
  %link = getelementptr i8, ptr %info, i32 8
  store ptr %first, ptr %link
  store ptr %info, ptr %slot
  ret void
}

define { i64, i1 } @product(i64 %one, i64 %other) {
  %value = mul i64 %one, %other
  %half = insertvalue { i64, i1 } undef, i64 %value, 0
  %whole = insertvalue { i64, i1 } %half, i1 false, 1
  ret { i64, i1 } %whole
}

define double @sqrt(double %value) {
  %root = call double @llvm.sqrt.f64(double %value)
  ret double %root
}
"""
_NO_COUNTS = """
define void @NRT_incref(ptr %info) alwaysinline {
  ret void
}

define void @NRT_decref(ptr %info) alwaysinline {
  ret void
}
"""
"""For kernels that make no arrays: the memory of those that they are given is not counted."""
_OWN = ("begin_heap", "NRT_decref")


class Module(NamedTuple):
    """A module of a game.

    file: WebAssembly. returned: for each kernel the numba type. data: how many bytes constants take.
    """

    file: bytes
    returned: dict[str, Any]
    data: int


def make_module(game: str) -> Module:
    """Compile the kernels of a game. Nothing may have been compiled before in this process."""
    kernels = {
        name: (kernel, tuple(map(_numba_type, arguments)))
        for name, (kernel, arguments) in KERNELS[game].items()
    }
    code, returned = link_plain(kernels)
    # sizes of arrays are checked for an overflow, for which WebAssembly has no instruction; ours are small
    whole = llvm.parse_assembly(code.replace("@llvm.smul.with.overflow.i64", "@product"))
    runtime = llvm.parse_assembly(_RUNTIME)
    machine = llvm.Target.from_triple(_TRIPLE).create_target_machine(
        features=_FEATURES, opt=3, reloc="static"
    )
    makes_arrays = any(one.name == "NRT_decref" and not one.is_declaration for one in whole.functions)
    parts = [runtime] if makes_arrays else [runtime, llvm.parse_assembly(_NO_COUNTS)]
    for module in (whole, *parts):
        module.triple, module.data_layout = _TRIPLE, str(machine.target_data)
    for module in parts:
        whole.link_in(module)
    whole.verify()
    exports = {*kernels, *_OWN}
    for function in whole.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in exports else "internal"
    _make_small(whole)
    for _ in range(2):  # the second time without the counts of references that were seen to be needless
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = options.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        passes.add_refprune_pass()
        passes.run(whole, builder)
    file = _with_exports(machine.emit_object(whole), exports)
    return Module(file, returned, _end_of_data(file))


def _make_small(module: Any) -> None:  # noqa: ANN401 - llvmlite has no types
    """Optimise what no kernel of FAST calls for its size."""
    calls = {
        function.name: {
            operand.name
            for block in function.blocks
            for instruction in block.instructions
            if instruction.opcode == "call"
            for operand in instruction.operands
        }
        for function in module.functions
    }
    fast, found = set[str](), {name for name in calls if name in FAST}
    while found:
        fast |= found
        found = set[str]().union(*(calls[name] & calls.keys() for name in found)) - fast
    for function in module.functions:
        if not function.is_declaration and function.name not in fast:
            function.add_function_attribute("minsize")
            function.add_function_attribute("optsize")


def _numba_type(argument: object) -> object:
    if isinstance(argument, Argument):
        return argument.numba_type
    return Tuple(tuple(map(_numba_type, argument))) if isinstance(argument, tuple) else argument


_CUSTOM, _IMPORT, _EXPORT, _CODE_AND_BEFORE = 0, 2, 7, (1, 2, 3, 4, 5, 6)


def _with_exports(file: bytes, exports: set[str]) -> bytes:
    """Return an object file as a module that exports functions by name, without what is for linkers."""
    sections = list(_sections(file))
    symbols = next(
        payload for kind, payload in sections if kind == _CUSTOM and payload.startswith(b"\x07linking")
    )
    indices = _function_indices(_Reader(symbols, len(b"\x07linking")))
    missing = exports - indices.keys()
    if missing:
        raise KeyError(*sorted(missing))
    rows = b"".join(_text(name) + b"\x00" + _number(indices[name]) for name in sorted(exports))
    export = (_EXPORT, _number(len(exports)) + rows)
    kept = [section for section in sections if section[0] != _CUSTOM]
    place = next(n for n, (kind, _) in enumerate(kept) if kind not in _CODE_AND_BEFORE)
    kept.insert(place, export)
    return file[:8] + b"".join(bytes([kind]) + _number(len(payload)) + payload for kind, payload in kept)


class _Reader:
    """Reads numbers and texts of a WebAssembly file."""

    def __init__(self, data: bytes, place: int = 0) -> None:
        self.data, self.place = data, place

    def bytes(self, count: int) -> bytes:
        self.place += count
        return self.data[self.place - count : self.place]

    def number(self) -> int:
        value = shift = 0
        while (byte := self.bytes(1)[0]) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
        return value | byte << shift


def _sections(file: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(file, 8)
    while reader.place < len(file):
        kind = reader.bytes(1)[0]
        yield kind, reader.bytes(reader.number())


_SYMBOLS = 8
_FUNCTION, _DATA, _SECTION = 0, 1, 3
_IS_UNDEFINED, _HAS_NAME = 0x10, 0x40


def _function_indices(reader: _Reader) -> dict[str, int]:
    """Return the indices of the functions that an object file defines (WebAssembly Object File Linking)."""
    found = {}
    reader.number()  # the version
    while reader.bytes(1)[0] != _SYMBOLS:
        reader.bytes(reader.number())
    reader.number()
    for _ in range(reader.number()):
        kind, flags = reader.bytes(1)[0], reader.number()
        if kind == _SECTION:
            reader.number()
        elif kind == _DATA:
            reader.bytes(reader.number())
            if not flags & _IS_UNDEFINED:
                for _ in range(3):
                    reader.number()
        else:
            index = reader.number()
            if not flags & _IS_UNDEFINED or flags & _HAS_NAME:
                name = reader.bytes(reader.number()).decode()
                if kind == _FUNCTION:
                    found[name] = index
    return found


_DATA_SECTION = 11


def _end_of_data(file: bytes) -> int:
    """Return the first address after the constants of a module."""
    end = 0
    for kind, payload in _sections(file):
        if kind == _DATA_SECTION:
            reader = _Reader(payload)
            for _ in range(reader.number()):
                reader.bytes(2)  # of the only memory; i32.const
                begin = reader.number()
                reader.bytes(1)  # end
                size = reader.number()
                reader.bytes(size)
                end = max(end, begin + size)
    return end


def _number(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])


def _text(value: str) -> bytes:
    return _number(len(value)) + value.encode()


def records_text(modules: Mapping[str, Module], *, has_hash: bool) -> str:
    """Return a file of TypeScript: for each module its records, kernels, enums and constants.

    has_hash: before them the hash of the kernels.
    """
    lines = ["// Written by `python -m tools.engine_modules` from the kernels: not to be changed by hand."]
    if has_hash:
        lines.append(f"export const HASH = '{kernels_hash()}';")
    for game, module in modules.items():
        value = {
            "data": module.data,
            "records": {name: _record(dtype) for name, dtype in RECORDS[game].items()},
            "kernels": {name: _returned(kind) for name, kind in module.returned.items()},
            **{enum.__name__: {one.name: one.value for one in enum} for enum in ENUMS[game]},
            **{
                name: value
                for source in CONSTANTS[game]
                for name, value in vars(source).items()
                if _is_constant(name, value)
            },
            **TABLES[game],
        }
        lines.append(f"export const {game.upper()} = {json.dumps(value, indent=1)} as const;")
    return "\n".join(lines) + "\n"


def _is_constant(name: str, value: object) -> bool:
    return name.isupper() and not name.startswith("_") and type(value) in {int, float}


def _record(dtype: np.dtype[Any]) -> dict[str, Any]:
    fields = {
        name: {"offset": each[1], "type": each[0].base.name, "count": math.prod(each[0].shape)}
        for name, each in (dtype.fields or {}).items()
    }
    return {"size": dtype.itemsize, "fields": fields}


def _returned(kind: object) -> str:
    if isinstance(kind, types.Array):
        return f"{kind.dtype}[]" if kind.ndim == 1 else f"{kind.dtype}[][]"
    return str(kind)


def main(folder: Path = FOLDER) -> None:
    """Write the modules and their records into a folder."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    modules = {game: make_module(game) for game in KERNELS}
    for game, module in modules.items():
        (folder / f"{game}.wasm").write_bytes(module.file)
    # what only some pages need has files of its own: a bundler does not divide one between pages
    for name, file in (("boards", "boardRecords.ts"), ("search", "searchRecords.ts")):
        text = records_text({name: modules.pop(name)}, has_hash=False)
        (folder / file).write_text(text, encoding="utf-8")
    (folder / "records.ts").write_text(records_text(modules, has_hash=True), encoding="utf-8")


def _run() -> None:
    """Run in a process whose sets of names have the same order each time, which numba's code follows.

    Its cache is empty: a kernel that is read from there is optimised already, and gives other code.
    """
    if os.environ.get("PYTHONHASHSEED") == "0":
        main(*map(Path, sys.argv[1:]))
        return
    with TemporaryDirectory() as empty:
        more = {"PYTHONHASHSEED": "0", "EKOES_CACHE_DIR": empty}
        sys.exit(subprocess.run(sys.orig_argv, env=os.environ | more, check=False).returncode)  # noqa: S603 - ourselves


if __name__ == "__main__":
    _run()
