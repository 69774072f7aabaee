"""The numba options of all kernels."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, TypeVar, cast

import numba
from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typed_passes import NativeLowering
from numba.core.types import IntegerLiteral
from numba.core.types.misc import unliteral
from numba.extending import register_jitable

from ekoes.games.kernels import COMPILED, cache_folder

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

F = TypeVar("F", bound=Callable[..., Any])


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(cache_folder())


# Numba optimises each function together with all that it calls, and compiles it to machine code. Each caller
# of a helper repeats that, which is most of the time of compiling. So the library of a helper has only
# intermediate code, which is linked, optimised and compiled to machine code once: in the kernel that Python
# calls.


class _HelperLibrary(JITCodeLibrary):  # type: ignore[misc] # numba has no types
    """The intermediate code of one helper."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True


class _EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A kernel that Python calls, with all helpers that it needs."""

    def finalize(self) -> None:
        for library in list(self._linking_libraries):
            self._link_helpers_of(library)
        super().finalize()

    def _link_helpers_of(self, library: Any) -> None:
        for each in library._linking_libraries if isinstance(library, _HelperLibrary) else ():  # noqa: SLF001
            if each not in self._linking_libraries:
                self._linking_libraries.append(each)
                self._link_helpers_of(each)


@register_pass(mutates_CFG=True, analysis_only=False)
class _HelperLowering(NativeLowering):  # type: ignore[misc]
    _name = "helper_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _HelperLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        key = object()  # stands for the machine code, by which numba identifies a function
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state["cr"] = state.cr._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):  # type: ignore[misc]
    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


@cache
def _announce() -> None:
    """Print once, at a terminal or in a notebook, why the first use takes long."""
    if sys.stderr.isatty() or "ipykernel" in sys.modules:
        sys.stderr.write("Compiling the rules, once; it takes about half a minute.\n")


def _compiler(lowering: type[Any]) -> type[Any]:
    class Compiler(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            _announce()
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes.passes = [
                (lowering if one is NativeLowering else one, name) for one, name in passes.passes
            ]
            passes._finalized = False  # noqa: SLF001 - it can be changed in no other way
            passes.finalize()
            return [passes]

    return Compiler


_EntryCompiler, _HelperCompiler = _compiler(_EntryLowering), _compiler(_HelperLowering)


class _HelperDispatcher(CPUDispatcher):  # type: ignore[misc]
    """Compiles a helper once for each type of integer, not for each literal that it is called with."""

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return super().get_call_template(tuple(map(_any_number, args)), kws)

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres

    def __call__(self, *args: Any) -> Any:
        return self._for_python(*args)

    @cached_property
    def _for_python(self) -> Callable[..., Any]:
        return cast("Callable[..., Any]", numba.njit(pipeline_class=_EntryCompiler, **_OPTIONS)(self.py_func))


def _any_number(value: Any) -> Any:
    return unliteral(value) if isinstance(value, IntegerLiteral) else value


def entry(function: F) -> F:
    """Compile a kernel that Python calls; its machine code is cached on disk."""
    return cast("F", numba.njit(cache=True, pipeline_class=_EntryCompiler, **_OPTIONS)(function))


def helper(function: F) -> F:
    """Compile a kernel that other kernels call."""
    if not COMPILED:
        return function
    options = _OPTIONS | {"nopython": True, "boundscheck": None}
    options |= {"no_cfunc_wrapper": True, "no_cpython_wrapper": True}
    return cast("F", _HelperDispatcher(function, targetoptions=options, pipeline_class=_HelperCompiler))


def shared(function: F) -> F:
    """Let kernels call a Python function; it stays a Python function elsewhere."""
    return cast("F", register_jitable(**_OPTIONS)(function))


class _PlainLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Leaves the code as numba wrote it: what is optimised for this processor may not fit another one."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # noqa: SLF001

    def _optimize_final_module(self) -> None:
        pass


def link_plain(
    kernels: Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]],
) -> tuple[str, dict[str, Any]]:
    """Return kernels with all that they call as one LLVM module, not optimised, and what types they return.

    kernels: by name, the function and the numba types of its arguments. The module's functions have these
    names; their first two arguments are the addresses of the result and of an exception.
    Kernels that are compiled later in this process are not optimised either.
    """
    cpu_target.target_context.codegen()._library_class = _PlainLibrary  # noqa: SLF001
    _HelperLibrary._optimize_functions = _PlainLibrary._optimize_functions  # noqa: SLF001
    whole, linked = llvm.parse_assembly(""), list[Any]()
    names, returned = dict[str, str](), dict[str, Any]()
    for name, (kernel, types) in kernels.items():
        dispatcher = helper(kernel.py_func)  # type: ignore[attr-defined]
        dispatcher.compile(types)
        (compiled,) = dispatcher.overloads.values()
        names[compiled.fndesc.llvm_func_name] = name
        returned[name] = compiled.signature.return_type
        _link(whole, compiled.library, linked)
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration:
            value.linkage = "external" if value.name in names else "internal"
    for function in whole.functions:
        function.name = names.get(function.name, function.name)
    return _without_traces(str(whole)), returned


def _without_traces(code: str) -> str:
    """Return numba's code without what only Python needs and differs from run to run.

    That is addresses of this process, and pickled exceptions with the paths of files.
    """
    numbers = dict[str, int]()
    code = re.sub(r"store ptr @\.const\.picklebuf\.[0-9a-f.]+,", "store ptr null,", code)
    code = re.sub(
        r"(?<=numba\.dynamic\.globals\.)[0-9a-f]+",
        lambda found: str(numbers.setdefault(found[0], len(numbers))),
        code,
    )
    return re.sub(r"inttoptr \(i64 \d+ to ptr\)", "null", code)


def _link(whole: Any, library: Any, linked: list[Any]) -> None:
    """Link a library and all that it needs into a module, except numba's memory runtime."""
    if library in linked or library.name == "nrt":
        return
    linked.append(library)
    library._ensure_finalized()  # noqa: SLF001
    copy = library._final_module.clone()  # noqa: SLF001
    for function in copy.functions:
        if not function.is_declaration:
            function.linkage = "weak_odr"
    whole.link_in(copy)
    for each in library._linking_libraries:  # noqa: SLF001
        _link(whole, each, linked)
