#!/usr/bin/env python3
"""Makes a timeline of the bundled image with the stock tools and shows it.

Usage: demo.py [IMAGE]

Plaso and hermes-plaso must be installed for the Python that runs this.
"""

import collections
import datetime
import json
import os
import subprocess
import sys
import tempfile

PROJECT_PATH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFAULT_IMAGE = os.path.join(PROJECT_PATH, "test_data", "linux_ext4.qcow2")

EPOCH = datetime.datetime(1970, 1, 1)

# Number of events and of characters of a message that are shown.
NUMBER_OF_EVENTS = 60
MESSAGE_SIZE = 96


def Run(*arguments):
    """Runs a command and shows it.

    Args:
      arguments (list[str]): name of the command and its arguments.

    Raises:
      SystemExit: if the command fails.
    """
    print("$", " ".join(arguments), flush=True)
    path = os.path.join(os.path.dirname(sys.executable), arguments[0])
    result = subprocess.run(
        (path,) + arguments[1:], capture_output=True, check=False, text=True
    )
    if result.returncode:
        sys.exit(result.stdout + result.stderr)


def Main():
    """Makes and shows the timeline."""
    image = sys.argv[1] if len(sys.argv) > 1 else DEFAULT_IMAGE

    with tempfile.TemporaryDirectory() as directory:
        storage_file = os.path.join(directory, "demo.plaso")
        timeline_file = os.path.join(directory, "demo.jsonl")
        for arguments in (
            # No parsers are named: Plaso picks them by the operating system it finds.
            ("log2timeline", "--storage-file", storage_file, image),
            ("psort", "-o", "json_line", "-w", timeline_file, storage_file),
        ):
            Run(
                arguments[0],
                "--quiet",
                "--status-view",
                "none",
                "--logfile",
                os.path.join(directory, f"{arguments[0]:s}.log.gz"),
                *arguments[1:],
            )

        with open(timeline_file, encoding="utf-8") as file_object:
            events = [json.loads(line) for line in file_object]

    hermes_events = [
        event for event in events if event["data_type"].startswith("hermes:")
    ]
    timed_events = [event for event in hermes_events if event["timestamp"]]

    print()
    print(f"The first {NUMBER_OF_EVENTS:d} Hermes events that have a time (UTC):")
    for event in timed_events[:NUMBER_OF_EVENTS]:
        message = event["message"]
        if len(message) > MESSAGE_SIZE:
            message = f"{message[:MESSAGE_SIZE - 3]:s}..."
        date_time = EPOCH + datetime.timedelta(microseconds=event["timestamp"])
        print(f"{date_time!s:26s}  {event['timestamp_desc']:18s}  {message:s}")

    print()
    print("Number of events per data type:")
    counter = collections.Counter(event["data_type"] for event in hermes_events)
    for data_type, number in sorted(counter.items()):
        print(f"{number:7d}  {data_type:s}")
    print(f"{len(hermes_events):7d}  Hermes events of {len(events):d} in all")
    if not hermes_events:
        sys.exit("No Hermes event was found: run hermes-plaso check")


if __name__ == "__main__":
    Main()
