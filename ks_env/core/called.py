"""Kernels as Numba compiles them here: those that kernels call, and the outermost ones, which Python calls.

Numba links what a kernel calls into it, so that only the outermost kernel's machine code is ever run, and yet
it optimises whole modules and makes machine code at every level of calls. For called kernels both are left
out, and the outermost kernel is optimised with all that it calls as functions of its own. Numba leaves them
visible from outside, so that LLVM must keep each of them, and may conclude nothing from what is in them.
"""

from types import SimpleNamespace
from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import AnnotateTypes, NativeLowering

ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba's global variables for environments begin


class CalledLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code in LLVM's form, to be linked into other kernels and optimised with them."""

    @property
    def codegen(self) -> Any:
        """Numba's, but for the environment, which belongs to the outermost kernel's machine code."""
        return SimpleNamespace(set_env=lambda name, environment: None)

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is no machine code."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """Its name and its bitcode."""
        return self.name, self._get_module_for_linking().as_bitcode()

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, bytes]) -> "CalledLibrary":
        name, bitcode = state
        self = cls(codegen, name)
        self._final_module = binding.parse_bitcode(bitcode)
        self._finalize_final_module()
        return self


class OutermostLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code of a kernel with all that it calls."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == binding.Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = binding.Linkage.internal
        super()._optimize_final_module()


class _Pass(LoweringPass):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()


class _UseLibrary(_Pass):
    """Put the machine code into a library of this kind."""

    library: type[JITCodeLibrary]

    def run_pass(self, state: Any) -> bool:
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _UseCalledLibrary(_UseLibrary):
    _name = "ks_env_use_called_library"
    library = CalledLibrary


@register_pass(mutates_CFG=False, analysis_only=True)
class _UseOutermostLibrary(_UseLibrary):
    _name = "ks_env_use_outermost_library"
    library = OutermostLibrary


@register_pass(mutates_CFG=False, analysis_only=True)
class _SetEnvironments(_Pass):
    """Numba sets a callee's environment in the callee's machine code, which is not there."""

    _name = "ks_env_set_environments"

    def run_pass(self, state: Any) -> bool:
        for variable in state.library._final_module.global_variables:
            environment = variable.name.startswith(ENVIRONMENT) and lookup_environment(variable.name)
            if environment:
                state.library.codegen.set_env(variable.name, environment)
        return False


class CompilerOfCalled(CompilerBase):  # type: ignore[misc]
    """Numba's compiler, for kernels that other kernels call."""

    before_lowering: type[_UseLibrary] = _UseCalledLibrary
    after_lowering: type[_Pass] | None = None

    def define_pipelines(self) -> list[Any]:
        """Numba's passes, and ours before and after the lowering."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(self.before_lowering, AnnotateTypes)
        if self.after_lowering is not None:
            passes.add_pass_after(self.after_lowering, NativeLowering)
        passes.finalize()
        return [passes]


class CompilerOfOutermost(CompilerOfCalled):
    """Numba's compiler, for kernels that Python calls."""

    before_lowering = _UseOutermostLibrary
    after_lowering = _SetEnvironments


def rebuild(target_context: Any, payload: Any) -> Any:
    """A called kernel as it was reduced, without machine code."""

    def unserialize(state: tuple[str, bytes]) -> CalledLibrary:
        return CalledLibrary._unserialize(target_context.codegen(), state)

    stand_in = SimpleNamespace(
        codegen=lambda: SimpleNamespace(unserialize_library=unserialize),
        get_executable=target_context.get_executable,
        typing_context=target_context.typing_context,
    )
    return CompileResult._rebuild(stand_in, *payload)._replace(target_context=target_context)
