"""Analysis plugins of psort.

Importing this package registers them with Plaso.
"""

from hermes_plaso.analysis import hermes_pairing
from hermes_plaso.analysis import hermes_sessions
