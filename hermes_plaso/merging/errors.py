"""Errors of a merge."""


class MergeError(Exception):
    """Raised with one sentence that says why there is no merge, and what to do."""


class MergeInterrupted(BaseException):
    """Raised when a signal ends a merge.

    This is no Exception, so that no handler of errors takes it for one.

    Attributes:
      signal_number (int): number of the signal.
    """

    def __init__(self, signal_number):
        """Initializes an interruption.

        Args:
          signal_number (int): number of the signal.
        """
        super().__init__(f"interrupted by signal {signal_number:d}")
        self.signal_number = signal_number
