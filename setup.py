"""Build hook: setup.cfg cannot say that a .pth file belongs beside the package."""

import os
import shutil

import setuptools
from setuptools.command import build_py

PTH_FILE_NAME = "hermes_plaso.pth"


class BuildPyWithPth(build_py.build_py):
    """Builds the package and the .pth file that has Plaso know of it."""

    def run(self):
        """Builds the package."""
        super().run()
        if not self.editable_mode:
            os.makedirs(self.build_lib, exist_ok=True)
            shutil.copy(PTH_FILE_NAME, self.build_lib)


def _CreateEditableWheelCommand():
    """Creates the command that builds an editable wheel with the .pth file.

    Returns:
      type: command class or None if this setuptools cannot build editable wheels.
    """
    try:
        from setuptools.command import editable_wheel
    except ImportError:
        return None

    class EditableWheelWithPth(editable_wheel.editable_wheel):
        """Builds an editable wheel with the .pth file."""

        def _select_strategy(self, *args, **kwargs):
            """Selects how the wheel points to the source tree.

            Returns:
              object: strategy.
            """
            return _StrategyWithPth(super()._select_strategy(*args, **kwargs))

    return EditableWheelWithPth


class _StrategyWithPth:
    """Strategy of an editable wheel that adds the .pth file."""

    def __init__(self, strategy):
        """Initializes a strategy.

        Args:
          strategy (object): strategy that setuptools selected.
        """
        super().__init__()
        self._strategy = strategy

    def __enter__(self):
        """Enters a with statement.

        Returns:
          object: the strategy.
        """
        self._strategy.__enter__()
        return self

    def __exit__(self, exception_type, value, traceback):
        """Exits a with statement."""
        return self._strategy.__exit__(exception_type, value, traceback)

    def __call__(self, wheel, *args, **kwargs):
        """Writes the wheel.

        Args:
          wheel (WheelFile): wheel.
        """
        self._strategy(wheel, *args, **kwargs)
        wheel.write(PTH_FILE_NAME, PTH_FILE_NAME)


_COMMANDS = {"build_py": BuildPyWithPth}
_EDITABLE_WHEEL = _CreateEditableWheelCommand()
if _EDITABLE_WHEEL:
    _COMMANDS["editable_wheel"] = _EDITABLE_WHEEL

setuptools.setup(cmdclass=_COMMANDS)
