"""Shared functionality of the fuzz tests.

HERMES_PLASO_FUZZ multiplies how much is tried, and has each run try something else;
see "make fuzz".
"""

import inspect
import json
import os
import re

import hypothesis
from hypothesis import strategies

from hermes_plaso import containers
from hermes_plaso.formats import homes
from hermes_plaso.formats import records
from hermes_plaso.parsers import event_producer

FACTOR = int(os.environ.get("HERMES_PLASO_FUZZ", "1"))

_EXAMPLES = 60

SETTINGS = hypothesis.settings(
    database=None,
    deadline=None,
    derandomize=FACTOR == 1,
    max_examples=_EXAMPLES * FACTOR,
    # What fails is shown as it is: to make it smaller can take hours.
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    suppress_health_check=list(hypothesis.HealthCheck),
)

# Texts with surrogates, control characters and marks of direction among them.
TEXTS = strategies.one_of(
    strategies.text(strategies.characters(exclude_categories=()), max_size=40),
    strategies.sampled_from(
        [
            "",
            "\x00json:[]",
            '\x00json:"x"',
            "\x00json:[1, null, {}]",
            "2026-10-29T09:30:13Z",
            "2026-10-29 09:30:13",
            "1793266213.5",
            "9" * 5000,
            "NaN",
            "[" * 2000,
            '{"a":' * 2000,
            '{"approval": "x", "status": []}',
            '{"status": "blocked", "error": {}}',
            "\ud800",
            "\u202e\x1b[31m",
            "[System: The active model for this chat has changed to x. From this point",
            "[CONTEXT COMPACTION",
        ]
    ),
)

# Values of any JSON that a program other than Hermes may have written.
SCALARS = strategies.one_of(
    strategies.none(),
    strategies.booleans(),
    strategies.integers(),
    strategies.sampled_from([10**400, -(2**63), 2**63, 1793266213, 0]),
    strategies.floats(),
    TEXTS,
)

# Values that a cell of SQLite can hold.
CELLS = strategies.one_of(
    strategies.none(),
    strategies.integers(-(2**63), 2**63 - 1),
    strategies.sampled_from([1793266213, 0]),
    strategies.floats(),
    TEXTS.map(lambda text: text.encode("utf-8", "replace").decode("utf-8")),
    strategies.binary(max_size=40),
)


def GetNames(*modules):
    """Retrieves the names that decoders may ask for.

    Args:
      modules (list[module]): modules of decoders.

    Returns:
      list[str]: names.
    """
    names = set()
    for module in modules:
        names.update(re.findall(r'"([A-Za-z_][A-Za-z_]+)"', inspect.getsource(module)))
    return sorted(names)


def Objects(*modules):
    """Creates a strategy of JSON objects with names that decoders ask for.

    Args:
      modules (list[module]): modules of decoders.

    Returns:
      SearchStrategy: strategy.
    """
    names = strategies.one_of(strategies.sampled_from(GetNames(*modules)), TEXTS)
    values = strategies.recursive(
        SCALARS,
        lambda children: strategies.one_of(
            strategies.lists(children, max_size=4),
            strategies.dictionaries(names, children, max_size=6),
        ),
        max_leaves=20,
    )
    return strategies.dictionaries(names, values, max_size=12)


def Serialize(value):
    """Serializes a value as JSON.

    Args:
      value (object): value.

    Returns:
      bytes: JSON.
    """
    return json.dumps(value).encode("ascii")


class ParserMediator:
    """Stands in for Plaso's, and checks what it is given.

    Attributes:
      number_of_events (int): number of event data objects.
      warnings (list[str]): extraction warnings.
    """

    def __init__(self):
        """Initializes a parser mediator."""
        super().__init__()
        self.number_of_events = 0
        self.warnings = []

    def ProduceEventData(self, event_data):
        """Checks event data.

        Args:
          event_data (HermesEventData): event data.

        Raises:
          AssertionError: if Plaso could not write or show it.
        """
        self.number_of_events += 1
        known = vars(containers.EVENT_DATA_CLASSES[event_data.data_type]())
        for name, value in vars(event_data).items():
            if name not in known:
                raise AssertionError(f"{event_data.data_type:s} has no {name:s}")
            if name.startswith("_") or value is None or name.endswith("_time"):
                continue
            for element in value if isinstance(value, list) else [value]:
                if not isinstance(element, (bool, float, int, str)):
                    raise AssertionError(f"{name:s} is {element!r}")
                if isinstance(element, str):
                    element.encode("utf-8")
                if isinstance(element, float) and element != element:
                    raise AssertionError(f"{name:s} is not a number")

    def ProduceWarning(self, message):
        """Checks a warning.

        Args:
          message (str): message of the warning.
        """
        message.encode("utf-8")
        self.warnings.append(message)


def Produce(results):
    """Produces the event data and warnings of what a decoder gives.

    Args:
      results (iterator[Record|str]): records, and messages of warnings.

    Returns:
      ParserMediator: what was produced.
    """
    parser_mediator = ParserMediator()
    location = homes.LocateDatabase("/home/casey/.hermes/state.db")
    producer = event_producer.HermesEventProducer(parser_mediator, location)
    for result in results:
        if isinstance(result, records.Record):
            producer.Produce(result)
        else:
            producer.ProduceWarning(result)
    return parser_mediator
