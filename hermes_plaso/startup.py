"""Lazy import hook, which the .pth file of the package installs in every interpreter.

Plaso has no entry points for parsers. This hook waits until Plaso's own modules are
imported and then has the extension module add to them, so that the stock tools know
Hermes, in worker processes as well. It must stay cheap for interpreters that never
import Plaso: nothing is imported here that such an interpreter does not have already.
"""

import os
import sys

_DISABLE_VARIABLE = "HERMES_PLASO_DISABLE"

# Modules of Plaso that the extension adds to, see Register in the extension module.
_MODULE_NAMES = frozenset(
    [
        "plaso.analysis",
        "plaso.cli.extraction_tool",
        "plaso.cli.helpers",
        "plaso.cli.helpers.tagging_analysis",
        "plaso.cli.pinfo_tool",
        "plaso.engine.timeliner",
        "plaso.output.mediator",
        "plaso.output.shared_opensearch",
        "plaso.parsers",
        "plaso.parsers.presets",
        "plaso.parsers.sqlite",
        "plaso.storage.serializers",
    ]
)


def IsDisabled():
    """Determines if the user turned the extension off.

    Returns:
      bool: True if the extension must not do anything.
    """
    return os.environ.get(_DISABLE_VARIABLE, "") not in ("", "0")


def _Register(name):
    """Has the extension add to a module of Plaso.

    Args:
      name (str): name of the module, which has been imported.
    """
    try:
        # pylint: disable=import-outside-toplevel
        from hermes_plaso import extension

        extension.Register(name)
    except Exception as exception:  # pylint: disable=broad-except
        # Whatever is wrong, the tools of somebody who only uses Plaso must run.
        sys.stderr.write(
            f"hermes-plaso: cannot extend {name:s}, Hermes evidence will not be "
            f"parsed: {exception!s}\n"
        )


class _Loader:
    """Loader that registers the extension once a module has been executed."""

    def __init__(self, loader):
        """Initializes a loader.

        Args:
          loader (object): loader of the module.
        """
        self._loader = loader

    def __getattr__(self, name):
        """Retrieves an attribute of the loader of the module.

        Args:
          name (str): name of the attribute.

        Returns:
          object: attribute.
        """
        return getattr(self._loader, name)

    def create_module(self, spec):
        """Creates the module.

        Args:
          spec (ModuleSpec): specification of the module.

        Returns:
          module: module or None for the default.
        """
        return self._loader.create_module(spec)

    def exec_module(self, module):
        """Executes the module and registers the extension.

        Args:
          module (module): module.
        """
        # The module must not see this loader, which some tools ask for resources.
        module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        _Register(module.__name__)


class _Finder:
    """Finder that wraps the loaders of the modules that are extended."""

    def find_spec(self, name, path=None, target=None):
        """Finds the specification of a module.

        Args:
          name (str): name of the module.
          path (Optional[list[str]]): search path.
          target (Optional[module]): module to reload.

        Returns:
          ModuleSpec: specification or None if the module is not one that is extended.
        """
        if name not in _MODULE_NAMES:
            return None

        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


def Install():
    """Installs the hook, unless it is installed or turned off."""
    if IsDisabled() or any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return

    sys.meta_path.insert(0, _Finder())
    for name in sorted(_MODULE_NAMES):
        if name in sys.modules:
            _Register(name)


Install()
