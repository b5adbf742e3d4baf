"""An output file that is there complete, or not at all."""

import contextlib
import os
import signal
import tempfile
import threading

from hermes_plaso.merging import errors

# Not all systems have all of these.
_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGHUP", "SIGINT", "SIGTERM")
    if hasattr(signal, name)
)

# What SQLite can leave beside a database.
_DATABASE_SUFFIXES = ("-journal", "-shm", "-wal")


class Interruption:
    """Turns signals that end the process into an exception.

    Attributes:
      is_over (bool): True if it is too late for an interruption.
      signal_number (int): number of the signal that came, None if none did.
    """

    def __init__(self):
        """Initializes an interruption."""
        super().__init__()
        self._handlers = {}
        self.is_over = False
        self.signal_number = None

    def __enter__(self):
        """Starts to watch for signals.

        Returns:
          Interruption: itself.
        """
        # Only the main thread of a process can have handlers of signals.
        if threading.current_thread() is threading.main_thread():
            for signal_number in _SIGNALS:
                # A signal that is ignored, as by nohup, stays ignored.
                if signal.getsignal(signal_number) != signal.SIG_IGN:
                    self._handlers[signal_number] = signal.signal(
                        signal_number, self._HandleSignal
                    )
        return self

    def __exit__(self, exception_type, value, traceback):
        """Restores the handlers of signals.

        Args:
          exception_type (type): type of the exception, None if there is none.
          value (Exception): exception.
          traceback (traceback): traceback.
        """
        for signal_number, handler in self._handlers.items():
            signal.signal(signal_number, handler)

    def _HandleSignal(self, signal_number, unused_frame):
        """Handles a signal.

        Args:
          signal_number (int): number of the signal.
          unused_frame (frame): stack frame.

        Raises:
          MergeInterrupted: the first time, so that a second signal does not end the
              removal of what was written.
        """
        if self.signal_number is None and not self.is_over:
            self.signal_number = signal_number
            raise errors.MergeInterrupted(signal_number)

    def HasHappened(self):
        """Determines if a signal came.

        What is called by SQLite cannot raise: its exceptions are lost.

        Returns:
          bool: True if a signal came.
        """
        return self.signal_number is not None


def _RemoveFiles(path):
    """Removes a file and what SQLite leaves beside it.

    Args:
      path (str): path of the file.
    """
    for name in (path, *(f"{path:s}{suffix:s}" for suffix in _DATABASE_SUFFIXES)):
        with contextlib.suppress(OSError):
            os.remove(name)


def _MoveFile(source_path, path):
    """Gives a file its name, if no other file has that name.

    Args:
      source_path (str): path of the file.
      path (str): new path.

    Raises:
      FileExistsError: if there is a file of that name.
    """
    try:
        # Unlike a rename this never replaces a file that came up meanwhile.
        os.link(source_path, path)
    except FileExistsError:
        raise
    except (AttributeError, NotImplementedError, OSError):
        # The file system has no links.
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(source_path, path)
    else:
        os.remove(source_path)


@contextlib.contextmanager
def Create(path):
    """Creates a file that gets its name when it is complete.

    Args:
      path (str): path of the file, of which none exists.

    Yields:
      tuple[str, Interruption]: path to write to, in the same directory, and what tells
          that a signal came.

    Raises:
      MergeError: if the file cannot be created.
      MergeInterrupted: if a signal came.
    """
    with Interruption() as interruption:
        temporary_path = None
        try:
            try:
                file_descriptor, temporary_path = tempfile.mkstemp(
                    dir=os.path.dirname(os.path.abspath(path)),
                    prefix=f".{os.path.basename(path):s}.",
                    suffix=".part",
                )
            except OSError as exception:
                raise errors.MergeError(
                    f"{path:s} cannot be written: {exception.strerror!s}"
                ) from exception
            os.close(file_descriptor)

            yield temporary_path, interruption

            # A file of mkstemp is for its owner alone, unlike any other output.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary_path, 0o666 & ~mask)

            with open(temporary_path, "rb+") as file_object:
                os.fsync(file_object.fileno())
            interruption.is_over = True
            try:
                _MoveFile(temporary_path, path)
            except FileExistsError as exception:
                raise errors.MergeError(
                    f"{path:s} exists now: name another output file"
                ) from exception
        finally:
            if temporary_path:
                _RemoveFiles(temporary_path)
